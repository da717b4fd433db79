#include "engine/run/frame.h"

#include <algorithm>

#include "engine/core/error.h"

namespace engine {
namespace {

/// The dims that a slot's tensor has; a slot in a layout of its own is only addressed by pointer.
Dims dimsOf(const Slot& slot) { return slot.dims.value_or(Dims{}); }

/// "node 'a' (Relu): value 'y'"
std::string placeOf(const Segment& segment, ValueId value) {
    const Graph& graph = *segment.typed->graph;
    const NodeId producer = Uses(graph).producer[value.index];
    return text(producer.isValid() ? describe(graph, producer) + ": " : "", "value '",
                graph.value(value).name, "'");
}

Tensor allocateFresh(const Segment& segment, const PlannedSlot& planned) {
    try {
        return Tensor::allocate(planned.slot.element, dimsOf(planned.slot));
    } catch (Error& error) {
        if (planned.slot.value.isValid()) error.addContext(placeOf(segment, planned.slot.value));
        throw;
    }
}

/// 0 for what does not lie in the slab.
size_t slabBytes(const PlannedSlot& planned) {
    if (planned.source != SlotSource::slab || !planned.slot.dims) return 0;
    return static_cast<size_t>(elementCount(*planned.slot.dims)) * bytesInMemory(planned.slot.element);
}

/// The memory of all values that live between steps; an error names the largest of them.
Tensor allocateSlab(const Segment& segment) {
    try {
        return Tensor::allocate(DataType::uint8, {static_cast<int64_t>(segment.slabBytes)});
    } catch (Error& error) {
        const auto largest = std::max_element(
            segment.slots.begin(), segment.slots.end(),
            [](const PlannedSlot& a, const PlannedSlot& b) { return slabBytes(a) < slabBytes(b); });
        if (largest != segment.slots.end() && largest->slot.value.isValid()) {
            error.addContext(text(placeOf(segment, largest->slot.value), " of ", slabBytes(*largest),
                                  " bytes is the largest of those alive at once"));
        }
        throw;
    }
}

}  // namespace

Frame::Frame(const Segment& segment) : slab_(allocateSlab(segment)) {
    slots.slots.resize(segment.slots.size());
    slots.pointers.resize(segment.slots.size(), nullptr);
    auto* base = static_cast<uint8_t*>(slab_.mutableData());
    for (size_t i = 0; i < segment.slots.size(); ++i) {
        const PlannedSlot& planned = segment.slots[i];
        if (planned.source == SlotSource::slab) {
            uint8_t* data = base + planned.offset;
            slots.pointers[i] = data;
            if (planned.slot.dims) {
                slots.slots[i] = Tensor::view(planned.slot.element, *planned.slot.dims, data, nullptr);
            }
        } else if (planned.source == SlotSource::constant) {
            slots.slots[i] = *planned.slot.constant;
            if (slots.slots[i].isTensor()) slots.pointers[i] = slots.slots[i].tensor().mutableData();
        }
    }
    for (size_t i = 0; i < segment.slots.size(); ++i) {
        const PlannedSlot& planned = segment.slots[i];
        if (planned.source != SlotSource::view) continue;
        const SlotSource root = segment.slots[planned.viewed.index].source;
        if (root != SlotSource::slab && root != SlotSource::constant) continue;
        slots.pointers[i] = slots.pointers[planned.viewed.index];
        slots.slots[i] = Tensor::view(planned.slot.element, dimsOf(planned.slot), slots.pointers[i], nullptr);
    }
}

void Frame::bind(const Segment& segment, std::span<const Datum* const> liveIn) {
    for (size_t i = 0; i < segment.liveIn.size(); ++i) {
        const size_t slot = segment.liveIn[i].slot.index;
        slots.slots[slot] = *liveIn[i];
        slots.pointers[slot] =
            liveIn[i]->isTensor() ? const_cast<void*>(liveIn[i]->tensor().data()) : nullptr;
    }
    for (size_t i = 0; i < segment.slots.size(); ++i) {
        const PlannedSlot& planned = segment.slots[i];
        if (planned.source == SlotSource::fresh) {
            slots.slots[i] = allocateFresh(segment, planned);
            slots.pointers[i] = slots.slots[i].tensor().mutableData();
        }
    }
    for (size_t i = 0; i < segment.slots.size(); ++i) {
        const PlannedSlot& planned = segment.slots[i];
        if (planned.source != SlotSource::view) continue;
        const size_t root = planned.viewed.index;
        const SlotSource source = segment.slots[root].source;
        if (source != SlotSource::liveIn && source != SlotSource::fresh) continue;
        slots.slots[i] = slots.slots[root].tensor().reshaped(dimsOf(planned.slot));
        slots.pointers[i] = slots.pointers[root];
    }
}

Datum Frame::take(const Segment& segment, SlotId id) const {
    const PlannedSlot& planned = segment.slots[id.index];
    if (planned.source == SlotSource::view &&
        segment.slots[planned.viewed.index].source == SlotSource::constant) {
        return segment.slots[planned.viewed.index].slot.constant->tensor().reshaped(dimsOf(planned.slot));
    }
    return slots.slots[id.index];
}

void Frame::release(const Segment& segment) {
    for (size_t i = 0; i < segment.slots.size(); ++i) {
        const PlannedSlot& planned = segment.slots[i];
        SlotSource source = planned.source;
        if (source == SlotSource::view) source = segment.slots[planned.viewed.index].source;
        if (source == SlotSource::slab || source == SlotSource::constant) continue;
        slots.slots[i] = Datum();
        slots.pointers[i] = nullptr;
    }
}

void* Frame::workspace(const Segment& segment, size_t step) const {
    return const_cast<uint8_t*>(static_cast<const uint8_t*>(slab_.data())) + segment.workspaceOffsets[step];
}

std::unique_ptr<Frame> FramePool::take(const Segment& segment) {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Frame> frame = std::move(idle_.back());
            idle_.pop_back();
            return frame;
        }
    }
    return std::make_unique<Frame>(segment);
}

void FramePool::giveBack(std::unique_ptr<Frame> frame) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < mostKept) idle_.push_back(std::move(frame));
}

}  // namespace engine
