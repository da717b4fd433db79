#include "engine/core/error.h"
#include "engine/ops/indices.h"
#include "engine/ops/view.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    checkIsInt64(context, 1, "the shape");
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    const auto dims = context.inputElements(1);
    context.checkRank(1, 1, "the shape");
    const Shape* length = context.inputShape(1);
    std::optional<Shape> target;
    if (dims) {
        target.emplace(dims->begin(), dims->end());
    } else if (length != nullptr && (*length)[0].isNumber()) {
        target = openShape((*length)[0].number());
    }
    if (shape == nullptr || !target) return context.setOutput(0, element);
    context.setOutput(0, element, broadcast(*shape, *target));
}

void reference(KernelContext& context) {
    const Dims& from = context.input(0).dims();
    const Dims to = broadcastDims(from, context.input(1).toInt64());
    copyStrided(context, to, broadcastStrides(from, to));
}

const OpDef expand{
    .name = "Expand",
    .sinceVersion = 8,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{expand};

}  // namespace
}  // namespace engine
