#include "engine/run/node_limits.h"

#include "engine/core/error.h"

namespace engine {
namespace {

bool boundsOutputs(const Limits& limits) { return limits.elements > 0 || limits.nodeMemoryBytes > 0; }

/// Adds the bytes of one of a node's outputs to `bytes`.
void countOutput(const std::string& name, DataType type, const Dims& dims, const Limits& limits,
                 size_t& bytes) {
    const int64_t elements = elementCount(dims);
    if (limits.elements > 0 && elements > limits.elements) {
        fail("output '", name, "' has ", elements, " elements, the limit is ", limits.elements,
             " (limit-elements)");
    }
    bytes += static_cast<size_t>(elements) * bytesInMemory(type);
    if (limits.nodeMemoryBytes > 0 && bytes > limits.nodeMemoryBytes) {
        fail("output '", name, "': the outputs need ", bytes, " bytes, the limit is ", limits.nodeMemoryBytes,
             " (limit-node-memory)");
    }
}

/// Counts the outputs of a step that `dimsOf` knows the dims of.
template <class DimsOf>
void countOutputs(const Segment& segment, const Step& step, const Limits& limits, const DimsOf& dimsOf) {
    size_t bytes = 0;
    for (const SlotId id : step.outputs) {
        if (!id.isValid()) continue;
        const Slot& slot = segment.slots[id.index].slot;
        const std::optional<Dims> dims = dimsOf(id);
        if (!dims || !slot.value.isValid()) continue;
        countOutput(segment.typed->graph->value(slot.value).name, slot.element, *dims, limits, bytes);
    }
}

}  // namespace

void checkPlanned(const Segment& segment, const Limits& limits) {
    if (!boundsOutputs(limits)) return;
    for (const Step& step : segment.steps) {
        try {
            countOutputs(segment, step, limits, [&](SlotId id) { return segment.slots[id.index].slot.dims; });
        } catch (Error& error) {
            if (!step.nodes.empty()) error.addContext(describe(*segment.typed->graph, step.nodes.front()));
            throw;
        }
    }
}

NodeLimits::NodeLimits(const Limits& limits, Observer& observer) : limits_(limits), outer_(observer) {
    if (limits.nodeSeconds > 0) time_.emplace(observer, limits.nodeSeconds, "limit-node-seconds");
    if (limits.nodeMemoryBytes > 0) memory_.emplace(limits.nodeMemoryBytes, "limit-node-memory");
}

void NodeLimits::checkDone(const Segment& segment, const Step& step, const StepContext::Frame& frame) const {
    if (time_) time_->checkpoint();
    if (!boundsOutputs(limits_)) return;
    countOutputs(segment, step, limits_, [&](SlotId id) -> std::optional<Dims> {
        const Datum& datum = frame.slots[id.index];
        const bool isPlanned = segment.slots[id.index].source != SlotSource::made;
        if (isPlanned || datum.isEmpty() || !datum.isTensor()) return std::nullopt;
        return datum.tensor().dims();
    });
}

}  // namespace engine
