#pragma once

#include <memory>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/providers/cpu/function.h"

namespace engine::cpu {

/// A constant matrix [rows, columns] packed for products with few rows on the left: panels of panelWidth
/// columns, each panel's rows one after the other, padded with zeros.
constexpr int64_t panelWidth = 64;
Tensor packPanels(const float* weights, int64_t rows, int64_t columns, int64_t rowStride,
                  int64_t columnStride);

/// y = x W + bias for a few rows of x.
struct PanelProduct {
    int64_t m = 1;        ///< rows of x and y
    int64_t k = 1;        ///< columns of x, rows of W
    int64_t n = 1;        ///< columns of W and y
    int64_t xStride = 1;  ///< between rows of x
    int64_t yStride = 1;  ///< between rows of y
};
void multiplyPanels(const PanelProduct& product, const float* x, const float* panels, const float* bias,
                    float* y, int threads);

}  // namespace engine::cpu
