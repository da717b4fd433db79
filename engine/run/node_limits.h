#pragma once

#include <optional>

#include "engine/core/limits.h"
#include "engine/plan/segment.h"
#include "engine/run/bounded_observer.h"

namespace engine {

/// Throws Error for what a segment gives by plan if that exceeds the limits of a node; names node and value.
/// To be asked before memory is taken for it.
void checkPlanned(const Segment& segment, const Limits& limits);

/// Holds one step to the limits of a node while it lives. Where there are none it costs nothing.
class NodeLimits {
public:
    NodeLimits(const Limits& limits, Observer& observer);

    /// For the step's code.
    Observer& observer() { return time_ ? *time_ : outer_; }

    /// Once the step is done: throws Error if it took too long or gave too much, which checkPlanned could not
    /// know.
    void checkDone(const Segment& segment, const Step& step, const StepContext::Frame& frame) const;

private:
    const Limits& limits_;
    Observer& outer_;
    std::optional<BoundedObserver> time_;
    std::optional<MemoryLimit> memory_;
};

}  // namespace engine
