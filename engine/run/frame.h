#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/plan/segment.h"

namespace engine {

/// The buffers of one run of a segment: slots with their tensors, and the slab below them.
class Frame {
public:
    explicit Frame(const Segment& segment);

    /// Puts the caller's data into the live-in slots and new tensors into the fresh ones.
    void bind(const Segment& segment, std::span<const Datum* const> liveIn);
    /// The datum of a slot for those outside, whatever its source; row-major.
    Datum take(const Segment& segment, SlotId id) const;
    /// Lets go of what belongs to the caller.
    void release(const Segment& segment);

    StepContext::Frame slots;
    void* workspace(const Segment& segment, size_t step) const;

private:
    Tensor slab_;
};

/// Frames waiting for their next run, so that a run allocates nothing but its outputs.
class FramePool {
public:
    std::unique_ptr<Frame> take(const Segment& segment);
    void giveBack(std::unique_ptr<Frame> frame);

private:
    static constexpr size_t mostKept = 4;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Frame>> idle_;
};

}  // namespace engine
