#pragma once

#include <memory>
#include <vector>

#include "engine/plan/segment.h"

namespace engine {

/// Which of the requested nodes the next segment runs.
struct SegmentSelection {
    std::shared_ptr<const TypedGraph> typed;
    std::vector<NodeId> run;       ///< in order
    std::vector<NodeId> deferred;  ///< their shapes depend on data that this segment makes
};

/// Infers shapes node by node. A node whose results are known ahead needs no run; one whose shapes depend on
/// data made in this segment is deferred, and so is whoever reads a tensor of unknown dims. Errors name the
/// node.
SegmentSelection selectSegment(const SegmentRequest& request, Observer& observer);

}  // namespace engine
