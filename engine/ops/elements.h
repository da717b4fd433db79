#pragma once

#include <functional>

#include "engine/ops/infer_context.h"

namespace engine {

/// One element of shape arithmetic from two; unknown where it cannot be told.
using ElementFunction = Dim (*)(const Dim& left, const Dim& right);

/// Where the elements of both inputs are known as expressions, sets those of output 0: the function of each
/// pair, a single one on either side going with all of the other. For int64, int32 and booleans of rank 0
/// or 1.
void propagateElements(InferContext& context, ElementFunction function);

/// 1 where the dims are surely equal, 0 where they surely differ, else unknown.
Dim surelyEqual(const Dim& left, const Dim& right);

/// The same for left < right.
Dim surelyLess(const Dim& left, const Dim& right);

}  // namespace engine
