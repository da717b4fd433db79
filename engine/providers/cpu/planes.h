#pragma once

#include <cstdint>
#include <vector>

#include "engine/ops/window.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {

/// Pooling of row-major pictures. First the rows of a window are brought together, then what they gave along
/// the last axis.
struct PlanePool {
    /// A row of the output: which rows of the input its windows cover.
    struct Row {
        size_t first = 0;  ///< in `offsets`
        size_t count = 0;
        float divisor = 1;  ///< of an average
    };
    PoolKind kind = PoolKind::maximum;
    int64_t planes = 1;
    int64_t inputPlane = 1;   ///< elements
    int64_t outputPlane = 1;  ///< elements
    std::vector<Row> rows = {};
    std::vector<int64_t> offsets = {};  ///< of input rows, in elements of their plane
    WindowAxis last = {};               ///< along the last axis
    std::vector<float> divisors = {};   ///< of an average, by output, padded as lines are

    /// Floats that each thread needs.
    int64_t lineLength() const;
};
void poolPlanes(const PlanePool& pool, const float* x, float* y, float* lines, int threads);

/// Row-major pictures resized. Rows of the input are brought to the output's width, a few are kept, and rows
/// of the output are their weighted sums.
struct PlaneResize {
    int64_t planes = 1;
    int64_t inputRows = 1;
    int64_t inputColumns = 1;
    int64_t outputRows = 1;
    int64_t outputColumns = 1;
    int64_t rowTaps = 1;
    std::vector<int64_t> rowIndices = {};  ///< [output][taps]
    std::vector<float> rowWeights = {};
    int64_t columnTaps = 1;                   ///< 0: columns stay as they are
    std::vector<int32_t> columnIndices = {};  ///< [taps][lineLength]
    std::vector<float> columnWeights = {};
    int64_t slots = 1;  ///< how many rows are kept: any the same output needs differ modulo this

    int64_t lineLength() const;
};
/// `lines` has slots * lineLength() floats for each thread.
void resizePlanes(const PlaneResize& resize, const float* x, float* y, float* lines, int threads);

}  // namespace engine::cpu
