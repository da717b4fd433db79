#pragma once

#include <vector>

#include "engine/providers/cpu/order.h"

namespace engine::cpu {

/// A dense block of elements brought into another axis order, with neighbouring axes that stay together
/// merged.
struct Permutation {
    Dims dims;           ///< in the target's memory order
    Dims sourceStrides;  ///< elements, per entry of dims
};

Permutation permutationBetween(const Order& from, const Order& to, const Dims& dims);

/// Copies; `size` is bytes per element: 1, 2, 4, 8 or 16.
void permute(const Permutation& permutation, size_t size, const void* source, void* target, int threads);

}  // namespace engine::cpu
