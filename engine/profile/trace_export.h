#pragma once

#include <string>
#include <vector>

#include "engine/profile/trace.h"

namespace engine {

/// What a trace does not know itself.
struct TraceLabels {
    std::string process = "opscope";            ///< as the viewer names the process: the model's file
    std::vector<std::string> originNames = {};  ///< by OriginId: the nodes of the file
    std::vector<std::pair<std::string, std::string>> facts = {};  ///< environment and the like
};

/// The trace in Chrome's trace event format (JSON), which Perfetto and chrome://tracing open: a complete
/// event a step, nested where steps of a body run inside their parent, with kernel, provider, shapes and
/// work as arguments; a counter of the rate of work. Times in microseconds with nanoseconds behind the point.
std::string chromeTrace(const Trace& trace, const TraceLabels& labels);

}  // namespace engine
