#include "app/cli/profile_text.h"

#include <algorithm>
#include <numeric>

#include "app/cli/text_table.h"
#include "engine/report/format.h"

namespace cli {
namespace {

using engine::format;
using engine::Unit;

constexpr size_t mostRows = 60;

std::string time(int64_t nanoseconds) { return format(static_cast<double>(nanoseconds), Unit::nanoseconds); }
std::string size(size_t bytes) { return format(static_cast<double>(bytes), Unit::bytes); }

std::string latencyText(const engine::ProfileResult& profile) {
    const engine::Estimate& latency = profile.latencyNs;
    std::string result =
        engine::text(format(latency, Unit::nanoseconds), "  median ± half its 95 % interval, ", latency.count,
                     " runs, call to results");
    if (latency.isUnstable) result += "; unstable: the runs depend on each other";
    return result;
}

std::string spreadText(const engine::ProfileResult& profile) {
    std::string result = format(profile.latencyNs.minimum, Unit::nanoseconds) + " … " +
                         format(profile.latencyNs.maximum, Unit::nanoseconds);
    for (const int percent : {90, 99}) {
        const auto bound = engine::boundedQuantile(profile.latenciesNs, percent / 100.0);
        result += engine::text(", p", percent, " ",
                               bound ? format(*bound, Unit::nanoseconds) : "n/a (too few runs)");
    }
    return result;
}

std::string coldText(const engine::ColdStart& cold) {
    return engine::text("open ", time(cold.openNs), ", optimize ", time(cold.optimizeNs), ", compile ",
                        time(cold.compileNs), ", first run ", time(cold.firstRunNs));
}

std::string inputsText(const Prepared& prepared) {
    std::vector<std::string> parts;
    for (const SourcedInput& input : prepared.inputs) {
        parts.push_back(shortened(input.value.name, 24) + " " + engine::typeText(input.value.datum.type()));
    }
    return shortened(engine::join(parts, ", "), 100);
}

std::string headText(const Prepared& prepared, const engine::ProfileResult& profile) {
    TextTable head({{""}, {""}});
    head.add({"model", prepared.model->path.string()});
    head.add({"inputs", inputsText(prepared)});
    head.add({"machine", profile.environment});
    head.add({"latency", latencyText(profile)});
    head.add({"", spreadText(profile)});
    head.add({"", "measured " + profile.stopReason});
    head.add({"cold start", coldText(profile.cold)});
    head.add({"memory", engine::text("intermediates ", size(profile.memory.slabBytes),
                                     " (no plan needs less than ", size(profile.memory.lowerBoundBytes),
                                     "), packed constants ", size(profile.memory.packedBytes))});
    head.add({"per step", engine::text("tracing costs ×", format(profile.tracedToUntraced, Unit::none), "; ",
                                       engine::formatShare(profile.unattributedShare),
                                       " of the traced latency lies in no step")});
    return head.text();
}

std::string callsText(double calls) { return calls == 1 ? "1" : format(calls, Unit::count); }

std::string rate(double perSecond, Unit unit) { return perSecond > 0 ? format(perSecond, unit) : ""; }

std::string typesText(const std::vector<engine::ProfileRow>& types) {
    TextTable table({{"operator"},
                     {"provider"},
                     {"steps", Align::right},
                     {"calls", Align::right},
                     {"time a run", Align::right},
                     {"share", Align::right},
                     {""},
                     {"work rate", Align::right},
                     {"data rate", Align::right}});
    for (const engine::ProfileRow& row : types) {
        table.add({shortened(row.info.operatorType, 40), row.info.provider, std::to_string(row.nodes),
                   callsText(row.calls), format(row.timeNs, Unit::nanoseconds),
                   engine::formatShare(row.share), shareBar(row.share),
                   rate(row.flopsPerSecond, Unit::flopsPerSecond),
                   rate(row.bytesPerSecond, Unit::bytesPerSecond)});
    }
    return table.text();
}

size_t depth(const std::vector<engine::ProfileRow>& steps, size_t index) {
    size_t result = 0;
    for (int at = steps[index].info.parent; at >= 0; at = steps[static_cast<size_t>(at)].info.parent)
        ++result;
    return result;
}

/// Which rows to show: all, or those that take most time, in step order.
std::vector<size_t> chosenRows(const std::vector<engine::ProfileRow>& steps, Rows rows) {
    std::vector<size_t> chosen(steps.size());
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    if (rows == Rows::all || steps.size() <= mostRows) return chosen;
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](size_t a, size_t b) { return steps[a].timeNs.median > steps[b].timeNs.median; });
    chosen.resize(mostRows);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

std::string movedBytes(const engine::StepInfo& info) {
    const double moved = info.bytesRead + info.bytesWritten + std::max(0.0, info.parameterBytes);
    return info.bytesRead < 0 || info.bytesWritten < 0 ? "" : format(moved, Unit::bytes);
}

std::string stepsText(const std::vector<engine::ProfileRow>& steps, Rows rows) {
    TextTable table({{"step"},
                     {"operator"},
                     {"provider"},
                     {"kernel"},
                     {"calls", Align::right},
                     {"time a run", Align::right},
                     {"share", Align::right},
                     {""},
                     {"work rate", Align::right},
                     {"moves", Align::right},
                     {"workspace", Align::right}});
    const std::vector<size_t> chosen = chosenRows(steps, rows);
    for (const size_t index : chosen) {
        const engine::ProfileRow& row = steps[index];
        const std::string indent(2 * depth(steps, index), ' ');
        const std::string name = row.info.name.empty() ? engine::text('#', index) : row.info.name;
        table.add({indent + shortened(name, 40), shortened(row.info.operatorType, 32), row.info.provider,
                   shortened(row.info.kernel, 40), callsText(row.calls),
                   format(row.timeNs, Unit::nanoseconds), engine::formatShare(row.share),
                   shareBar(row.share, 8), rate(row.flopsPerSecond, Unit::flopsPerSecond),
                   movedBytes(row.info),
                   row.info.workspaceBytes > 0 ? format(row.info.workspaceBytes, Unit::bytes) : ""});
    }
    std::string result = table.text();
    if (chosen.size() < steps.size()) {
        result += engine::text("  … and ", steps.size() - chosen.size(),
                               " steps that take less time; --all shows them\n");
    }
    return result;
}

}  // namespace

std::string profileText(const Prepared& prepared, const engine::ProfileResult& profile, Rows rows) {
    return headText(prepared, profile) + '\n' + rowsText(profile.types, profile.steps, rows);
}

std::string rowsText(const std::vector<engine::ProfileRow>& types,
                     const std::vector<engine::ProfileRow>& steps, Rows rows) {
    return typesText(types) + '\n' + stepsText(steps, rows);
}

}  // namespace cli
