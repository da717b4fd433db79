#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/view.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

struct Attributes {
    std::optional<std::vector<int64_t>> axes = {};  ///< nothing: all
};

Attributes parse(const AttributeReader& reader) { return {reader.maybeIntegers("axes")}; }

/// The axes that the shape is for, in its order.
std::vector<size_t> axesOf(const Attributes& attributes, int64_t rank) {
    std::vector<size_t> axes;
    for (int64_t axis = 0; !attributes.axes && axis < rank; ++axis) axes.push_back(static_cast<size_t>(axis));
    if (!attributes.axes) return axes;
    normalizedAxes(*attributes.axes, rank);
    for (const int64_t axis : *attributes.axes) {
        axes.push_back(static_cast<size_t>(normalizedAxis(axis, rank)));
    }
    return axes;
}

void checkCount(size_t found, size_t expected) {
    if (found != expected) fail("shape: found ", found, " values, expected ", expected);
}

void infer(InferContext& context) {
    context.checkRank(1, 1, "shape");
    const Shape* input = context.inputShape(0);
    const DataType element = context.inputElement(0);
    if (input == nullptr) return context.setOutput(0, element);
    const std::vector<size_t> axes =
        axesOf(context.attributes<Attributes>(), static_cast<int64_t>(input->size()));
    const auto dims = context.inputElements(1);
    if (dims) checkCount(dims->size(), axes.size());
    Shape output = *input;
    for (size_t i = 0; i < axes.size(); ++i) output[axes[i]] = dims ? (*dims)[i] : Dim();
    context.setOutput(0, element, std::move(output));
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const std::vector<size_t> axes = axesOf(context.attributes<Attributes>(), input.rank());
    const std::vector<int64_t> shape = context.input(1).toInt64();
    checkCount(shape.size(), axes.size());
    Dims dims = input.dims();
    for (size_t i = 0; i < axes.size(); ++i) dims[axes[i]] = shape[i];
    Tensor& output = context.output(0, input.type(), dims);

    // What both have in common lies in the middle of each; odd rests are at the end.
    Dims common = dims;
    const Dims fromStrides = rowMajorStrides(input.dims());
    const Dims toStrides = rowMajorStrides(dims);
    int64_t from = 0;
    int64_t to = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        const int64_t surplus = input.dims()[axis] - dims[axis];
        common[axis] = std::min(input.dims()[axis], dims[axis]);
        if (surplus > 0) from += surplus / 2 * fromStrides[axis];
        if (surplus < 0) to += -surplus / 2 * toStrides[axis];
    }
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto source = elementsAs<T>(input);
        const auto target = mutableElementsAs<T>(output);
        std::fill(target.begin(), target.end(), T{});
        Walk<2>(common, {fromStrides, toStrides}, {from, to}).forEach(context, [&](size_t, const auto& at) {
            target[static_cast<size_t>(at[1])] = source[static_cast<size_t>(at[0])];
        });
    });
}

const OpDef centerCropPad{
    .name = "CenterCropPad",
    .sinceVersion = 18,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{centerCropPad};

}  // namespace
}  // namespace engine
