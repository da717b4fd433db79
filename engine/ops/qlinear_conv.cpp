#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/convolution.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

// Inputs: x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, optional B.
struct Attributes {
    ConvAttributes conv = {};
    bool isChannelsLast = false;  // only in com.microsoft's form
};

Attributes parse(const AttributeReader& reader) {
    return {.conv = readConv(reader), .isChannelsLast = reader.integer("channels_last", 0) != 0};
}

// The shape with the channels at axis 1 brought to the end, or back.
template <class List>
List channelsLast(List shape) {
    if (shape.size() > 2) std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
    return shape;
}
template <class List>
List channelsFirst(List shape) {
    if (shape.size() > 2) std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    return shape;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const DataType element = context.inputElement(7);
    const Shape* x = context.inputShape(0);
    if (!attributes.isChannelsLast) return inferConvolution(context, attributes.conv, 3, element);
    const Shape* w = context.inputShape(3);
    if (x == nullptr || w == nullptr || x->size() != w->size() || x->size() < 2)
        return context.setOutput(0, element);
    const Shape input = channelsFirst(*x);
    Shape output{input[0], (*w)[0]};
    for (size_t axis = 0; axis + 2 < input.size(); ++axis) {
        output.push_back(windowOutput(attributes.conv.window, axis, (*w)[axis + 2], input[axis + 2]));
    }
    context.setOutput(0, element, channelsLast(output));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = convolutionMultiplyAdds(context, 3), .otherFlops = context.outputElements(0)};
}

// [outer][from][to] becomes [outer][to][from]: channels first to last and back.
template <class T>
std::vector<T> transposed(std::span<const T> values, size_t outer, size_t from, size_t to) {
    std::vector<T> result(values.size());
    for (size_t o = 0; o < outer; ++o) {
        for (size_t i = 0; i < from; ++i) {
            for (size_t j = 0; j < to; ++j) result[(o * to + j) * from + i] = values[(o * from + i) * to + j];
        }
    }
    return result;
}

Dims weightPointDims(const Tensor& point, const Tensor& weights) {
    if (point.elements() == 1) return {};
    checkDims(point, {weights.dims()[0]}, "w_zero_point");
    Dims dims(weights.dims().size(), 1);
    dims[0] = weights.dims()[0];
    return dims;
}

// The factor from sums of integer products to steps of the output's grid, for each output channel.
std::vector<float> multipliers(const KernelContext& context, int64_t channels) {
    const auto x = onlyElement<float>(context.input(1), "x_scale");
    const auto w = checkedValues<float>(context.input(4), "w_scale");
    const auto y = onlyElement<float>(context.input(6), "y_scale");
    if (w.size() != 1) checkDims(context.input(4), {channels}, "w_scale");
    std::vector<float> result(static_cast<size_t>(channels));
    for (size_t m = 0; m < result.size(); ++m) result[m] = x * w[w.size() == 1 ? 0 : m] / y;
    return result;
}

// All sums of products, with the bias.
std::vector<int32_t> convolve(const KernelContext& context, const ConvGeometry& geometry,
                              const std::vector<int32_t>& image) {
    const Tensor& w = context.input(3);
    const std::vector<int32_t> weights =
        centered(w, &context.input(5), weightPointDims(context.input(5), w), "w");
    std::span<const int32_t> bias;
    if (context.hasInput(8)) {
        checkDims(context.input(8), {geometry.outputChannels}, "B");
        bias = checkedValues<int32_t>(context.input(8), "B");
    }
    const WindowRows rows(geometry.axes);
    const int64_t imageSize = geometry.group * geometry.inputChannels * rows.inputElements();
    std::vector<int32_t> sums(static_cast<size_t>(elementCount(geometry.outputDims())));
    int32_t* plane = sums.data();
    Pace pace(context);
    for (int64_t n = 0; n < geometry.batch; ++n) {
        for (int64_t m = 0; m < geometry.outputChannels; ++m, plane += rows.outputElements()) {
            std::fill(plane, plane + rows.outputElements(), bias.empty() ? 0 : bias[static_cast<size_t>(m)]);
            convolveChannel(geometry, rows, reinterpret_cast<const uint32_t*>(image.data()) + n * imageSize,
                            reinterpret_cast<const uint32_t*>(weights.data()), m,
                            reinterpret_cast<uint32_t*>(plane), pace);
        }
    }
    return sums;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const bool isLast = attributes.isChannelsLast;
    const Dims inputDims = isLast ? channelsFirst(x.dims()) : x.dims();
    const ConvGeometry geometry = convGeometry(attributes.conv, inputDims, context.input(3).dims());
    std::vector<int32_t> image = centered(x, &context.input(2), context.input(2).dims(), "x");
    const auto batch = static_cast<size_t>(geometry.batch);
    if (isLast && !image.empty()) {
        const auto channels = static_cast<size_t>(inputDims[1]);
        image = transposed<int32_t>(image, batch, image.size() / batch / channels, channels);
    }
    const std::vector<float> factors = multipliers(context, geometry.outputChannels);
    const Grid grid = gridOf(context.input(6), &context.input(7));
    const Dims outputDims = geometry.outputDims();
    Tensor& y = context.output(0, context.input(7).type(), isLast ? channelsLast(outputDims) : outputDims);
    if (y.elements() == 0) return;
    const std::vector<int32_t> sums = convolve(context, geometry, image);
    const size_t planeSize = sums.size() / batch / factors.size();
    dispatchAmong<uint8_t, int8_t>(y.type(), [&]<typename T>(std::type_identity<T>) {
        std::vector<T> values(sums.size());
        for (size_t i = 0; i < sums.size(); ++i) {
            const float steps = static_cast<float>(sums[i]) * factors[i / planeSize % factors.size()];
            values[i] = quantizedInteger<T>(steps, grid.zeroPoints[0]);
        }
        if (isLast) values = transposed<T>(values, batch, factors.size(), planeSize);
        std::copy(values.begin(), values.end(), y.mutableValues<T>().begin());
    });
}

const OpDef qlinearConv{
    .name = "QLinearConv",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{qlinearConv};

const OpDef microsoftQlinearConv{
    .name = "QLinearConv",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftQlinearConv};

}  // namespace
}  // namespace engine
