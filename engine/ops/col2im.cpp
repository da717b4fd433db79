#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/sum_type.h"
#include "engine/ops/window.h"

namespace engine {
namespace {

// Inputs: columns [batch, channels * taps, windows], the image's spatial shape, the block's.
void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    context.checkRank(0, 3, "input");
    auto image = context.inputElements(1);
    const auto block = context.inputElements(2);
    const Shape* length = context.inputShape(1);
    if (!image && length != nullptr && length->size() == 1 && length->front().isNumber()) {
        image.emplace(static_cast<size_t>(std::clamp<int64_t>(length->front().number(), 0, 16)));
    }
    const auto& window = context.attributes<WindowAttributes>();
    const size_t axes = std::max({window.strides.size(), window.dilations.size(), window.pads.size() / 2});
    if (!image && axes > 0 && axes <= 16) image.emplace(axes);
    if (!image) return context.setOutput(0, element);
    const Shape* input = context.inputShape(0);
    Shape output(2);
    if (input != nullptr) {
        output[0] = (*input)[0];
        Dim taps = block ? Dim(1) : Dim();
        if (block) {
            for (const Dim& size : *block) taps *= size;
        }
        output[1] = floorDiv((*input)[1], taps);
    }
    output.insert(output.end(), image->begin(), image->end());
    context.setOutput(0, element, std::move(output));
}

template <class T>
Tensor added(const KernelContext& context, const Tensor& columns, const Dims& image, const Dims& block) {
    using Sum = SumType<T>;
    const std::vector<WindowAxis> axes = windowAxes(context.attributes<WindowAttributes>(), block, image);
    const WindowRows rows(axes);
    const int64_t taps = rows.taps();
    if (columns.dims()[1] % taps != 0 || columns.dims()[2] != rows.outputElements()) {
        fail("input: found shape ", listText(columns.dims()), ", expected [batch, channels * ", taps, ", ",
             rows.outputElements(), "]");
    }
    const Widened<T> values(columns, "input");
    Dims dims{columns.dims()[0], columns.dims()[1] / taps};
    dims.insert(dims.end(), image.begin(), image.end());
    Tensor sums = Tensor::allocate(columns.type(), dims);
    const auto output = sums.mutableValues<T>();

    std::vector<Sum> plane(static_cast<size_t>(rows.inputElements()));
    Pace pace(context);
    auto to = output.begin();
    for (int64_t n = 0; n < dims[0] * dims[1]; ++n) {
        std::fill(plane.begin(), plane.end(), Sum{});
        const Sum* from = values.data() + n * taps * rows.outputElements();
        rows.forEach([&](const WindowRow& row) {
            const Sum* column = from + row.tap * rows.outputElements() + row.output;
            Sum* place = plane.data() + row.input;
            for (int64_t i = 0; i < row.count; ++i) place[i * rows.inputStep()] += column[i];
            pace.spend(row.count);
        });
        to = std::transform(plane.begin(), plane.end(), to, [](Sum sum) { return static_cast<T>(sum); });
    }
    return sums;
}

/// Of booleans: whether any of those that meet in a place is set.
Tensor anyOf(const KernelContext& context, const Dims& image, const Dims& block) {
    const auto flags = context.input(0).values<bool>();
    Tensor numbers = Tensor::allocate(DataType::int32, context.input(0).dims());
    std::copy(flags.begin(), flags.end(), numbers.mutableValues<int32_t>().begin());
    const Tensor sums = added<int32_t>(context, numbers, image, block);
    Tensor result = Tensor::allocate(DataType::boolean, sums.dims());
    const auto counts = sums.values<int32_t>();
    std::transform(counts.begin(), counts.end(), result.mutableValues<bool>().begin(),
                   [](int32_t count) { return count != 0; });
    return result;
}

void reference(KernelContext& context) {
    checkRank(context.input(0), 3, "input");
    const Dims image = context.input(1).toInt64();
    const Dims block = context.input(2).toInt64();
    if (image.empty() || image.size() != block.size()) {
        fail("found image_shape ", listText(image), " and block_shape ", listText(block),
             ", expected as many values in both");
    }
    const DataType type = context.input(0).type();
    if (type == DataType::boolean) return context.setOutput(0, anyOf(context, image, block));
    const auto add = [&]<typename T>(std::type_identity<T>) {
        context.setOutput(0, added<T>(context, context.input(0), image, block));
    };
    if (type == DataType::complex64) return add(std::type_identity<std::complex<float>>{});
    if (type == DataType::complex128) return add(std::type_identity<std::complex<double>>{});
    dispatchNumeric(type, add);
}

const OpDef col2Im{
    .name = "Col2Im",
    .sinceVersion = 18,
    .attributes = parsed<readWindow>,
    .infer = infer,
    .work = onePerInput,
    .reference = reference,
};
const Register<OpDef> registered{col2Im};

}  // namespace
}  // namespace engine
