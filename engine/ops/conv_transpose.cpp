#include "engine/ops/conv_transpose.h"

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/sum_type.h"

namespace engine {
namespace {

using Attributes = ConvTransposeAttributes;

std::vector<int64_t> readSizes(const AttributeReader& reader, const char* name) {
    std::vector<int64_t> sizes = reader.integers(name);
    for (const int64_t size : sizes) {
        if (size < 0 || size > (int64_t{1} << 30)) {
            fail(name, ": found ", listText(sizes), ", expected sizes of axes");
        }
    }
    return sizes;
}

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.transposed = {.window = readWindow(reader),
                                         .outputPadding = readSizes(reader, "output_padding"),
                                         .outputShape = readSizes(reader, "output_shape")},
                          .group = reader.integer("group", 1)};
    if (attributes.group < 1) fail("group: found ", attributes.group, ", expected at least 1");
    return attributes;
}

// Some exporters list batch and channels in output_shape too.
TransposedWindow forAxes(const Attributes& attributes, size_t axes) {
    TransposedWindow transposed = attributes.transposed;
    std::vector<int64_t>& shape = transposed.outputShape;
    if (shape.size() == axes + 2) shape.erase(shape.begin(), shape.begin() + 2);
    for (const auto* list : {&transposed.outputPadding, &shape}) {
        if (!list->empty() && list->size() != axes) {
            fail("output_padding or output_shape has ", list->size(), " values, expected ", axes);
        }
    }
    checkWindowRank(transposed.window, axes);
    return transposed;
}

void inferWith(InferContext& context, const Attributes& attributes) {
    const DataType element = context.inputElement(0);
    const Shape* input = context.inputShape(0);
    const Shape* weights = context.inputShape(1);
    if (input == nullptr && weights == nullptr) return context.setOutput(0, element);
    const size_t rank = input != nullptr ? input->size() : weights->size();
    if (rank < 2) fail("X: found rank ", rank, ", expected a batch, channels and spatial axes");
    context.checkRank(1, static_cast<int64_t>(rank), "W");
    const TransposedWindow transposed = forAxes(attributes, rank - 2);
    if (input != nullptr && weights != nullptr) agreed((*input)[1], (*weights)[0], "channels of X and of W");

    Shape output{input != nullptr ? (*input)[0] : Dim(),
                 weights != nullptr ? (*weights)[1] * Dim(attributes.group) : Dim()};
    for (size_t axis = 0; axis + 2 < rank; ++axis) {
        Dim kernel = weights != nullptr ? (*weights)[axis + 2] : Dim();
        if (!transposed.window.kernel.empty()) {
            kernel = agreed(transposed.window.kernel[axis], kernel, "kernel_shape and the shape of W");
        }
        output.push_back(
            transposedOutput(transposed, axis, kernel, input != nullptr ? (*input)[axis + 2] : Dim()));
    }
    context.setOutput(0, element, std::move(output));
}

void infer(InferContext& context) { inferWith(context, context.attributes<Attributes>()); }

Work work(const WorkContext& context) {
    Dim perInput = context.inputDim(1, 1);
    const std::optional<int64_t> rank = context.inputRank(1);
    for (int64_t axis = 2; axis < rank.value_or(0); ++axis) perInput *= context.inputDim(1, axis);
    return {.multiplyAdds = context.inputElements(0) * perInput,
            .otherFlops = context.hasInput(2) ? context.outputElements(0) : Dim(0)};
}

struct Geometry {
    int64_t batch = 0;
    int64_t group = 1;
    int64_t inputChannels = 0;   // of one group
    int64_t outputChannels = 0;  // of one group
    std::vector<WindowAxis> axes = {};
};

Geometry geometryOf(const Attributes& attributes, const Dims& input, const Dims& weights) {
    if (input.size() < 2 || weights.size() != input.size()) {
        fail("found X of shape ", listText(input), " and W of shape ", listText(weights),
             ", expected the same rank, of 2 at least");
    }
    if (input[1] != weights[0] || input[1] % attributes.group != 0) {
        fail("found ", input[1], " channels in X, ", weights[0], " in W and ", attributes.group,
             " groups, expected the same number in both and as many in each group");
    }
    const Dims kernel(weights.begin() + 2, weights.end());
    const auto& declared = attributes.transposed.window.kernel;
    if (!declared.empty() && declared != kernel) {
        fail("kernel_shape: found ", listText(declared), ", expected ", listText(kernel), " as W has");
    }
    return {.batch = input[0],
            .group = attributes.group,
            .inputChannels = input[1] / attributes.group,
            .outputChannels = weights[1],
            .axes = transposedAxes(forAxes(attributes, kernel.size()), kernel,
                                   Dims(input.begin() + 2, input.end()))};
}

// Adds what one input channel gives to one output channel. The rows belong to the convolution that leads from
// this operator's output back to its input, so it is their "input" that is written.
template <class Sum>
void spread(const WindowRows& rows, const Sum* image, const Sum* taps, Sum* plane, Pace& pace) {
    const int64_t step = rows.inputStep();
    rows.forEach([&](const WindowRow& row) {
        const Sum weight = taps[row.tap];
        const Sum* from = image + row.output;
        Sum* to = plane + row.input;
        for (int64_t i = 0; i < row.count; ++i) to[i * step] += weight * from[i];
        pace.spend(row.count);
    });
}

template <class T>
void convolveBackwards(KernelContext& context, const Attributes& attributes, size_t biasInput) {
    using Sum = SumType<T>;
    const Geometry geometry = geometryOf(attributes, context.input(0).dims(), context.input(1).dims());
    const Widened<T> input(context.input(0), "X");
    const Widened<T> weights(context.input(1), "W");
    const int64_t channels = geometry.group * geometry.outputChannels;
    std::span<const T> bias;
    if (context.hasInput(biasInput)) {
        checkDims(context.input(biasInput), {channels}, "B");
        bias = checkedValues<T>(context.input(biasInput), "B");
    }

    Dims dims{geometry.batch, channels};
    for (const WindowAxis& axis : geometry.axes) dims.push_back(axis.input);
    const auto output = context.output(0, dims).mutableValues<T>();
    const WindowRows rows(geometry.axes);
    std::vector<Sum> plane(static_cast<size_t>(rows.inputElements()));
    Pace pace(context);
    auto to = output.begin();
    for (int64_t n = 0; n < geometry.batch; ++n) {
        for (int64_t m = 0; m < channels; ++m) {
            const Sum start = bias.empty() ? Sum{} : static_cast<Sum>(bias[static_cast<size_t>(m)]);
            std::fill(plane.begin(), plane.end(), start);
            const int64_t firstChannel = m / geometry.outputChannels * geometry.inputChannels;
            for (int64_t c = firstChannel; c < firstChannel + geometry.inputChannels; ++c) {
                const int64_t image = n * geometry.group * geometry.inputChannels + c;
                const int64_t filter = c * geometry.outputChannels + m % geometry.outputChannels;
                spread(rows, input.data() + image * rows.outputElements(),
                       weights.data() + filter * rows.taps(), plane.data(), pace);
            }
            to = std::transform(plane.begin(), plane.end(), to, [](Sum sum) { return static_cast<T>(sum); });
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        convolveBackwards<T>(context, context.attributes<Attributes>(), 2);
    });
}

const OpDef convTranspose{
    .name = "ConvTranspose",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{convTranspose};

// --- ConvTransposeWithDynamicPads of com.microsoft: the pads are input 2, the bias input 3 ---

Attributes padded(const Attributes& attributes, const Tensor& pads) {
    Attributes result = attributes;
    result.transposed.window.pads = pads.toInt64();
    for (const int64_t pad : result.transposed.window.pads) {
        if (pad < 0 || pad > (int64_t{1} << 30)) fail("Pads: found ", pad, ", expected at least 0");
    }
    return result;
}

void inferDynamic(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    if (!context.hasInput(2)) return inferWith(context, attributes);
    if (const Tensor* pads = context.inputData(2)) return inferWith(context, padded(attributes, *pads));
    inferWith(context, attributes);
    Type type = context.outputTypes().at(0);
    if (type.shape) std::fill(type.shape->begin() + 2, type.shape->end(), Dim());
    context.setOutput(0, std::move(type));
}

void referenceDynamic(KernelContext& context) {
    Attributes attributes = context.attributes<Attributes>();
    if (context.hasInput(2)) attributes = padded(attributes, context.input(2));
    dispatchFloat(context.input(0).type(),
                  [&]<typename T>(std::type_identity<T>) { convolveBackwards<T>(context, attributes, 3); });
}

const OpDef convTransposeWithDynamicPads{
    .name = "ConvTransposeWithDynamicPads",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferDynamic,
    .work = work,
    .reference = referenceDynamic,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredDynamic{convTransposeWithDynamicPads};

}  // namespace
}  // namespace engine
