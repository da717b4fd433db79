#pragma once

#include "engine/ops/kernel_context.h"

namespace engine {

/// Copies input 0 to output 0 under other dims: what the reference kernels of views do where the plan made no
/// view.
void copyUnderDims(KernelContext& context, const Dims& dims);

/// Hands the elements of an integer input of rank 0 or 1 on to output 0, for views in shape arithmetic.
void propagateView(InferContext& context);

/// The rank; throws Error if it is no number of axes that a tensor may have.
int64_t checkedRank(int64_t rank);

/// As many unknown dims as the rank, which is checked, says.
Shape openShape(int64_t rank);

/// Axes counted from the front, sorted; throws Error if one is out of range for `rank` or stands there twice.
std::vector<int64_t> normalizedAxes(const std::vector<int64_t>& axes, int64_t rank);

/// The same in their own order.
std::vector<int64_t> distinctAxes(const std::vector<int64_t>& axes, int64_t rank);

}  // namespace engine
