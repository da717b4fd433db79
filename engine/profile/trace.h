#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/dim.h"
#include "engine/graph/id.h"

namespace engine {

/// What a step of a plan is, as profiles show it. Index = step number; steps of If/Loop/Scan bodies have
/// their own.
struct StepInfo {
    std::string name = {};          ///< of the (first) node it stands for, or "reorder …"
    std::string operatorType = {};  ///< "Conv"; for fused nodes the chain "Conv+Relu"; "Reorder"
    std::string provider = {};
    std::string kernel = {};
    std::string note = {};
    std::vector<OriginId> origins = {};
    int parent = -1;  ///< the step whose body this is part of
    std::vector<std::string> inputTypes = {};
    std::vector<std::string> outputTypes = {};
    // For the shapes of the run; negative: unknown.
    double flops = -1;
    double multiplyAdds = -1;
    double bytesRead = -1;
    double bytesWritten = -1;
    double parameterBytes = -1;
    double workspaceBytes = 0;
};

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
