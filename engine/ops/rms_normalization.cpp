#include "engine/core/dispatch.h"
#include "engine/ops/normalization.h"

namespace engine {
namespace {

// Output 0 has the element type of the scale. Output 1, the inverse of the root mean square, is
// SimplifiedLayerNormalization's only.
void infer(InferContext& context) {
    const auto& attributes = context.attributes<LayerNormAttributes>();
    Type type = context.inputType(0);
    type.element = context.inputElement(1);
    context.setOutput(0, std::move(type));
    context.setOutput(1, {.kind = Type::Kind::tensor,
                          .element = attributes.stash,
                          .shape = statisticShape(context, attributes.axis)});
}

template <class T, class Result>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<LayerNormAttributes>();
    const Tensor& x = context.input(0);
    const Dims& dims = x.dims();
    const int64_t axis = normalizedAxis(attributes.axis, x.rank());
    const GroupNormalization normalization{.epsilon = attributes.epsilon,
                                           .axis = axis,
                                           .scale = {context.input(1), dims, axis, "scale"},
                                           .bias = std::nullopt};
    Tensor& y = context.output(0, dataTypeOf<Result>, dims);
    const auto moments = normalization.run(x.values<T>(), y.mutableValues<Result>(), groupCount(dims, axis),
                                           rootMeanSquareOf<T>, context);
    storeStatistic(context, 1, attributes.stash, dims, axis, moments, &Moments::inverseDeviation);
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        dispatchFloat(context.input(1).type(),
                      [&]<typename Result>(std::type_identity<Result>) { normalize<T, Result>(context); });
    });
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
