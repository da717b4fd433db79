#include "engine/profile/trace_events.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"

namespace engine {
namespace {

using Json = nlohmann::json;

/// The member of that name; null if there is none.
const Json& member(const Json& object, const char* key) {
    static const Json nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

/// The elements of a list; none if it is no list.
const Json& elementsOf(const Json& list) {
    static const Json none = Json::array();
    return list.is_array() ? list : none;
}

std::string textOf(const Json& object, const char* key) {
    const Json& found = member(object, key);
    if (found.is_string()) return found.get<std::string>();
    return found.is_primitive() && !found.is_null() ? found.dump() : "";
}

/// The number at `key`, also if it is written as text; negative if there is none.
double numberOf(const Json& object, const char* key) {
    const Json& found = member(object, key);
    if (found.is_number()) return found.get<double>();
    if (!found.is_string()) return -1;
    const auto& digits = found.get_ref<const std::string&>();
    double number = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::vector<std::string> textsOf(const Json& object, const char* key) {
    std::vector<std::string> result;
    for (const Json& each : elementsOf(member(object, key))) {
        if (each.is_string()) result.push_back(each.get<std::string>());
    }
    return result;
}

/// "float[1, 3]" of ONNX Runtime's [{"float": [1, 3]}, …].
std::vector<std::string> runtimeTypes(const Json& object, const char* key) {
    std::vector<std::string> result;
    for (const Json& each : elementsOf(member(object, key))) {
        if (!each.is_object() || each.empty()) continue;
        std::vector<std::string> dims;
        for (const Json& dim : each.begin().value()) dims.push_back(dim.dump());
        result.push_back(each.begin().key() + "[" + join(dims, ", ") + "]");
    }
    return result;
}

int64_t nanosecondsOf(const Json& event, const char* key, size_t number) {
    const Json& found = member(event, key);
    if (!found.is_number()) fail("event ", number, ": '", key, "' is no number");
    const double nanoseconds = found.get<double>() * 1000;
    constexpr double mostNs = 4e18;  // a century
    if (!(std::abs(nanoseconds) <= mostNs))
        fail("event ", number, ": '", key, "' is ", found.dump(), " µs, out of range");
    return std::llround(nanoseconds);
}

/// What ONNX Runtime's profiler writes behind the name of a node.
constexpr std::string_view kernelEnding = "_kernel_time";

/// Beyond what any program writes; JSON's own functions call themselves once a level.
constexpr int deepest = 100;

class EventReader {
public:
    TraceFile read(std::istream& stream, Observer& observer) {
        const auto take = [&](int depth, Json::parse_event_t what, Json& parsed) {
            return keep(depth, what, parsed, observer);
        };
        Json rest;
        try {
            rest = Json::parse(stream, take);
        } catch (const Json::parse_error& error) {
            // A program that was ended leaves a file that breaks off.
            const bool isAtEnd = stream.eof() || stream.peek() == std::char_traits<char>::eof();
            if (!isAtEnd || file_.events.empty()) {
                fail("it is no JSON: byte ", error.byte, " is not what could follow",
                     file_.source == ImportedTrace::Source::onnxRuntime
                         ? " (ONNX Runtime writes names of nodes as they are, also those with quotes in them)"
                         : "");
            }
            note(text("the file breaks off at byte ", error.byte, "; what stands before it was read"));
        } catch (const Json::out_of_range& error) {
            fail("it holds a number beyond what a double can be: ", error.what());
        }
        takeFacts(rest);
        if (events_ == 0)
            fail("it is no trace: found no events, expected a list of them or an object with 'traceEvents'");
        if (halves_ > 0)
            note(text(halves_,
                      " spans of separate begin and end events (ph 'B', 'b') were not read, only complete "
                      "ones ('X')"));
        if (file_.events.empty()) fail("none of its ", events_, " events is a complete one (ph 'X')");
        return std::move(file_);
    }

private:
    /// nlohmann's filter: takes each event when it is whole, and lets it be forgotten.
    bool keep(int depth, Json::parse_event_t what, Json& parsed, Observer& observer) {
        if (depth > deepest) fail("its lists and objects are nested deeper than ", deepest, " levels");
        if (what == Json::parse_event_t::array_start && depth == 0) eventDepth_ = 1;
        if (what == Json::parse_event_t::key && depth == 1) {
            eventDepth_ = parsed == "traceEvents" ? 2 : -1;
        }
        if (what != Json::parse_event_t::object_end || depth != eventDepth_) return true;
        observer.checkpoint();
        take(parsed);
        return false;
    }

    void take(const Json& event) {
        ++events_;
        const std::string phase = textOf(event, "ph");
        // Names, counters and marks take no time; spans in two halves would.
        if (phase == "B" || phase == "b") ++halves_;
        if (phase != "X") return;
        TraceFileEvent result{.name = textOf(event, "name"), .category = textOf(event, "cat")};
        result.startNs = nanosecondsOf(event, "ts", events_ - 1);
        const int64_t elapsed = nanosecondsOf(event, "dur", events_ - 1);
        if (elapsed < 0) fail("event ", events_ - 1, " ('", result.name, "') takes ", elapsed, " ns");
        result.endNs = result.startNs + elapsed;
        const double thread = numberOf(event, "tid");
        result.thread = std::abs(thread) < 9e15 ? static_cast<int64_t>(thread) : -1;
        static const Json none = Json::object();
        const Json& given = member(event, "args");
        const Json& args = given.is_object() ? given : none;
        recognize(result, args);
        describe(result, args);
        file_.events.push_back(std::move(result));
    }

    void recognize(const TraceFileEvent& event, const Json& args) {
        if (file_.source != ImportedTrace::Source::other) return;
        if (event.category == "run" && args.contains("scope")) {
            file_.source = ImportedTrace::Source::opscope;
        } else if (event.category == "Session" || (event.category == "Node" && args.contains("op_name"))) {
            file_.source = ImportedTrace::Source::onnxRuntime;
            file_.resolutionNs = 1000;
        }
    }

    void describe(TraceFileEvent& event, const Json& args) const {
        StepInfo& step = event.step;
        step.name = event.name;
        if (file_.source == ImportedTrace::Source::onnxRuntime) {
            event.isKernel = event.category == "Node" && event.name.ends_with(kernelEnding);
            if (event.isKernel) step.name.resize(step.name.size() - kernelEnding.size());
            step.operatorType = textOf(args, "op_name");
            step.provider = textOf(args, "provider");
            step.inputTypes = runtimeTypes(args, "input_type_shape");
            step.outputTypes = runtimeTypes(args, "output_type_shape");
            step.bytesRead = numberOf(args, "activation_size");
            step.parameterBytes = numberOf(args, "parameter_size");
            step.bytesWritten = numberOf(args, "output_size");
            event.nodes = {step.name};
            return;
        }
        step.operatorType = event.name.substr(0, event.name.find(' '));
        if (file_.source == ImportedTrace::Source::opscope) {
            step.name =
                step.operatorType == event.name ? "" : event.name.substr(step.operatorType.size() + 1);
        }
        step.provider = args.contains("provider") ? textOf(args, "provider") : event.category;
        step.kernel = textOf(args, "kernel");
        step.note = textOf(args, "note");
        step.inputTypes = textsOf(args, "inputs");
        step.outputTypes = textsOf(args, "outputs");
        step.flops = numberOf(args, "flops");
        step.bytesRead = numberOf(args, "bytes_read");
        step.bytesWritten = numberOf(args, "bytes_written");
        step.parameterBytes = numberOf(args, "parameter_bytes");
        step.workspaceBytes = std::max(0.0, numberOf(args, "workspace_bytes"));
        event.nodes = textsOf(args, "nodes");
    }

    void takeFacts(const Json& rest) {
        const Json& facts = member(rest, "otherData");
        if (!facts.is_object()) return;
        for (const auto& [key, value] : facts.items()) {
            file_.facts.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
        }
    }

    void note(const std::string& message) { file_.diagnostics.push_back({.message = message}); }

    TraceFile file_;
    int eventDepth_ = -1;
    size_t events_ = 0;
    size_t halves_ = 0;
};

}  // namespace

TraceFile readTraceFile(std::istream& json, Observer& observer) { return EventReader().read(json, observer); }

}  // namespace engine
