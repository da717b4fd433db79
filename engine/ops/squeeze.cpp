#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/view.h"

namespace engine {
namespace {

bool contains(const std::vector<int64_t>& axes, size_t axis) {
    return std::find(axes.begin(), axes.end(), static_cast<int64_t>(axis)) != axes.end();
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    const Tensor* axesData = context.hasInput(1) ? context.inputData(1) : nullptr;
    propagateView(context);
    if (shape == nullptr || (context.hasInput(1) && axesData == nullptr))
        return context.setOutput(0, element);
    const auto rank = static_cast<int64_t>(shape->size());
    const std::vector<int64_t> axes =
        axesData != nullptr ? normalizedAxes(axesData->toInt64(), rank) : std::vector<int64_t>();
    Shape result;
    for (size_t i = 0; i < shape->size(); ++i) {
        const Dim& dim = (*shape)[i];
        if (contains(axes, i)) {
            if (dim.isNumber() && dim.number() != 1)
                fail("axis ", i, " of ", shapeText(*shape), " is ", dim, ", not 1");
            continue;
        }
        if (axesData == nullptr && !dim.isNumber()) return context.setOutput(0, element);
        if (axesData != nullptr || dim.number() != 1) result.push_back(dim);
    }
    context.setOutput(0, element, std::move(result));
}

void reference(KernelContext& context) {
    const Dims& dims = context.input(0).dims();
    const bool isGiven = context.hasInput(1);
    const std::vector<int64_t> axes =
        isGiven ? normalizedAxes(context.input(1).toInt64(), context.input(0).rank())
                : std::vector<int64_t>();
    Dims result;
    for (size_t i = 0; i < dims.size(); ++i) {
        const bool isDropped = isGiven ? contains(axes, i) : dims[i] == 1;
        if (isDropped && dims[i] != 1) fail("axis ", i, " of ", listText(dims), " is ", dims[i], ", not 1");
        if (!isDropped) result.push_back(dims[i]);
    }
    copyUnderDims(context, result);
}

const OpDef squeeze{
    .name = "Squeeze",
    .sinceVersion = 13,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .isView = true,
};
const Register<OpDef> registered{squeeze};

const OpUpgrade axesToInput{
    .name = "Squeeze",
    .sinceVersion = 1,
    .rewrite =
        [](NodeRewriter& node) {
            node.integersToInput("axes", 1);
            node.setVersion(13);
        },
};
const Register<OpUpgrade> registeredUpgrade{axesToInput};

}  // namespace
}  // namespace engine
