#include "engine/ops/op.h"
#include "engine/ops/view.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    inferSameAsInput(context);
    propagateView(context);
}

void reference(KernelContext& context) {
    const Datum& input = context.inputDatum(0);
    if (!input.isTensor()) return context.setOutput(0, input);
    copyUnderDims(context, input.tensor().dims());
}

const OpDef identity{
    .name = "Identity",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .isView = true,
};
const Register<OpDef> registered{identity};

}  // namespace
}  // namespace engine
