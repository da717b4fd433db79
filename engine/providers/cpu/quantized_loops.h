#pragma once

#include <cstdint>

#include "engine/core/tensor.h"

namespace engine::cpu {

/// The grid of DynamicQuantizeLinear: x / scale rounded, plus the zero point, in 0 … 255.
struct ByteGrid {
    float scale = 1;
    float zeroPoint = 0;
};
ByteGrid gridOf(const float* x, int64_t count);

void quantizeBytes(const ByteGrid& grid, const float* x, int64_t count, uint8_t* to);
/// The grid's numbers less the zero point: what an integer product takes, as floats or as shorts.
void quantizeCentred(const ByteGrid& grid, const float* x, int64_t count, float* to);
void quantizeCentred(const ByteGrid& grid, const float* x, int64_t count, int16_t* to);

/// A matrix of signed bytes [rows, columns] packed for products with few rows on the left: stretches of
/// pairStretch columns, two rows of the matrix side by side in each.
constexpr int64_t pairStretch = 16;
Tensor packBytePairs(const int8_t* weights, int64_t rows, int64_t columns);

/// sums[m, columns] = x[m, rows] W in integers; x is padded to an even number of columns with a zero.
struct BytePairProduct {
    int64_t m = 1;
    int64_t pairs = 1;    ///< half the rows of W, rounded up
    int64_t columns = 1;  ///< of W
};
void multiplyBytePairs(const BytePairProduct& product, const int16_t* x, const int8_t* packed, int32_t* sums,
                       int threads);

}  // namespace engine::cpu
