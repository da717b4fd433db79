#include <algorithm>

#include "engine/ops/view.h"

namespace engine {
namespace {

/// `dims` with ones put in so that they stand at `axes` of the result.
template <class List>
List withOnes(const List& dims, const std::vector<int64_t>& axes) {
    List result;
    size_t next = 0;
    const size_t rank = dims.size() + axes.size();
    for (size_t i = 0; i < rank; ++i) {
        const bool isNew = std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) != axes.end();
        result.push_back(isNew ? typename List::value_type(1) : dims[next++]);
    }
    return result;
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    const Tensor* axes = context.inputData(1);
    propagateView(context);
    if (shape == nullptr) return context.setOutput(0, element);
    if (axes == nullptr) {
        const Shape* axesShape = context.inputShape(1);
        if (axesShape == nullptr || axesShape->size() > 1) return context.setOutput(0, element);
        const Dim count = axesShape->empty() ? Dim(1) : axesShape->front();
        if (!count.isNumber()) return context.setOutput(0, element);
        Shape open = openShape(count.number());
        open.resize(open.size() + shape->size());
        return context.setOutput(0, element, std::move(open));
    }
    const int64_t rank = checkedRank(static_cast<int64_t>(shape->size()) + axes->elements());
    context.setOutput(0, element, withOnes(*shape, normalizedAxes(axes->toInt64(), rank)));
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const std::vector<int64_t> axes = context.input(1).toInt64();
    const int64_t rank = checkedRank(input.rank() + static_cast<int64_t>(axes.size()));
    copyUnderDims(context, withOnes(input.dims(), normalizedAxes(axes, rank)));
}

const OpDef unsqueeze{
    .name = "Unsqueeze",
    .sinceVersion = 13,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .isView = true,
};
const Register<OpDef> registered{unsqueeze};

const OpUpgrade axesToInput{
    .name = "Unsqueeze",
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
