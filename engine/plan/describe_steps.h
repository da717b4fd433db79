#pragma once

#include <string>
#include <vector>

#include "engine/plan/segment.h"

namespace engine {

/// What profiles show of each step of a segment: names, operators, kernels, types, work and bytes for its
/// shapes. `providers` holds the provider's name per step.
std::vector<StepInfo> describeSteps(const Segment& segment, const std::vector<std::string>& providers);

}  // namespace engine
