#include "engine/providers/cpu/vector_target.h"

#include <hwy/highway.h>

namespace engine::cpu {

std::string vectorTargetName() {
    const int64_t targets = hwy::SupportedTargets();
    if ((targets & (HWY_AVX3 | HWY_AVX3_DL)) != 0) return "AVX-512";
    if ((targets & HWY_AVX2) != 0) return "AVX2";
    return "no wide vectors";
}

}  // namespace engine::cpu
