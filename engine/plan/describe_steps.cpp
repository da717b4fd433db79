#include "engine/plan/describe_steps.h"

#include <algorithm>
#include <set>

#include "engine/core/text.h"

namespace engine {
namespace {

double numberOr(const Dim& dim, double fallback) {
    return dim.isNumber() ? static_cast<double>(dim.number()) : fallback;
}

std::string slotType(const Segment& segment, SlotId id) {
    if (!id.isValid()) return "";
    const Slot& slot = segment.slots[id.index].slot;
    if (slot.dims)
        return text(slot.element, listText(*slot.dims), slot.layout.empty() ? "" : " " + slot.layout);
    return slot.value.isValid() ? typeText(segment.typed->types[slot.value.index]) : "?";
}

double slotBytes(const Segment& segment, SlotId id) {
    if (!id.isValid()) return 0;
    const Slot& slot = segment.slots[id.index].slot;
    if (slot.bytes > 0) return static_cast<double>(slot.bytes);
    if (!slot.dims) return -1;
    double bytes = static_cast<double>(bytesInMemory(slot.element));
    for (const int64_t dim : *slot.dims) bytes *= static_cast<double>(dim);
    return bytes;
}

/// Sums the work of all nodes that the step stands for; unknown if that of any is.
void addWork(const Segment& segment, const Step& step, StepInfo& info) {
    info.flops = 0;
    info.multiplyAdds = 0;
    info.parameterBytes = 0;
    for (const NodeId id : step.nodes) {
        const NodeCost cost = costOf(*segment.typed, id);
        const double macs = numberOr(cost.work.multiplyAdds, -1);
        const double others = numberOr(cost.work.otherFlops + cost.work.specialFunctions, -1);
        if (macs < 0 || others < 0 || info.flops < 0) {
            info.flops = info.multiplyAdds = -1;
        } else {
            info.multiplyAdds += macs;
            info.flops += 2 * macs + others;
        }
        info.parameterBytes += std::max(0.0, numberOr(cost.parameterBytes, 0));
    }
}

/// Bytes that cross the step's border: each distinct input once, each output once. Unknown if any is.
void addBytes(const Segment& segment, const Step& step, StepInfo& info) {
    info.bytesRead = 0;
    info.bytesWritten = 0;
    const std::set<SlotId> distinct(step.inputs.begin(), step.inputs.end());
    for (const SlotId id : distinct) {
        if (id.isValid() && segment.slots[id.index].source == SlotSource::constant) continue;
        const double bytes = slotBytes(segment, id);
        info.bytesRead = bytes < 0 || info.bytesRead < 0 ? -1 : info.bytesRead + bytes;
    }
    for (const SlotId id : step.outputs) {
        const double bytes = slotBytes(segment, id);
        info.bytesWritten = bytes < 0 || info.bytesWritten < 0 ? -1 : info.bytesWritten + bytes;
    }
}

}  // namespace

std::vector<StepInfo> describeSteps(const Segment& segment, const std::vector<std::string>& providers) {
    const Graph& graph = *segment.typed->graph;
    std::vector<StepInfo> result;
    for (size_t i = 0; i < segment.steps.size(); ++i) {
        const Step& step = segment.steps[i];
        StepInfo info{.provider = providers[i], .kernel = step.kernel, .note = step.note};
        std::set<OriginId> origins;
        for (const NodeId id : step.nodes) {
            const Node& node = graph.node(id);
            if (info.name.empty()) info.name = node.name;
            info.operatorType += (info.operatorType.empty() ? "" : "+") + operatorLabel(node);
            origins.insert(node.origins.begin(), node.origins.end());
        }
        if (step.nodes.empty()) {
            info.operatorType = "Reorder";
            const SlotId first = step.inputs.empty() ? SlotId() : step.inputs.front();
            const ValueId value = first.isValid() ? segment.slots[first.index].slot.value : ValueId();
            info.name = value.isValid() ? "reorder of " + graph.value(value).name : "reorder";
        }
        info.origins.assign(origins.begin(), origins.end());
        for (const SlotId id : step.inputs) info.inputTypes.push_back(slotType(segment, id));
        for (const SlotId id : step.outputs) info.outputTypes.push_back(slotType(segment, id));
        addWork(segment, step, info);
        addBytes(segment, step, info);
        info.workspaceBytes = static_cast<double>(step.workspaceBytes);
        result.push_back(std::move(info));
    }
    return result;
}

}  // namespace engine
