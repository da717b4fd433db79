#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/indices.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    checkIsInt64(context, 1, "repeats");
    context.checkRank(1, 1, "repeats");
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    const auto repeats = context.inputElements(1);
    if (shape == nullptr) return context.setOutput(0, element);
    Shape result(shape->size());
    if (repeats && repeats->size() != shape->size()) {
        fail("repeats has ", repeats->size(), " elements, expected one per axis of ", shapeText(*shape));
    }
    for (size_t i = 0; repeats && i < result.size(); ++i) result[i] = (*shape)[i] * (*repeats)[i];
    context.setOutput(0, element, std::move(result));
}

/// Each axis becomes two, (repeat, position), of which the first stands still in the input.
void repeat(KernelContext& context, const std::vector<int64_t>& repeats) {
    const Tensor& input = context.input(0);
    if (static_cast<int64_t>(repeats.size()) != input.rank()) {
        fail("repeats has ", repeats.size(), " elements, expected one per axis of ", listText(input.dims()));
    }
    const Dims strides = rowMajorStrides(input.dims());
    Dims dims;
    Dims split;
    Dims splitStrides;
    for (size_t i = 0; i < repeats.size(); ++i) {
        if (repeats[i] < 0) fail("repeats ", listText(repeats), " holds a negative number");
        dims.push_back(elementCount(Dims{input.dims()[i], repeats[i]}));
        split.insert(split.end(), {repeats[i], input.dims()[i]});
        splitStrides.insert(splitStrides.end(), {0, strides[i]});
    }
    Tensor& output = context.output(0, input.type(), dims);
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input);
        const auto to = mutableElementsAs<T>(output);
        Walk<1>(split, {splitStrides}).forEach(context, [&](size_t i, const auto& at) {
            to[i] = from[static_cast<size_t>(at[0])];
        });
    });
}

void reference(KernelContext& context) { repeat(context, context.input(1).toInt64()); }

const OpDef tile{
    .name = "Tile",
    .sinceVersion = 6,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{tile};

// In opset 1 one axis was repeated: both numbers are inputs of the tensor's own type.

int64_t wholeNumber(const Tensor& tensor, const char* what) {
    const std::vector<double> values = tensor.toDouble();
    if (values.size() != 1) failNotSingle(tensor, what);
    if (!(std::abs(values[0]) < 9e15)) fail(what, ": found ", values[0], ", expected a whole number");
    return static_cast<int64_t>(values[0]);
}

void inferOld(InferContext& context) {
    for (const size_t number : {1, 2}) context.inputType(number);
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return context.setOutput(0, context.inputElement(0));
    const Tensor* tiles = context.inputData(1);
    const Tensor* axis = context.inputData(2);
    Shape result(shape->size());
    if (tiles != nullptr && axis != nullptr) {
        result = *shape;
        const auto rank = static_cast<int64_t>(shape->size());
        Dim& dim = result[static_cast<size_t>(normalizedAxis(wholeNumber(*axis, "axis"), rank))];
        dim = dim * Dim(wholeNumber(*tiles, "tiles"));
    }
    context.setOutput(0, context.inputElement(0), std::move(result));
}

void referenceOld(KernelContext& context) {
    const int64_t rank = context.input(0).rank();
    std::vector<int64_t> repeats(static_cast<size_t>(rank), 1);
    const int64_t axis = normalizedAxis(wholeNumber(context.input(2), "axis"), rank);
    repeats[static_cast<size_t>(axis)] = wholeNumber(context.input(1), "tiles");
    repeat(context, repeats);
}

const OpDef oldTile{
    .name = "Tile",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = inferOld,
    .work = noWork,
    .reference = referenceOld,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredOld{oldTile};

}  // namespace
}  // namespace engine
