#pragma once

#include "engine/core/dim.h"
#include "engine/core/tensor.h"
#include "engine/ops/infer_context.h"

namespace engine {

/// `index` counted from the back if negative; throws Error if it is out of range for `length`.
int64_t countedIndex(int64_t index, int64_t length);

/// Throws Error unless the input is there and of int64, as shapes and repeats are, or its type is unknown
/// yet.
void checkIsInt64(const InferContext& context, size_t index, const char* what);

/// Throws Error unless `inner` has the rank of `outer` and is nowhere longer, the axis aside.
void checkWithin(const Dims& inner, const Dims& outer, size_t axis, const char* what);

/// For GatherND and ScatterND: where in `dims`, from axis `first` on, the slice starts that each tuple of the
/// last axis of `indices` names, in elements. Throws Error if a tuple is too long or out of range.
std::vector<int64_t> sliceStarts(const Tensor& indices, const Dims& dims, size_t first);

}  // namespace engine
