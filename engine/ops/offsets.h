#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/dim.h"

namespace engine {

/// Element strides of a dense row-major tensor: of [2, 3, 4] they are [12, 4, 1].
Dims rowMajorStrides(const Dims& dims);

/// A tensor of `dims`, read with `strides`, broadcast to `target` as numpy does: the offset that each element
/// of the target, in row-major order, is read from. The caller has checked that the dims broadcast.
std::vector<int64_t> broadcastOffsets(const Dims& target, const Dims& dims, const Dims& strides);

/// The same for a dense tensor. Throws Error, naming the tensor `what`, unless it broadcasts to the target
/// without changing it.
std::vector<int64_t> broadcastOffsets(const Dims& target, const Dims& dims, const char* what);

}  // namespace engine
