#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "engine/core/diagnostic.h"
#include "engine/core/observer.h"
#include "engine/profile/trace.h"

namespace engine {

/// Runs that this program or another has recorded in a file.
struct ImportedTrace {
    enum class Source : uint8_t {
        opscope,      ///< chromeTrace()
        onnxRuntime,  ///< its profiler: operators with kernel times in microseconds
        other,        ///< any file in Chrome's trace event format: complete events, nested by their times
    };

    Source source = Source::other;
    std::vector<Trace> runs = {};               ///< in order of their start; all share one list of steps
    std::vector<std::string> originNames = {};  ///< by StepInfo::origins: nodes of the model that was run
    std::vector<std::pair<std::string, std::string>> facts = {};  ///< what the file says of its circumstances
    std::vector<Diagnostic> diagnostics = {};                     ///< what was not read, and why
};

/// Reads a trace in Chrome's trace event format, or in that of ONNX Runtime's profiler. Memory grows with the
/// events that are kept, not with the file. A file that breaks off is read as far as it goes. Throws Error,
/// naming the file and the byte or the event, if it is no trace or holds no complete event.
ImportedTrace importTrace(const std::filesystem::path& file, Observer& observer);

/// The same from a stream.
ImportedTrace readTrace(std::istream& json, Observer& observer);

}  // namespace engine
