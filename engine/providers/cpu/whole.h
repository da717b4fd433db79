#pragma once

#include "engine/providers/cpu/builder.h"

namespace engine::cpu {

/// Whether the element-wise node computes in whole numbers or truths alone, in a form that has loops. What
/// the vector kernels of floats take too (truths) is also yes.
Support acceptsWhole(const NodeView& node);

/// Adds the step of a node that acceptsWhole.
void addWholeStep(CpuBuilder& builder, const NodeView& node);

}  // namespace engine::cpu
