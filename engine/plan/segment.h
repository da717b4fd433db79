#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/plan/memory_plan.h"
#include "engine/plan/placement.h"
#include "engine/plan/step_info.h"
#include "engine/providers/provider.h"

namespace engine {

/// Where a slot's bytes come from when a run binds them.
enum class SlotSource : uint8_t {
    slab,      ///< at a fixed offset of the run's slab
    constant,  ///< known when the plan was made
    liveIn,    ///< handed over by the caller or by an earlier segment
    fresh,     ///< allocated anew in each run: it outlives the run, or holds strings
    made,      ///< put there by its step: dims known only then, or no tensor
    view,      ///< the bytes of another slot
};

struct PlannedSlot {
    Slot slot;
    SlotSource source = SlotSource::made;
    size_t offset = 0;   ///< of slab slots
    SlotId viewed = {};  ///< of views: the slot whose bytes they are, never itself a view
};

/// A value that lives across the border of a segment.
struct BorderValue {
    ValueId value;
    SlotId slot;
};

/// A part of a graph in which every shape is known when it starts, compiled for those shapes. Immutable.
struct Segment {
    std::shared_ptr<const TypedGraph> typed;
    std::vector<PlannedSlot> slots;
    std::vector<Step> steps;
    std::vector<size_t> workspaceOffsets;  ///< per step
    size_t slabBytes = 0;
    size_t lowerBoundBytes = 0;
    std::vector<BorderValue> liveIn;
    std::vector<BorderValue> liveOut;                    ///< what graph outputs and later segments need
    std::vector<NodeId> deferred;                        ///< the nodes left for later segments, in order
    std::shared_ptr<const std::vector<StepInfo>> infos;  ///< per step
};

/// What a segment is compiled from.
struct SegmentRequest {
    std::shared_ptr<const Graph> graph;
    std::vector<NodeId> nodes;  ///< not yet run, in topological order
    /// The types of all values that exist already, with numbers for dims.
    std::vector<std::pair<ValueId, Type>> liveIn;
    /// The data of a live-in value, where a shape depends on it.
    std::function<const Tensor*(ValueId)> data;
    std::vector<const Provider*> providers;
    CompileOptions options;
};

/// Infers shapes, folds what is known, places nodes, lets the providers compile their partitions and plans
/// the memory. Errors name the node.
std::shared_ptr<const Segment> compileSegment(const SegmentRequest& request, Observer& observer);

}  // namespace engine
