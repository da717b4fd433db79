#include "engine/ops/gemm.h"

namespace engine {
namespace {

const OpDef fusedGemm{
    .name = "FusedGemm",
    .sinceVersion = 1,
    .attributes = parsed<readFusedGemm>,
    .infer = inferGemm,
    .work = gemmWork,
    .reference = gemmReference,
    .domain = "opscope",
};
const Register<OpDef> registered{fusedGemm};

const OpDef microsoftFusedGemm{
    .name = "FusedGemm",
    .sinceVersion = 1,
    .attributes = parsed<readFusedGemm>,
    .infer = inferGemm,
    .work = gemmWork,
    .reference = gemmReference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftFusedGemm};

}  // namespace
}  // namespace engine
