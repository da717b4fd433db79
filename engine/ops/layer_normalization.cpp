#include "engine/core/dispatch.h"
#include "engine/ops/normalization.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    const auto& attributes = context.attributes<LayerNormAttributes>();
    context.inputType(1);
    const Type statistic{.kind = Type::Kind::tensor,
                         .element = attributes.stash,
                         .shape = statisticShape(context, attributes.axis)};
    context.setOutput(0, context.inputType(0));
    context.setOutput(1, statistic);
    context.setOutput(2, statistic);
}

template <class T>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<LayerNormAttributes>();
    const Tensor& x = context.input(0);
    const Dims& dims = x.dims();
    const int64_t axis = normalizedAxis(attributes.axis, x.rank());
    GroupNormalization normalization{.epsilon = attributes.epsilon,
                                     .axis = axis,
                                     .scale = {context.input(1), dims, axis, "Scale"},
                                     .bias = std::nullopt};
    if (context.hasInput(2)) normalization.bias.emplace(context.input(2), dims, axis, "B");
    Tensor& y = context.output(0, dims);
    const auto moments =
        normalization.run(x.values<T>(), y.mutableValues<T>(), groupCount(dims, axis), momentsOf<T>, context);
    storeStatistic(context, 1, attributes.stash, dims, axis, moments, &Moments::mean);
    storeStatistic(context, 2, attributes.stash, dims, axis, moments, &Moments::inverseDeviation);
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef layerNormalization{
    .name = "LayerNormalization",
    .sinceVersion = 1,  // in the standard since 17; ONNX Runtime wrote it into older models
    .attributes = parsed<readLayerNorm>,
    .infer = infer,
    .work = layerNormWork,
    .reference = reference,
};
const Register<OpDef> registered{layerNormalization};

}  // namespace
}  // namespace engine
