#pragma once

#include <string>

namespace engine::cpu {

/// The instruction set that the vector kernels use here: "AVX-512".
std::string vectorTargetName();

}  // namespace engine::cpu
