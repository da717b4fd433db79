#pragma once

#include <cstddef>
#include <cstdint>

namespace engine::cpu {

/// `count` elements of `size` bytes (1, 2, 4, 8 or 16), each `step` elements after the one before (0: the
/// same again and again; may be negative), laid side by side.
void copyStretch(size_t size, const void* from, int64_t step, int64_t count, void* to);

/// `count` elements that lie side by side, each `times` times.
void repeatEach(size_t size, const void* from, int64_t times, int64_t count, void* to);

}  // namespace engine::cpu
