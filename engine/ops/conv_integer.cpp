#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/convolution.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    inferConvolution(context, context.attributes<ConvAttributes>(), 1, DataType::int32);
}

Work work(const WorkContext& context) { return {.multiplyAdds = convolutionMultiplyAdds(context, 1)}; }

// The weights' zero points: one, or one for each output channel.
Dims channelWise(const Tensor* zeroPoint, const Tensor& weights) {
    if (zeroPoint == nullptr || zeroPoint->elements() == 1) return {};
    checkDims(*zeroPoint, {weights.dims()[0]}, "w_zero_point");
    Dims dims(weights.dims().size(), 1);
    dims[0] = weights.dims()[0];
    return dims;
}

void reference(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    const ConvGeometry geometry = convGeometry(context.attributes<ConvAttributes>(), x.dims(), w.dims());
    const Tensor* xZero = context.hasInput(2) ? &context.input(2) : nullptr;
    const Tensor* wZero = context.hasInput(3) ? &context.input(3) : nullptr;
    const std::vector<int32_t> image = centered(x, xZero, xZero == nullptr ? Dims{} : xZero->dims(), "x");
    const std::vector<int32_t> weights = centered(w, wZero, channelWise(wZero, w), "w");
    const auto output = context.output(0, DataType::int32, geometry.outputDims()).mutableValues<int32_t>();
    std::fill(output.begin(), output.end(), 0);

    const WindowRows rows(geometry.axes);
    const int64_t imageSize = geometry.group * geometry.inputChannels * rows.inputElements();
    // Sums are allowed to wrap around in 32 bits, which unsigned numbers do.
    const auto* imageBits = reinterpret_cast<const uint32_t*>(image.data());
    const auto* weightBits = reinterpret_cast<const uint32_t*>(weights.data());
    auto* plane = reinterpret_cast<uint32_t*>(output.data());
    Pace pace(context);
    for (int64_t n = 0; n < geometry.batch; ++n) {
        for (int64_t m = 0; m < geometry.outputChannels; ++m, plane += rows.outputElements()) {
            convolveChannel(geometry, rows, imageBits + n * imageSize, weightBits, m, plane, pace);
        }
    }
}

const OpDef convInteger{
    .name = "ConvInteger",
    .sinceVersion = 10,
    .attributes = parsed<readConv>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{convInteger};

}  // namespace
}  // namespace engine
