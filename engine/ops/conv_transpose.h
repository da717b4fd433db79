#pragma once

#include "engine/ops/window.h"

namespace engine {

/// The attributes of ConvTranspose. `transposed.outputShape` is the attribute's spatial part.
struct ConvTransposeAttributes {
    TransposedWindow transposed = {};
    int64_t group = 1;
};

}  // namespace engine
