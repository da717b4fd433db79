#include "engine/ops/convolution.h"

namespace engine {
namespace {

const OpDef conv{
    .name = "Conv",
    .sinceVersion = 1,
    .attributes = parsed<readConv>,
    .infer = inferConv,
    .work = convWork,
    .reference = convReference,
};
const Register<OpDef> registered{conv};

}  // namespace
}  // namespace engine
