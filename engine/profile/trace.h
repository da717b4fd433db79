#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/plan/step_info.h"

namespace engine {

/// One execution of one step.
struct StepEvent {
    uint32_t step;
    uint32_t thread;  ///< 0: the caller's
    int64_t startNs;  ///< since the trace began
    int64_t endNs;
};

/// What one run did. Immutable once the run is over.
struct Trace {
    std::shared_ptr<const std::vector<StepInfo>> steps;
    std::vector<StepEvent> events;  ///< by start; a body's events lie within their parent's
    int64_t elapsedNs = 0;          ///< the whole run, scope L2: call to results, data in host memory
};

}  // namespace engine
