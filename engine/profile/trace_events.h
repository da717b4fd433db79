#pragma once

#include <istream>
#include <string>
#include <vector>

#include "engine/profile/trace_import.h"

namespace engine {

/// A complete event of a trace file, with what it says of a step.
struct TraceFileEvent {
    std::string name = {};
    std::string category = {};
    int64_t startNs = 0;
    int64_t endNs = 0;
    int64_t thread = 0;
    bool isKernel = false;  ///< of ONNX Runtime: a node's computation
    StepInfo step = {};
    std::vector<std::string> nodes = {};  ///< of the model, that the step stands for
};

/// What stands in a trace file, in the file's order.
struct TraceFile {
    ImportedTrace::Source source = ImportedTrace::Source::other;
    int64_t resolutionNs = 1;  ///< of the times
    std::vector<TraceFileEvent> events = {};
    std::vector<std::pair<std::string, std::string>> facts = {};
    std::vector<Diagnostic> diagnostics = {};
};

/// Reads events one by one. Throws Error, naming the byte or the event, if the stream holds no trace.
TraceFile readTraceFile(std::istream& json, Observer& observer);

}  // namespace engine
