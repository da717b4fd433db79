// The report as Markdown and as CSV.

#include <algorithm>

#include "engine/report/format.h"
#include "engine/report/markup.h"
#include "engine/report/report.h"

namespace engine {
namespace {

/// A cell of a Markdown table.
std::string cell(const std::string& content) {
    std::string result;
    for (const char letter : content) {
        if (letter == '|' || letter == '\\') result += '\\';
        result += letter == '\n' ? ' ' : letter;
    }
    return result;
}

std::string row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& each : cells) line += " " + cell(each) + " |";
    return line + "\n";
}

std::string quoted(const std::string& content) {
    if (content.find_first_of(",\"\r\n") == std::string::npos) return content;
    std::string result = "\"";
    for (const char letter : content) result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return result + "\"";
}

std::string number(double value) { return value < 0 ? "" : coordinate(value); }

}  // namespace

std::string renderMarkdown(const Session& session, const ProfileResult& profile,
                           const ReportOptions& options) {
    constexpr size_t mostSteps = 20;
    std::string page = "# " + session.model().path.filename().string() + "\n\n";
    page += row({"figure", "value"}) + row({"---", "---:"}) +
            row({"latency", format(profile.latencyNs, Unit::nanoseconds)}) +
            row({"runs", std::to_string(profile.latencyNs.count)}) +
            row({"threads", std::to_string(session.options().threads)}) +
            row({"intermediates", format(static_cast<double>(profile.memory.slabBytes), Unit::bytes)});
    page += "\nMedian ± half its 95 % interval, call to results.\n\n## Per operator type\n\n" +
            row({"operator", "provider", "steps", "time a run", "share"}) +
            row({"---", "---", "---:", "---:", "---:"});
    for (const ProfileRow& each : profile.types) {
        page += row({each.info.operatorType, each.info.provider, std::to_string(each.nodes),
                     format(each.timeNs, Unit::nanoseconds), formatShare(each.share)});
    }
    std::vector<const ProfileRow*> slowest;
    for (const ProfileRow& each : profile.steps) slowest.push_back(&each);
    std::stable_sort(slowest.begin(), slowest.end(), [](const ProfileRow* a, const ProfileRow* b) {
        return a->timeNs.median > b->timeNs.median;
    });
    slowest.resize(std::min(slowest.size(), mostSteps));
    page += text("\n## The ", slowest.size(), " steps that take most time\n\n") +
            row({"step", "operator", "provider", "kernel", "time a run", "share"}) +
            row({"---", "---", "---", "---", "---:", "---:"});
    for (const ProfileRow* each : slowest) {
        page += row({each->info.name, each->info.operatorType, each->info.provider, each->info.kernel,
                     format(each->timeNs, Unit::nanoseconds), formatShare(each->share)});
    }
    page += "\n<details><summary>Set-up</summary>\n\n";
    page += "- machine: " + profile.environment + "\n- tool: opscope " OPSCOPE_VERSION "\n";
    for (const ReportInput& input : options.inputs) {
        page += "- input " + input.name + ": " + input.type + ", " + input.source + "\n";
    }
    if (!options.command.empty()) page += "- command: `" + options.command + "`\n";
    return page + "\n</details>\n";
}

std::string renderCsv(const ProfileResult& profile) {
    std::string table =
        "step,parent,name,operator,provider,kernel,calls,time_ns,time_low_ns,time_high_ns,share,flops,bytes_"
        "read,"
        "bytes_written,parameter_bytes\n";
    for (size_t i = 0; i < profile.steps.size(); ++i) {
        const ProfileRow& each = profile.steps[i];
        const StepInfo& info = each.info;
        const std::vector<std::string> cells = {std::to_string(i),
                                                info.parent < 0 ? "" : std::to_string(info.parent),
                                                quoted(info.name),
                                                quoted(info.operatorType),
                                                quoted(info.provider),
                                                quoted(info.kernel),
                                                coordinate(each.calls),
                                                coordinate(each.timeNs.median),
                                                coordinate(each.timeNs.low),
                                                coordinate(each.timeNs.high),
                                                text(each.share),
                                                number(info.flops),
                                                number(info.bytesRead),
                                                number(info.bytesWritten),
                                                number(info.parameterBytes)};
        table += join(cells, ",") + "\n";
    }
    return table;
}

}  // namespace engine
