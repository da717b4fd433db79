#pragma once

#include <vector>

#include "engine/ops/kernel_context.h"

namespace engine {

/// Output 0: the tensors one after the other along `axis`, which they may differ along. At least one.
void joinTensors(KernelContext& context, const std::vector<const Tensor*>& parts, int64_t axis);

}  // namespace engine
