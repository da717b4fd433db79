#pragma once

#include "engine/ops/custom_op.h"
#include "engine/providers/cpu/builder.h"

namespace engine::cpu {

/// The code for this provider that a library has brought for that operator (any of its versions), or null.
const OpscopeKernel* customKernelOf(const OpDef* op);

/// Adds a step that runs that code, on the provider's threads.
void addCustomStep(CpuBuilder& builder, const NodeView& node);

}  // namespace engine::cpu
