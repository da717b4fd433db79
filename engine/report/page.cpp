#include <algorithm>
#include <map>
#include <set>

#include "engine/report/chart.h"
#include "engine/report/format.h"
#include "engine/report/markup.h"
#include "engine/report/page_style.h"
#include "engine/report/page_tables.h"
#include "engine/report/picture.h"
#include "engine/report/profile_json.h"
#include "engine/report/report.h"

namespace engine {
namespace {

std::string card(const std::string& figure, const std::string& name, const std::string& detail) {
    return "<div class=\"card\"><span>" + escaped(name) + "</span><b>" + escaped(figure) + "</b><em>" +
           escaped(detail) + "</em></div>\n";
}

std::string item(const std::string& term, const std::string& description) {
    return description.empty() ? "" : "<dt>" + escaped(term) + "</dt><dd>" + escaped(description) + "</dd>\n";
}

std::string section(const std::string& title, const std::string& note, const std::string& body) {
    return "<section><h2>" + escaped(title) + (note.empty() ? "" : "<small>" + escaped(note) + "</small>") +
           "</h2>\n" + body + "</section>\n";
}

std::string time(int64_t nanoseconds) { return format(static_cast<double>(nanoseconds), Unit::nanoseconds); }
std::string size(size_t bytes) { return format(static_cast<double>(bytes), Unit::bytes); }

std::string opsets(const Model& model) {
    std::vector<std::string> parts;
    for (const OpsetImport& opset : model.opsets) {
        parts.push_back(text(opset.domain.empty() ? "ai.onnx" : opset.domain, " ", opset.version));
    }
    return join(parts, ", ");
}

class Page {
public:
    Page(const Session& session, const ProfileResult& profile, const ReportOptions& options)
        : session_(session), model_(session.model()), profile_(profile), options_(options) {}

    std::string render() const {
        const std::string file = model_.path.filename().string();
        const std::string title = escaped(file.empty() ? model_.graph->name : file);
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"generator\" content=\"opscope " OPSCOPE_VERSION "\">\n<title>" +
               title + " – Opscope report</title>\n<style>" + pageStyle +
               "</style></head>\n<body><main>\n<h1>" + title + "</h1>\n<p class=\"facts\">" +
               escaped(facts()) + "</p>\n" + cards() + picture() + latency() +
               section("Time per operator type", "own time, without that of bodies; adds up to the whole",
                       typesTable(profile_)) +
               section("Time per step",
                       "click a heading to sort; steps of a body are part of the step above them",
                       stepsTable(session_, profile_)) +
               placementSection() + section("Passes", passesNote(), passesTable(session_)) + setup() +
               method() + diagnostics() + footer() +
               "</main>\n<script type=\"application/json\" id=\"figures\">" + figures() +
               "</script>\n<script>" + pageScript + "</script></body></html>\n";
    }

private:
    std::string facts() const {
        const ModelSummary summary = summarize(model_, {});
        std::vector<std::string> parts;
        if (!model_.producerName.empty()) {
            parts.push_back(text("made by ", model_.producerName,
                                 model_.producerVersion.empty() ? "" : " " + model_.producerVersion));
        }
        parts.push_back("opset " + opsets(model_));
        parts.push_back(text(summary.nodes, " nodes → ", topLevelSteps(), " steps"));
        parts.push_back(format(static_cast<double>(summary.parameters), Unit::count) + " parameters");
        parts.push_back(size(model_.fileBytes));
        return join(parts, " · ");
    }

    size_t topLevelSteps() const {
        return static_cast<size_t>(std::count_if(profile_.steps.begin(), profile_.steps.end(),
                                                 [](const ProfileRow& row) { return row.info.parent < 0; }));
    }

    /// Time on each provider, as shares of the steps' time.
    std::map<std::string, double> providerShares() const {
        std::map<std::string, double> shares;
        for (const ProfileRow& row : profile_.types) shares[row.info.provider] += row.share;
        return shares;
    }

    std::string cards() const {
        const Estimate& latency = profile_.latencyNs;
        std::string providers;
        for (const auto& [provider, share] : providerShares()) {
            providers += (providers.empty() ? "" : ", ") + provider + " " + formatShare(share);
        }
        const ColdStart& cold = profile_.cold;
        double flops = 0;
        for (const ProfileRow& row : profile_.steps) {
            if (row.info.parent < 0 && row.info.flops > 0) flops += row.info.flops;
        }
        return "<div class=\"cards\">\n" +
               card(format(latency, Unit::nanoseconds), "latency of a run",
                    text("median ± half the 95 % interval, n ", latency.count)) +
               card(format(1e9 / latency.median, Unit::none) + " /s", "runs one after another",
                    text(session_.options().threads,
                         session_.options().threads == 1 ? " thread" : " threads")) +
               card(format(flops / latency.median * 1e9, Unit::flopsPerSecond), "work rate",
                    format(flops, Unit::flops) + " a run") +
               card(providers.empty() ? "n/a" : providers, "time by provider", "of the time in steps") +
               card(time(cold.openNs + cold.optimizeNs + cold.compileNs + cold.firstRunNs), "cold start",
                    text("open ", time(cold.openNs), ", optimize ", time(cold.optimizeNs), ", compile ",
                         time(cold.compileNs), ", first run ", time(cold.firstRunNs))) +
               card(size(profile_.memory.slabBytes), "memory for intermediates",
                    text("no plan needs less than ", size(profile_.memory.lowerBoundBytes))) +
               "</div>\n";
    }

    std::string picture() const {
        const Picture drawn = pictureOf(session_, &profile_, options_.mostBoxes);
        std::set<std::string> providers;
        bool hasCopies = false;
        for (const PictureBox& box : drawn.boxes) {
            for (const auto& [provider, share] : box.providers) providers.insert(provider);
        }
        for (const PictureEdge& edge : drawn.edges) hasCopies = hasCopies || edge.isCopy;
        std::string legend = "<div class=\"legend\">";
        for (const std::string& provider : providers) {
            legend += "<span class=\"tag " + providerClass(provider) + "\">" +
                      escaped(providerLetter(provider)) + " " +
                      escaped(provider.empty() ? "nobody runs it" : provider) + "</span>";
        }
        if (hasCopies) legend += "<span><i class=\"line-copy\"></i>from one provider to another</span>";
        legend += "<span>bar: share of the time, the longest is the largest</span></div>\n";
        const std::string note =
            drawn.mostNodesInABox > 1
                ? text(drawn.nodes, " nodes after optimizing, neighbours drawn as one box")
                : text(drawn.nodes, " nodes after optimizing; hover for details");
        return section(
            "Graph", note,
            "<div class=\"tools\"><button id=\"zoom-in\">+</button><button id=\"zoom-out\">−</button>"
            "<button id=\"zoom-fit\">Fit</button></div>\n" +
                legend + "<div class=\"picture\">" + svgOf(drawn) + "</div>\n");
    }

    std::string latency() const {
        const Estimate& latency = profile_.latencyNs;
        std::string quantiles;
        for (const int percent : {50, 90, 95, 99}) {
            const auto bound = boundedQuantile(profile_.latenciesNs, percent / 100.0);
            quantiles += item(text("p", percent),
                              bound ? format(*bound, Unit::nanoseconds) : "n/a: too few runs for a bound");
        }
        const std::string unstable = latency.isUnstable ? "<p class=\"bad\">Unstable: the runs depend on "
                                                          "each other; the interval is wide for a reason.</p>"
                                                        : "";
        return section("Latency", text(latency.count, " untraced runs, measured ", profile_.stopReason),
                       unstable + "<div class=\"plots\"><div>" + histogramSvg(profile_.latenciesNs, latency) +
                           "</div><div>" + seriesSvg(profile_.latenciesNs, latency) +
                           "</div></div>\n<dl class=\"row\">" +
                           item("median", format(latency, Unit::nanoseconds) + " (half the 95 % interval)") +
                           item("least … most", format(latency.minimum, Unit::nanoseconds) + " … " +
                                                    format(latency.maximum, Unit::nanoseconds)) +
                           quantiles + "</dl>\n");
    }

    std::string placementSection() const {
        const PlacementReport& placement = session_.placement();
        std::map<std::string, std::pair<size_t, size_t>> counts;
        for (const Placement& node : placement.nodes) ++counts[node.provider].first;
        for (const PartitionInfo& partition : placement.partitions) ++counts[partition.provider].second;
        std::string note;
        for (const auto& [provider, count] : counts) {
            note += text(note.empty() ? "" : ", ", provider.empty() ? "nobody" : provider, ": ", count.first,
                         " nodes in ", count.second, " partitions");
        }
        return section("Placement", note, refusalsTable(placement));
    }

    std::string passesNote() const {
        return text(model_.graph->nodes.size(), " nodes in the file, ", session_.graph()->graph->nodes.size(),
                    " after optimizing");
    }

    std::string setup() const {
        std::string inputs;
        for (const ReportInput& input : options_.inputs) {
            inputs += item("input " + input.name, input.type + ", " + input.source);
        }
        return section(
            "Set-up", "",
            "<dl>" + item("model", model_.path.string()) + inputs +
                item("providers", join(session_.options().providers, ", ")) +
                item("threads", std::to_string(session_.options().threads)) +
                item("precision", session_.options().precision) + item("machine", profile_.environment) +
                item("packed constants", size(profile_.memory.packedBytes)) +
                item("tool", "opscope " OPSCOPE_VERSION) + item("command", options_.command) + "</dl>\n");
    }

    std::string method() const {
        return section(
            "What the figures measure", "",
            "<dl>" +
                item("latency",
                     "From the call to the results, all data in host memory, one run after another. The "
                     "median; its interval comes from order statistics at the effective number of "
                     "independent runs, so that runs which depend on each other do not make it look surer.") +
                item("time per step",
                     text("From traced runs, which alternate with the untraced ones: the median over "
                          "runs of all calls together. Tracing costs ×",
                          format(profile_.tracedToUntraced, Unit::none), "; ",
                          formatShare(profile_.unattributedShare), " of a traced run lies in no step.")) +
                item("shares",
                     "Of the time in steps at the top level. A loop's row has its body's steps inside; the "
                     "table per type counts each step's own time, once.") +
                item("work and data",
                     "Counted from the shapes: a multiply-add is two FLOPs; data is what a step reads and "
                     "writes at its border, weights included. Caches are not modelled.") +
                item("cold start",
                     "What the first result costs once: opening the file, passes, choosing and compiling "
                     "kernels for the shapes, and the first run itself. None of it is in the latency.") +
                item("memory",
                     "The planned size of the buffer that all intermediates share; the bound is what is "
                     "alive at once at the worst moment.") +
                item("limits", "One machine, one process, these inputs.") + "</dl>\n");
    }

    std::string diagnostics() const {
        if (model_.diagnostics.empty()) return "";
        std::string list = "<dl>";
        for (const Diagnostic& diagnostic : model_.diagnostics) {
            list += item(diagnostic.place.empty() ? "file" : diagnostic.place, diagnostic.message);
        }
        return section("Diagnostics", "", list + "</dl>\n");
    }

    static std::string footer() { return "<footer>Opscope " OPSCOPE_VERSION "</footer>\n"; }

    /// The figures for programs; `</` must not end the script element.
    std::string figures() const {
        Json json = {{"schema", 1}, {"model", model_.path.filename().string()}};
        json.update(profileJson(session_, profile_));
        constexpr size_t mostSamples = 20'000;
        if (profile_.latenciesNs.size() > mostSamples) json.erase("latencies_ns");
        std::string all = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        for (size_t at = all.find("</"); at != std::string::npos; at = all.find("</", at))
            all.replace(at, 2, "<\\/");
        return all;
    }

    const Session& session_;
    const Model& model_;
    const ProfileResult& profile_;
    const ReportOptions& options_;
};

}  // namespace

std::string renderHtml(const Session& session, const ProfileResult& profile, const ReportOptions& options) {
    return Page(session, profile, options).render();
}

}  // namespace engine
