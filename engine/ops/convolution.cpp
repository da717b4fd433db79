#include "engine/ops/convolution.h"

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/sum_type.h"

namespace engine {

ConvAttributes readConv(const AttributeReader& reader) {
    ConvAttributes attributes{.window = readWindow(reader), .group = reader.integer("group", 1)};
    if (attributes.group < 1) fail("group: found ", attributes.group, ", expected at least 1");
    return attributes;
}

ConvAttributes readFusedConv(const AttributeReader& reader) {
    ConvAttributes attributes = readConv(reader);
    attributes.activation = readActivation(reader);
    return attributes;
}

void inferConvolution(InferContext& context, const ConvAttributes& attributes, size_t weights,
                      DataType element) {
    const Shape* input = context.inputShape(0);
    const Shape* filter = context.inputShape(weights);
    if (input == nullptr && filter == nullptr) return context.setOutput(0, element);
    const size_t rank = input != nullptr ? input->size() : filter->size();
    if (rank < 2) fail("X: found rank ", rank, ", expected a batch, channels and spatial axes");
    context.checkRank(weights, static_cast<int64_t>(rank), "W");
    checkWindowRank(attributes.window, rank - 2);
    if (input != nullptr && filter != nullptr) {
        agreed((*input)[1], (*filter)[1] * attributes.group, "channels of X and of W times group");
    }

    Shape output{input != nullptr ? (*input)[0] : Dim(), filter != nullptr ? (*filter)[0] : Dim()};
    for (size_t axis = 0; axis + 2 < rank; ++axis) {
        Dim kernel = filter != nullptr ? (*filter)[axis + 2] : Dim();
        if (!attributes.window.kernel.empty()) {
            kernel = agreed(attributes.window.kernel[axis], kernel, "kernel_shape and the shape of W");
        }
        output.push_back(
            windowOutput(attributes.window, axis, kernel, input != nullptr ? (*input)[axis + 2] : Dim()));
    }
    context.setOutput(0, element, std::move(output));
}

Dim convolutionMultiplyAdds(const WorkContext& context, size_t weights) {
    const std::optional<int64_t> rank = context.inputRank(weights);
    Dim perOutput = context.inputDim(weights, 1);
    for (int64_t axis = 2; axis < rank.value_or(0); ++axis) perOutput *= context.inputDim(weights, axis);
    return context.outputElements(0) * perOutput;
}

void inferConv(InferContext& context) {
    inferConvolution(context, context.attributes<ConvAttributes>(), 1, context.inputElement(0));
}

Work convWork(const WorkContext& context) {
    const auto& attributes = context.attributes<ConvAttributes>();
    const Dim outputs = context.outputElements(0);
    Work work{.multiplyAdds = convolutionMultiplyAdds(context, 1)};
    if (context.hasInput(2)) work.otherFlops += outputs;
    if (context.hasInput(3)) work.otherFlops += outputs;
    if (attributes.activation.isSpecial()) {
        work.specialFunctions = outputs;
    } else if (attributes.activation.kind != Activation::Kind::none) {
        work.otherFlops += outputs;
    }
    return work;
}

Dims ConvGeometry::outputDims() const {
    Dims dims{batch, outputChannels};
    for (const WindowAxis& axis : axes) dims.push_back(axis.output);
    return dims;
}

ConvGeometry convGeometry(const ConvAttributes& attributes, const Dims& input, const Dims& weights) {
    if (input.size() < 2 || weights.size() != input.size()) {
        fail("found X of shape ", listText(input), " and W of shape ", listText(weights),
             ", expected the same rank, of 2 at least");
    }
    const Dims kernel(weights.begin() + 2, weights.end());
    if (!attributes.window.kernel.empty() && attributes.window.kernel != kernel) {
        fail("kernel_shape: found ", listText(attributes.window.kernel), ", expected ", listText(kernel),
             " as W has");
    }
    if (weights[0] % attributes.group != 0 || input[1] % attributes.group != 0 ||
        input[1] / attributes.group != weights[1]) {
        fail("found ", input[1], " channels in X and W of shape ", listText(weights), " in ",
             attributes.group, " groups, expected ", weights[1],
             " channels a group and as many outputs in each");
    }
    return {.batch = input[0],
            .group = attributes.group,
            .inputChannels = weights[1],
            .outputChannels = weights[0],
            .axes = windowAxes(attributes.window, kernel, Dims(input.begin() + 2, input.end()))};
}

namespace {

template <class T>
void convolve(KernelContext& context) {
    using Sum = SumType<T>;
    const auto& attributes = context.attributes<ConvAttributes>();
    const ConvGeometry geometry = convGeometry(attributes, context.input(0).dims(), context.input(1).dims());
    const Widened<T> input(context.input(0), "X");
    const Widened<T> weights(context.input(1), "W");
    std::span<const T> bias;
    std::span<const T> addend;
    if (context.hasInput(2)) {
        checkDims(context.input(2), {geometry.outputChannels}, "B");
        bias = checkedValues<T>(context.input(2), "B");
    }
    if (context.hasInput(3)) {
        checkDims(context.input(3), geometry.outputDims(), "Z");
        addend = checkedValues<T>(context.input(3), "Z");
    }

    const auto output = context.output(0, geometry.outputDims()).mutableValues<T>();
    const WindowRows rows(geometry.axes);
    const int64_t imageSize = geometry.group * geometry.inputChannels * rows.inputElements();
    const auto planeSize = static_cast<size_t>(rows.outputElements());
    std::vector<Sum> plane(planeSize);
    Pace pace(context);
    for (int64_t n = 0; n < geometry.batch; ++n) {
        for (int64_t m = 0; m < geometry.outputChannels; ++m) {
            const Sum start = bias.empty() ? Sum{} : static_cast<Sum>(bias[static_cast<size_t>(m)]);
            std::fill(plane.begin(), plane.end(), start);
            convolveChannel(geometry, rows, input.data() + n * imageSize, weights.data(), m, plane.data(),
                            pace);
            const size_t first = static_cast<size_t>(n * geometry.outputChannels + m) * planeSize;
            for (size_t i = 0; i < planeSize; ++i) {
                if (!addend.empty()) plane[i] += static_cast<Sum>(addend[first + i]);
                output[first + i] = static_cast<T>(static_cast<Sum>(attributes.activation(plane[i])));
            }
        }
    }
}

}  // namespace

void convReference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { convolve<T>(context); });
}

}  // namespace engine
