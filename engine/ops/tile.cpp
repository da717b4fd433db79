#include "engine/core/dispatch.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

void infer(InferContext& context) {
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
void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const std::vector<int64_t> repeats = context.input(1).toInt64();
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

}  // namespace
}  // namespace engine
