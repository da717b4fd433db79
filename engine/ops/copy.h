#pragma once

#include "engine/ops/kernel_context.h"

namespace engine {

/// Output 0 as input 0's elements in the same order under other dims of the same count: the reference kernel
/// of operators that are views.
void copyAs(KernelContext& context, const Dims& dims);

/// Output `index`: a copy of the tensor.
void copyTo(KernelContext& context, size_t index, const Tensor& tensor, const Dims& dims);

/// Passes on what is known of the elements of input 0 to output 0: for operators that change neither their
/// number nor their order.
void keepElements(InferContext& context);

}  // namespace engine
