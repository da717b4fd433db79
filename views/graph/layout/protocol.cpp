#include "views/graph/layout/protocol.h"

#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace layout {
namespace {

using Json = nlohmann::json;

constexpr double largestSize = 1e6;

template <typename... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    throw std::invalid_argument(text.str());
}

/// Writes numbers to a tenth of a pixel, which is all a drawing needs.
void write(std::string& out, double value) {
    const auto tenths = static_cast<std::int64_t>(std::llround(value * 10));
    std::array<char, 24> text{};
    const std::int64_t whole = std::abs(tenths) / 10;
    const std::int64_t tenth = std::abs(tenths) % 10;
    if (tenths < 0) out += '-';
    out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), whole).ptr);
    if (tenth != 0) (out += '.') += static_cast<char>('0' + tenth);
}

void writeRow(std::string& out, std::initializer_list<double> values) {
    char before = '[';
    for (const double value : values) {
        out += before;
        write(out, value);
        before = ',';
    }
    out += ']';
}

void writeKey(std::string& out, std::string_view key) { ((out += ",\"") += key) += "\":"; }

template <typename Rows, typename WriteOne>
void writeRows(std::string& out, std::string_view key, const Rows& rows, WriteOne writeOne) {
    writeKey(out, key);
    out += '[';
    bool first = true;
    for (const auto& row : rows) {
        if (!first) out += ',';
        first = false;
        writeOne(row);
    }
    out += ']';
}

Json parseObject(std::string_view text, std::string_view what) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        refuse(what, " is no JSON: ", error.what());
    }
    if (!json.is_object()) refuse(what, " is a JSON ", json.type_name(), ", expected an object");
    const auto version = json.find("version");
    if (version == json.end() || *version != protocolVersion) {
        refuse(what, " has version ", version == json.end() ? Json{} : *version, ", expected ",
               protocolVersion);
    }
    return json;
}

const Json::array_t& rowsOf(const Json& object, const char* key) {
    static const Json::array_t empty;
    const auto found = object.find(key);
    if (found == object.end()) return empty;
    if (!found->is_array()) refuse(key, " is a JSON ", found->type_name(), ", expected an array");
    return found->get_ref<const Json::array_t&>();
}

/// One row of numbers (or booleans) with a name for messages.
class Row {
public:
    Row(const char* table, size_t number, const Json& values, size_t least)
        : table_(table), number_(number), values_(values) {
        if (!values.is_array() || values.size() < least) {
            refuse(table, "[", number, "] is ", values.dump(), ", expected an array of at least ", least,
                   " numbers");
        }
    }

    int integer(size_t column, int otherwise) const {
        if (column >= values_.size()) return otherwise;
        const Json& value = values_[column];
        if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
        if (!value.is_number_integer() || value.get<std::int64_t>() < -1 ||
            value.get<std::int64_t>() > 2'000'000'000) {
            refuse(table_, "[", number_, "][", column, "] is ", value.dump(),
                   ", expected an integer from -1");
        }
        return value.get<int>();
    }

    double size(size_t column, double otherwise) const {
        if (column >= values_.size()) return otherwise;
        const Json& value = values_[column];
        if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > largestSize) {
            refuse(table_, "[", number_, "][", column, "] is ", value.dump(), ", expected a size from 0 to ",
                   largestSize);
        }
        return value.get<double>();
    }

private:
    const char* table_;
    size_t number_;
    const Json& values_;
};

template <typename Value, size_t Count>
Value choice(const Json& object, const char* key,
             const std::array<std::pair<const char*, Value>, Count>& choices) {
    const auto found = object.find(key);
    if (found == object.end()) return choices[0].second;
    for (const auto& [name, value] : choices) {
        if (*found == name) return value;
    }
    refuse(key, " is ", found->dump(), ", expected \"", choices[0].first, "\" or \"", choices[1].first, "\"");
}

void parseOptions(const Json& json, Request& request) {
    using Directions = std::array<std::pair<const char*, Direction>, 2>;
    using Engines = std::array<std::pair<const char*, Engine>, 2>;
    request.direction =
        choice(json, "direction", Directions{{{"TB", Direction::down}, {"LR", Direction::right}}});
    request.engine =
        choice(json, "engine", Engines{{{"auto", Engine::automatic}, {"layered", Engine::layered}}});
    if (const auto spacing = json.find("spacing"); spacing != json.end()) {
        const Row row("spacing", 0, *spacing, 3);
        request.nodeGap = row.size(0, 0);
        request.rankGap = row.size(1, 0);
        request.edgeGap = row.size(2, 0);
    }
    if (const auto memory = json.find("memoryMb"); memory != json.end()) {
        if (!memory->is_number_unsigned() || memory->get<std::uint64_t>() < 16 ||
            memory->get<std::uint64_t>() > 1'000'000) {
            refuse("memoryMb is ", memory->dump(), ", expected 16 to 1000000");
        }
        request.memoryMb = memory->get<int>();
    }
}

void checkGroups(const Request& request, const std::unordered_map<int, size_t>& groupAt) {
    for (const Request::Group& group : request.groups) {
        size_t depth = 0;
        for (int up = group.parent; up != -1; ++depth) {
            const auto found = groupAt.find(up);
            if (found == groupAt.end()) {
                refuse("group ", group.id, " has parent ", up, ", expected a group's id or -1");
            }
            if (depth > request.groups.size()) refuse("group ", group.id, " is inside itself");
            up = request.groups[found->second].parent;
        }
    }
}

void checkIds(const Request& request) {
    std::unordered_map<int, size_t> groupAt;
    for (size_t i = 0; i < request.groups.size(); ++i) {
        const int id = request.groups[i].id;
        if (id < 0 || !groupAt.emplace(id, i).second) {
            refuse("groups[", i, "] has id ", id, ", expected one of its own, not negative");
        }
    }
    checkGroups(request, groupAt);
    std::unordered_map<int, size_t> nodeAt;
    for (size_t i = 0; i < request.nodes.size(); ++i) {
        const Request::Node& node = request.nodes[i];
        if (node.id < 0 || !nodeAt.emplace(node.id, i).second) {
            refuse("nodes[", i, "] has id ", node.id, ", expected one of its own, not negative");
        }
        if (node.group != -1 && !groupAt.contains(node.group)) {
            refuse("node ", node.id, " is in group ", node.group, ", expected a group's id or -1");
        }
    }
    for (size_t i = 0; i < request.edges.size(); ++i) {
        for (const int id : {request.edges[i].from, request.edges[i].to}) {
            if (!nodeAt.contains(id)) refuse("edges[", i, "] names node ", id, ", which is not there");
        }
    }
}

}  // namespace

Request parseRequest(std::string_view text) {
    const Json json = parseObject(text, "the request");
    Request request;
    parseOptions(json, request);
    for (const Json& values : rowsOf(json, "nodes")) {
        const Row row("nodes", request.nodes.size(), values, 3);
        request.nodes.push_back(
            {.id = row.integer(0, 0), .w = row.size(1, 0), .h = row.size(2, 0), .group = row.integer(3, -1)});
    }
    for (const Json& values : rowsOf(json, "edges")) {
        const Row row("edges", request.edges.size(), values, 2);
        request.edges.push_back({.from = row.integer(0, 0),
                                 .to = row.integer(1, 0),
                                 .fromPort = row.integer(2, 0),
                                 .toPort = row.integer(3, 0)});
    }
    for (const Json& values : rowsOf(json, "groups")) {
        const Row row("groups", request.groups.size(), values, 3);
        request.groups.push_back({.id = row.integer(0, 0),
                                  .parent = row.integer(1, -1),
                                  .collapsed = row.integer(2, 0) != 0,
                                  .w = row.size(3, 0),
                                  .h = row.size(4, 0),
                                  .header = row.size(5, Request::Group{}.header)});
    }
    checkIds(request);
    return request;
}

std::string toJson(const Request& request) {
    std::string out = "{\"version\":" + std::to_string(protocolVersion);
    writeKey(out, "direction");
    out += request.direction == Direction::down ? "\"TB\"" : "\"LR\"";
    writeKey(out, "engine");
    out += request.engine == Engine::automatic ? "\"auto\"" : "\"layered\"";
    writeKey(out, "spacing");
    writeRow(out, {request.nodeGap, request.rankGap, request.edgeGap});
    writeKey(out, "memoryMb");
    write(out, request.memoryMb);
    writeRows(out, "nodes", request.nodes, [&](const Request::Node& node) {
        writeRow(out, {double(node.id), node.w, node.h, double(node.group)});
    });
    writeRows(out, "edges", request.edges, [&](const Request::Edge& edge) {
        writeRow(out, {double(edge.from), double(edge.to), double(edge.fromPort), double(edge.toPort)});
    });
    writeRows(out, "groups", request.groups, [&](const Request::Group& group) {
        writeRow(out, {double(group.id), double(group.parent), group.collapsed ? 1.0 : 0.0, group.w, group.h,
                       group.header});
    });
    return out + "}";
}

std::string toJson(const Response& response) {
    std::string out = "{\"version\":" + std::to_string(protocolVersion);
    writeKey(out, "bounds");
    writeRow(out, {response.width, response.height});
    writeRows(out, "nodes", response.nodes, [&](const Response::Node& node) {
        writeRow(out, {double(node.id), node.x, node.y});
    });
    writeRows(out, "groups", response.groups, [&](const Response::Group& group) {
        writeRow(out, {double(group.id), group.x, group.y, group.w, group.h});
    });
    writeRows(out, "edges", response.edges, [&](const Response::Edge& edge) {
        write(out += '[', edge.index);
        write(out += ',', edge.own);
        for (const Point point : edge.points) {
            write(out += ',', point.x);
            write(out += ',', point.y);
        }
        out += ']';
    });
    const Response::Stats& stats = response.stats;
    writeKey(out, "stats");
    out += Json{{"parts", stats.parts},     {"reused", stats.reused}, {"dot", stats.dot},
                {"layered", stats.layered}, {"lanes", stats.lanes},   {"operations", stats.operations}}
               .dump();
    return out + "}";
}

Response parseResponse(std::string_view text) {
    const Json json = parseObject(text, "the response");
    Response response;
    try {
        response.width = json.at("bounds").at(0).get<double>();
        response.height = json.at("bounds").at(1).get<double>();
        for (const Json& row : json.at("nodes")) {
            response.nodes.push_back(
                {row.at(0).get<int>(), row.at(1).get<double>(), row.at(2).get<double>()});
        }
        for (const Json& row : json.at("groups")) {
            response.groups.push_back({row.at(0).get<int>(), row.at(1).get<double>(), row.at(2).get<double>(),
                                       row.at(3).get<double>(), row.at(4).get<double>()});
        }
        for (const Json& row : json.at("edges")) {
            Response::Edge& edge = response.edges.emplace_back();
            edge.index = row.at(0).get<int>();
            edge.own = row.at(1).get<int>();
            for (size_t i = 2; i + 1 < row.size(); i += 2) {
                edge.points.push_back({row[i].get<double>(), row[i + 1].get<double>()});
            }
        }
        const Json& stats = json.at("stats");
        response.stats = {.parts = stats.at("parts"),
                          .reused = stats.at("reused"),
                          .dot = stats.at("dot"),
                          .layered = stats.at("layered"),
                          .lanes = stats.at("lanes"),
                          .operations = stats.at("operations")};
    } catch (const Json::exception& error) {
        refuse("the response is not as expected: ", error.what());
    }
    return response;
}

std::string progressLine(double fraction, std::string_view what) {
    return Json{{"progress", std::round(fraction * 1000) / 1000}, {"what", what}}.dump() + "\n";
}

bool parseProgress(std::string_view line, double& fraction, std::string& what) {
    if (!line.starts_with("{\"progress\":")) return false;
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json["progress"].is_number()) return false;
    fraction = json["progress"].get<double>();
    what = json.value("what", "");
    return true;
}

}  // namespace layout
