#pragma once

#include "engine/report/layered_layout.h"
#include "engine/report/rank_positions.h"

namespace engine {

/// Cuts the ranks into columns where few edges cross, sets them side by side, and gives every box its corner
/// and every edge its way.
Layout routed(const LayoutProblem& problem, const RankedGraph& graph);

}  // namespace engine
