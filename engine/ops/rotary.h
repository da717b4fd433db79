#pragma once

#include <span>
#include <vector>

#include "engine/ops/attention_heads.h"

namespace engine {

/// Turns pairs of a head's numbers by angles that grow with the position, as RotaryEmbedding does.
class Rotary {
public:
    /// Tables of cosines and sines: [positions, half of what is turned]; or, one table for each of a batch,
    /// [batch, steps, half], whose steps are positions one after the other.
    Rotary(const Tensor& cosines, const Tensor& sines, bool isInterleaved);

    /// How many numbers of a head are turned; the rest stay.
    int64_t size() const { return 2 * half_; }

    /// Turns one head's numbers in place. Throws Error if there is no such position.
    void turn(float* head, int64_t position) const;

private:
    int64_t positions_ = 0;
    int64_t half_ = 0;
    bool isInterleaved_ = false;
    std::vector<float> cosines_;
    std::vector<float> sines_;
};

}  // namespace engine
