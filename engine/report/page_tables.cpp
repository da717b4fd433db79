#include "engine/report/page_tables.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/report/format.h"
#include "engine/report/markup.h"
#include "engine/report/profile_json.h"

namespace engine {
namespace {

std::string cell(const std::string& content, const char* cssClass = "") {
    return *cssClass == '\0' ? "<td>" + escaped(content) + "</td>"
                             : "<td class=\"" + std::string(cssClass) + "\">" + escaped(content) + "</td>";
}

/// A figure: its text, and its raw value for sorting.
std::string figure(double value, const std::string& words) {
    return text("<td class=\"n\" data-v=\"", coordinate(value), "\">", escaped(words), "</td>");
}

std::string providerCell(const std::string& provider) {
    return "<td><span class=\"tag " + providerClass(provider) + "\">" +
           escaped(provider.empty() ? "nobody" : provider) + "</span></td>";
}

std::string meterCell(double share, const std::string& provider) {
    return "<td class=\"" + providerClass(provider) + "\" data-v=\"" + coordinate(share * 1e6) +
           "\"><span class=\"meter\"><i style=\"width:" + coordinate(std::clamp(share, 0.0, 1.0) * 100) +
           "%\"></i></span></td>";
}

struct Heading {
    const char* title;
    bool isNumber = false;
};

std::string table(std::initializer_list<Heading> headings, const std::string& rows, bool isSortable) {
    std::string head;
    for (const Heading& heading : headings) {
        head += text("<th", heading.isNumber ? " class=\"n\"" : "", ">", escaped(heading.title), "</th>");
    }
    return text("<div class=\"wide\"><table", isSortable ? " class=\"sortable\"" : "", "><thead><tr>", head,
                "</tr></thead>\n<tbody>\n", rows, "</tbody></table></div>\n");
}

std::string rate(double perSecond, Unit unit) { return perSecond > 0 ? format(perSecond, unit) : ""; }

double movedBytes(const StepInfo& info) {
    if (info.bytesRead < 0 || info.bytesWritten < 0) return -1;
    return info.bytesRead + info.bytesWritten + std::max(0.0, info.parameterBytes);
}

std::string namesOf(const StepInfo& info, const std::vector<std::string>& names) {
    std::vector<std::string> parts;
    for (const OriginId origin : info.origins) {
        if (origin.index < names.size()) parts.push_back(names[origin.index]);
    }
    return join(parts, "\n");
}

}  // namespace

std::string typesTable(const ProfileResult& profile) {
    std::string rows;
    for (const ProfileRow& row : profile.types) {
        rows += "<tr>" + cell(row.info.operatorType, "name") + providerCell(row.info.provider) +
                figure(static_cast<double>(row.nodes), std::to_string(row.nodes)) +
                figure(row.calls, format(row.calls, Unit::count)) +
                figure(row.timeNs.median, format(row.timeNs, Unit::nanoseconds)) +
                figure(row.share * 1e6, formatShare(row.share)) + meterCell(row.share, row.info.provider) +
                figure(row.flopsPerSecond, rate(row.flopsPerSecond, Unit::flopsPerSecond)) +
                figure(row.bytesPerSecond, rate(row.bytesPerSecond, Unit::bytesPerSecond)) + "</tr>\n";
    }
    return table({{"operator"},
                  {"provider"},
                  {"steps", true},
                  {"calls", true},
                  {"time a run", true},
                  {"share", true},
                  {""},
                  {"work rate", true},
                  {"data rate", true}},
                 rows, true);
}

std::string stepsTable(const Session& session, const ProfileResult& profile) {
    const std::vector<std::string> names = originNames(session.model());
    double largest = 0;
    for (const ProfileRow& row : profile.steps) largest = std::max(largest, row.share);
    std::string rows;
    for (size_t i = 0; i < profile.steps.size(); ++i) {
        const ProfileRow& row = profile.steps[i];
        const StepInfo& info = row.info;
        int depth = 0;
        for (int at = info.parent; at >= 0; at = profile.steps[static_cast<size_t>(at)].info.parent) ++depth;
        rows += depth > 0 ? text("<tr class=\"inner\" style=\"--depth:", depth, "\">") : "<tr>";
        rows += figure(static_cast<double>(i), std::to_string(i));
        rows += "<td class=\"name\" title=\"" + escaped(namesOf(info, names)) + "\">" +
                escaped(elided(info.name.empty() ? text('#', i) : info.name, 64)) + "</td>";
        rows += cell(info.operatorType, "name") + providerCell(info.provider);
        rows += "<td class=\"kernel\" title=\"" + escaped(info.note) + "\">" +
                escaped(elided(info.kernel, 80)) + "</td>";
        rows += cell(info.outputTypes.empty() ? "" : elided(info.outputTypes[0], 40), "type");
        rows += figure(row.calls, format(row.calls, Unit::count)) +
                figure(row.timeNs.median, format(row.timeNs, Unit::nanoseconds)) +
                figure(row.share * 1e6, formatShare(row.share)) +
                meterCell(largest > 0 ? row.share / largest : 0, info.provider) +
                figure(row.flopsPerSecond, rate(row.flopsPerSecond, Unit::flopsPerSecond)) +
                figure(movedBytes(info), movedBytes(info) < 0 ? "" : format(movedBytes(info), Unit::bytes)) +
                "</tr>\n";
    }
    return table({{"#", true},
                  {"step"},
                  {"operator"},
                  {"provider"},
                  {"kernel"},
                  {"output"},
                  {"calls", true},
                  {"time a run", true},
                  {"share", true},
                  {""},
                  {"work rate", true},
                  {"data", true}},
                 rows, true);
}

std::string refusalsTable(const PlacementReport& placement) {
    struct Group {
        size_t count = 0;
        std::set<std::string> operators = {};
    };
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const Placement& node : placement.nodes) {
        for (const Refusal& refusal : node.refusals) {
            Group& group = groups[{refusal.provider, refusal.reason}];
            ++group.count;
            group.operators.insert(node.operatorType);
        }
    }
    if (groups.empty()) return "<p>Every node runs on the provider asked first.</p>\n";
    std::string rows;
    for (const auto& [key, group] : groups) {
        const std::vector<std::string> operators(group.operators.begin(), group.operators.end());
        rows += "<tr>" + providerCell(key.first) +
                figure(static_cast<double>(group.count), std::to_string(group.count)) +
                cell(elided(join(operators, ", "), 60)) + cell(key.second) + "</tr>\n";
    }
    return table({{"not on"}, {"nodes", true}, {"operators"}, {"why"}}, rows, true);
}

std::string passesTable(const Session& session) {
    struct Sum {
        size_t edits = 0;
        int64_t elapsedNs = 0;
        int64_t nodes = 0;
    };
    std::vector<std::pair<std::string, Sum>> sums;
    for (const PassRecord& record : session.passes()) {
        auto found =
            std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == record.pass; });
        if (found == sums.end()) found = sums.insert(sums.end(), {record.pass, {}});
        found->second.edits += record.edits;
        found->second.elapsedNs += record.elapsedNs;
        found->second.nodes +=
            static_cast<int64_t>(record.nodesAfter) - static_cast<int64_t>(record.nodesBefore);
    }
    if (sums.empty()) return "<p>No pass changed anything.</p>\n";
    std::string rows;
    for (const auto& [pass, sum] : sums) {
        rows += "<tr>" + cell(pass, "name") +
                figure(static_cast<double>(sum.edits), std::to_string(sum.edits)) +
                figure(static_cast<double>(sum.nodes), text(sum.nodes > 0 ? "+" : "", sum.nodes)) +
                figure(static_cast<double>(sum.elapsedNs),
                       format(static_cast<double>(sum.elapsedNs), Unit::nanoseconds)) +
                "</tr>\n";
    }
    return table({{"pass"}, {"edits", true}, {"nodes", true}, {"time", true}}, rows, true);
}

}  // namespace engine
