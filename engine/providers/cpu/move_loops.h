#pragma once

#include <cstddef>
#include <cstdint>

namespace engine::cpu {

/// `count` elements of `size` bytes (1, 2, 4, 8 or 16), each `step` elements after the one before (0: the
/// same again and again; may be negative), laid side by side.
void copyStretch(size_t size, const void* from, int64_t step, int64_t count, void* to);

/// `count` elements that lie side by side, each `times` times.
void repeatEach(size_t size, const void* from, int64_t times, int64_t count, void* to);

/// `rows` rows of `bytes` each; pitches are the bytes between them.
struct RowCopy {
    int64_t rows = 1;
    int64_t bytes = 1;
    int64_t fromPitch = 1;
    int64_t toPitch = 1;
};
void copyRows(const RowCopy& copy, const void* from, void* to);

/// The least and the largest of `count` indices, which are of 8 bytes or of 4; 0 and 0 if there is none.
struct IndexBounds {
    int64_t least = 0;
    int64_t most = 0;
};
IndexBounds boundsOf(const void* indices, bool isWide, int64_t count);

/// to[k] = from[place(k) * stride + k * step], where place(k) is index k, counted from `length` if negative.
struct GatherRow {
    int64_t count = 1;
    int64_t length = 1;
    int64_t stride = 1;  ///< elements, as is step
    int64_t step = 0;
    bool isWide = true;  ///< indices are of 8 bytes, not of 4
};
void gatherRow(const GatherRow& row, size_t size, const void* from, const void* indices, void* to);

}  // namespace engine::cpu
