#include "engine/profile/trace_export.h"

#include <array>
#include <cstdio>
#include <set>

#include <nlohmann/json.hpp>

namespace engine {
namespace {

using Json = nlohmann::ordered_json;

std::string microseconds(int64_t nanoseconds) {
    std::array<char, 40> buffer{};
    const char* sign = nanoseconds < 0 ? "-" : "";
    const int64_t magnitude = nanoseconds < 0 ? -nanoseconds : nanoseconds;
    const int length =
        std::snprintf(buffer.data(), buffer.size(), "%s%lld.%03lld", sign,
                      static_cast<long long>(magnitude / 1000), static_cast<long long>(magnitude % 1000));
    return {buffer.data(), static_cast<size_t>(length)};
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json argumentsOf(const StepInfo& step, const StepEvent& event, const TraceLabels& labels) {
    Json arguments = {{"kernel", step.kernel}, {"provider", step.provider}};
    if (!step.inputTypes.empty()) arguments["inputs"] = step.inputTypes;
    if (!step.outputTypes.empty()) arguments["outputs"] = step.outputTypes;
    if (step.flops >= 0) arguments["flops"] = step.flops;
    if (step.bytesRead >= 0) arguments["bytes_read"] = step.bytesRead;
    if (step.bytesWritten >= 0) arguments["bytes_written"] = step.bytesWritten;
    if (step.parameterBytes > 0) arguments["parameter_bytes"] = step.parameterBytes;
    if (step.workspaceBytes > 0) arguments["workspace_bytes"] = step.workspaceBytes;
    const int64_t elapsed = event.endNs - event.startNs;
    if (step.flops > 0 && elapsed > 0) arguments["gflops_per_s"] = step.flops / static_cast<double>(elapsed);
    if (!step.note.empty()) arguments["note"] = step.note;
    Json nodes = Json::array();
    for (const OriginId origin : step.origins) {
        const bool isNamed = origin.index < labels.originNames.size();
        nodes.push_back(isNamed ? labels.originNames[origin.index] : "#" + std::to_string(origin.index));
    }
    if (!nodes.empty()) arguments["nodes"] = std::move(nodes);
    return arguments;
}

/// The text between the braces of an event.
std::string stepEvent(const StepInfo& step, const StepEvent& event, const TraceLabels& labels) {
    const std::string name = step.name.empty() ? step.operatorType : step.operatorType + " " + step.name;
    return "\"name\":" + dumped(name) + ",\"cat\":" + dumped(step.provider) +
           ",\"ph\":\"X\",\"ts\":" + microseconds(event.startNs) +
           ",\"dur\":" + microseconds(event.endNs - event.startNs) +
           ",\"pid\":1,\"tid\":" + std::to_string(event.thread) +
           ",\"args\":" + dumped(argumentsOf(step, event, labels));
}

std::string counter(int64_t atNs, double gflopsPerSecond) {
    return "\"name\":\"GFLOP/s\",\"ph\":\"C\",\"ts\":" + microseconds(atNs) +
           ",\"pid\":1,\"args\":" + dumped(Json{{"rate", gflopsPerSecond}});
}

std::string metadata(const char* what, uint32_t thread, const Json& arguments) {
    return std::string("\"name\":\"") + what + "\",\"ph\":\"M\",\"pid\":1,\"tid\":" + std::to_string(thread) +
           ",\"args\":" + dumped(arguments);
}

class EventList {
public:
    void add(const std::string& fields) {
        text_ += text_.empty() ? "\n{" : ",\n{";
        text_ += fields;
        text_ += '}';
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace

std::string chromeTrace(const Trace& trace, const TraceLabels& labels) {
    EventList events;
    events.add(metadata("process_name", 0, {{"name", labels.process}}));
    std::set<uint32_t> threads = {0};
    for (const StepEvent& event : trace.events) threads.insert(event.thread);
    for (const uint32_t thread : threads) {
        const std::string name = thread == 0 ? "run" : "worker " + std::to_string(thread);
        events.add(metadata("thread_name", thread, {{"name", name}}));
        events.add(metadata("thread_sort_index", thread, {{"sort_index", thread}}));
    }
    events.add("\"name\":\"run\",\"cat\":\"run\",\"ph\":\"X\",\"ts\":0.000,\"dur\":" +
               microseconds(trace.elapsedNs) +
               ",\"pid\":1,\"tid\":0,\"args\":{\"scope\":\"call to results\"}");
    for (const StepEvent& event : trace.events) {
        const StepInfo& step = (*trace.steps)[event.step];
        events.add(stepEvent(step, event, labels));
        const int64_t elapsed = event.endNs - event.startNs;
        if (step.parent >= 0 || step.flops <= 0 || elapsed <= 0) continue;
        events.add(counter(event.startNs, step.flops / static_cast<double>(elapsed)));
        events.add(counter(event.endNs, 0));
    }
    Json facts = Json::object();
    for (const auto& [key, value] : labels.facts) facts[key] = value;
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":" + dumped(facts) + ",\"traceEvents\":[" +
           events.text() + "\n]}\n";
}

}  // namespace engine
