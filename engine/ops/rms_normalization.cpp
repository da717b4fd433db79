#include "engine/core/dispatch.h"
#include "engine/ops/normalization.h"

namespace engine {
namespace {

// Output 1, the inverse of the root mean square, is SimplifiedLayerNormalization's only.
void infer(InferContext& context) {
    const auto& attributes = context.attributes<LayerNormAttributes>();
    context.inputType(1);
    context.setOutput(0, context.inputType(0));
    context.setOutput(1, {.kind = Type::Kind::tensor,
                          .element = attributes.stash,
                          .shape = statisticShape(context, attributes.axis)});
}

template <class T>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<LayerNormAttributes>();
    const Tensor& x = context.input(0);
    const Dims& dims = x.dims();
    const int64_t axis = normalizedAxis(attributes.axis, x.rank());
    const GroupNormalization normalization{.epsilon = attributes.epsilon,
                                           .axis = axis,
                                           .scale = {context.input(1), dims, axis, "scale"},
                                           .bias = std::nullopt};
    Tensor& y = context.output(0, dims);
    const auto moments = normalization.run(x.values<T>(), y.mutableValues<T>(), groupCount(dims, axis),
                                           rootMeanSquareOf<T>, context);
    storeStatistic(context, 1, attributes.stash, dims, axis, moments, &Moments::inverseDeviation);
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef rmsNormalization{
    .name = "RMSNormalization",
    .sinceVersion = 23,
    .attributes = parsed<readLayerNorm>,
    .infer = infer,
    .work = layerNormWork,
    .reference = reference,
};
const Register<OpDef> registered{rmsNormalization};

// What ONNX Runtime's optimizer wrote, in the standard domain, before the standard had the operator.
const OpDef simplifiedLayerNormalization{
    .name = "SimplifiedLayerNormalization",
    .sinceVersion = 1,
    .attributes = parsed<readLayerNorm>,
    .infer = infer,
    .work = layerNormWork,
    .reference = reference,
};
const Register<OpDef> registeredSimplified{simplifiedLayerNormalization};

}  // namespace
}  // namespace engine
