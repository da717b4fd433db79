#pragma once

#include <vector>

#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"

namespace engine {

// The 8-bit operators of com.microsoft take a tensor, a scale and a zero point for each of their tensors, and
// scale and zero point of the result. Zero points may be missing.

/// Scale and zero point that hold for a whole tensor.
struct OneGrid {
    float scale = 1;
    float zeroPoint = 0;
};
/// Of the scale at input `index` and the zero point behind it.
OneGrid oneGrid(const KernelContext& context, size_t index);

/// The tensor at input `index` as real numbers, by the scale and zero point behind it.
std::vector<float> realNumbers(const KernelContext& context, size_t index);

/// Output 0 of these dims: the real numbers by the grid whose scale is at input `gridIndex`. Elements are of
/// the zero point's type, or of `fallback`.
void setQuantized(KernelContext& context, const Dims& dims, std::span<const float> values, size_t gridIndex,
                  DataType fallback);

/// Sets output 0 to this shape and the type of the zero point at input `zeroPoint`, or else of input 0.
void inferQuantized(InferContext& context, std::optional<Shape> shape, size_t zeroPoint);

}  // namespace engine
