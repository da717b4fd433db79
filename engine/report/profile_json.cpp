#include "engine/report/profile_json.h"

namespace engine {
namespace {

Json originsJson(const StepInfo& info, const std::vector<std::string>& names) {
    Json result = Json::array();
    for (const OriginId origin : info.origins) {
        result.push_back(origin.index < names.size() ? names[origin.index] : text('#', origin.index));
    }
    return result;
}

Json measuredJson(const ProfileRow& row) {
    return {{"time", toJson(row.timeNs, "ns")},
            {"share", row.share},
            {"calls", row.calls},
            {"flops_per_second", known(row.flopsPerSecond)},
            {"bytes_per_second", known(row.bytesPerSecond)}};
}

Json stepJson(const ProfileRow& row, size_t index, const std::vector<std::string>& names) {
    const StepInfo& info = row.info;
    Json json = {{"step", index},
                 {"name", info.name},
                 {"operator", info.operatorType},
                 {"provider", info.provider},
                 {"kernel", info.kernel},
                 {"parent", info.parent < 0 ? Json(nullptr) : Json(info.parent)},
                 {"nodes", originsJson(info, names)},
                 {"inputs", info.inputTypes},
                 {"outputs", info.outputTypes},
                 {"flops", known(info.flops)},
                 {"multiply_adds", known(info.multiplyAdds)},
                 {"bytes_read", known(info.bytesRead)},
                 {"bytes_written", known(info.bytesWritten)},
                 {"parameter_bytes", known(info.parameterBytes)},
                 {"workspace_bytes", info.workspaceBytes}};
    if (!info.note.empty()) json["note"] = info.note;
    json.update(measuredJson(row));
    return json;
}

Json typeJson(const ProfileRow& row) {
    Json json = {{"operator", row.info.operatorType}, {"provider", row.info.provider}, {"steps", row.nodes}};
    json.update(measuredJson(row));
    return json;
}

Json boundedJson(const std::vector<double>& samples, double p) {
    const std::optional<double> bound = boundedQuantile(samples, p);
    return bound ? Json(*bound) : Json(nullptr);
}

}  // namespace

std::vector<std::string> originNames(const Model& model) {
    std::vector<std::string> names;
    for (const OriginPlace& place : model.origins) {
        const Node& node = place.graph->node(place.node);
        names.push_back(node.name.empty() ? text(node.operatorType, " #", place.node.index) : node.name);
    }
    return names;
}

Json rowsJson(const std::vector<ProfileRow>& types, const std::vector<ProfileRow>& steps,
              const std::vector<std::string>& names) {
    Json json = {{"types", Json::array()}, {"steps", Json::array()}};
    for (const ProfileRow& row : types) json["types"].push_back(typeJson(row));
    for (size_t i = 0; i < steps.size(); ++i) json["steps"].push_back(stepJson(steps[i], i, names));
    return json;
}

Json profileJson(const Session& session, const ProfileResult& profile) {
    const std::vector<std::string> names = originNames(session.model());
    Json json = {{"environment", profile.environment},
                 {"threads", session.options().threads},
                 {"scope", "L2: call to results, data in host memory"}};
    json["latency"] = toJson(profile.latencyNs, "ns");
    json["latency"]["p90_ns"] = boundedJson(profile.latenciesNs, 0.9);
    json["latency"]["p99_ns"] = boundedJson(profile.latenciesNs, 0.99);
    json["stop_reason"] = profile.stopReason;
    json["cold_start"] = {{"open_ns", profile.cold.openNs},
                          {"optimize_ns", profile.cold.optimizeNs},
                          {"compile_ns", profile.cold.compileNs},
                          {"first_run_ns", profile.cold.firstRunNs}};
    json["memory"] = {{"slab_bytes", profile.memory.slabBytes},
                      {"lower_bound_bytes", profile.memory.lowerBoundBytes},
                      {"packed_bytes", profile.memory.packedBytes}};
    json["traced_to_untraced"] = profile.tracedToUntraced;
    json["unattributed_share"] = profile.unattributedShare;
    json.update(rowsJson(profile.types, profile.steps, names));
    json["latencies_ns"] = profile.latenciesNs;
    return json;
}

}  // namespace engine
