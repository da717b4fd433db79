#include "engine/ops/walk.h"

#include "engine/core/dispatch.h"
#include "engine/core/error.h"

namespace engine {

Dims broadcastStrides(const Dims& from, const Dims& to) {
    if (from.size() > to.size()) fail("shape ", listText(from), " does not broadcast to ", listText(to));
    const size_t lead = to.size() - from.size();
    const Dims strides = rowMajorStrides(from);
    Dims result(to.size(), 0);
    for (size_t axis = 0; axis < from.size(); ++axis) {
        if (from[axis] == to[lead + axis]) {
            result[lead + axis] = strides[axis];
        } else if (from[axis] != 1) {
            fail("shape ", listText(from), " does not broadcast to ", listText(to));
        }
    }
    return result;
}

Dims broadcastDims(const Dims& left, const Dims& right) {
    return *numbers(broadcast(shapeOf(left), shapeOf(right)));
}

void copyStrided(KernelContext& context, const Dims& dims, const Dims& strides, int64_t start) {
    const Tensor& input = context.input(0);
    Tensor& output = context.output(0, input.type(), dims);
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input);
        const auto to = mutableElementsAs<T>(output);
        Walk<1>(dims, {strides}, {start}).forEach(context, [&](size_t i, const auto& at) {
            to[i] = from[static_cast<size_t>(at[0])];
        });
    });
}

}  // namespace engine
