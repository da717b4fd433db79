#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/walk.h"
#include "engine/ops/window.h"

namespace engine {
namespace {

WindowAttributes parse(const AttributeReader& reader) {
    WindowAttributes window = readWindow(reader);
    if (window.kernel.empty()) fail("kernel_shape is missing");
    return window;
}

// What the pool had for input: for want of more, as small as it can have been.
Shape pooledFrom(const WindowAttributes& window, const Shape& input) {
    if (input.size() != window.kernel.size() + 2) {
        fail("X: found rank ", input.size(), ", expected ", window.kernel.size() + 2,
             " for a kernel_shape of ", window.kernel.size(), " values");
    }
    Shape shape{input[0], input[1]};
    for (size_t axis = 0; axis < window.kernel.size(); ++axis) {
        shape.push_back(transposedOutput({.window = window}, axis, window.kernel[axis], input[axis + 2]));
    }
    return shape;
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    const auto& window = context.attributes<WindowAttributes>();
    const Shape* input = context.inputShape(0);
    if (context.hasInput(2)) {
        const auto dims = context.inputElements(2);
        return context.setOutput(0, element, dims ? Shape(*dims) : Shape(window.kernel.size() + 2));
    }
    if (input == nullptr) return context.setOutput(0, element, Shape(window.kernel.size() + 2));
    context.setOutput(0, element, pooledFrom(window, *input));
}

void reference(KernelContext& context) {
    const Tensor& x = context.input(0);
    checkDims(context.input(1), x.dims(), "I");
    const auto indices = checkedValues<int64_t>(context.input(1), "I");
    // The indices count in the inferred shape, which may be smaller than the one asked for.
    const Dims inner = numbers(pooledFrom(context.attributes<WindowAttributes>(), shapeOf(x.dims()))).value();
    Dims dims = inner;
    if (context.hasInput(2)) {
        checkDims(context.input(2), {x.rank()}, "output_shape");
        dims = context.input(2).toInt64();
    }
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        if (dims[axis] >= inner[axis]) continue;
        fail("output_shape: found ", listText(dims), ", expected at least ", listText(inner));
    }
    Tensor& y = context.output(0, dims);
    const Dims innerStrides = rowMajorStrides(inner);
    const Dims strides = rowMajorStrides(dims);
    const int64_t count = elementCount(inner);
    dispatchStorage(x.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(x);
        const auto to = mutableElementsAs<T>(y);
        std::fill(to.begin(), to.end(), T{});
        for (size_t i = 0; i < from.size(); ++i) {
            if (indices[i] < 0 || indices[i] >= count) {
                fail("I: found index ", indices[i], ", expected 0 to ", count - 1);
            }
            int64_t place = 0;
            for (size_t axis = 0; axis < dims.size(); ++axis) {
                place += indices[i] / innerStrides[axis] % inner[axis] * strides[axis];
            }
            to[static_cast<size_t>(place)] = from[i];
        }
    });
}

const OpDef maxUnpool{
    .name = "MaxUnpool",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{maxUnpool};

}  // namespace
}  // namespace engine
