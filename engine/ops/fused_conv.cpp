#include "engine/ops/convolution.h"

namespace engine {
namespace {

const OpDef fusedConv{
    .name = "FusedConv",
    .sinceVersion = 1,
    .attributes = parsed<readFusedConv>,
    .infer = inferConv,
    .work = convWork,
    .reference = convReference,
    .domain = "opscope",
};
const Register<OpDef> registered{fusedConv};

const OpDef microsoftFusedConv{
    .name = "FusedConv",
    .sinceVersion = 1,
    .attributes = parsed<readFusedConv>,
    .infer = inferConv,
    .work = convWork,
    .reference = convReference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftFusedConv};

}  // namespace
}  // namespace engine
