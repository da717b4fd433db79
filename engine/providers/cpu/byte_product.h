#pragma once

#include "engine/providers/cpu/builder.h"

namespace engine::cpu {

/// y[m, n] = x W, where x holds whole floats that came from bytes less one zero point, and W is a constant of
/// such floats [k, n], row-major.
struct ByteProduct {
    int64_t m = 1;
    int64_t k = 1;
    int64_t n = 1;
    ValueId input;
    const float* weights = nullptr;
    ValueId result;  ///< floats; sums wrap around as int32
    std::vector<NodeId> nodes = {};
};

/// Adds a step that multiplies bytes with oneDNN; false where the processor has no instructions for sums of
/// products of bytes in int32, without which oneDNN may saturate.
bool addByteProductStep(CpuBuilder& builder, const ByteProduct& product);

}  // namespace engine::cpu
