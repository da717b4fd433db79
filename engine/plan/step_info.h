#pragma once

#include <string>
#include <vector>

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

}  // namespace engine
