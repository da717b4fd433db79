#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/normalization.h"
#include "engine/ops/offsets.h"

namespace engine {
namespace {

struct Attributes {
    float epsilon = 1e-12F;
};

Attributes parse(const AttributeReader& reader) { return {.epsilon = reader.number("epsilon", 1e-12F)}; }

// Outputs: the normalized sum, its mean, its inverse deviation, and the sum itself.
void infer(InferContext& context) {
    const Type statistic{
        .kind = Type::Kind::tensor, .element = DataType::float32, .shape = statisticShape(context, -1)};
    context.setOutput(0, context.inputType(0));
    context.setOutput(1, statistic);
    context.setOutput(2, statistic);
    context.setOutput(3, context.inputType(0));
}

Work work(const WorkContext& context) {
    Work work = layerNormWork(context);
    work.otherFlops += context.inputElements(0);
    return work;
}

struct Inputs {
    const Tensor* gamma = nullptr;
    const Tensor* beta = nullptr;
    const Tensor* bias = nullptr;
};

template <class T>
void addTo(std::span<T> sums, const Dims& dims, const Tensor& tensor, const char* what) {
    const auto values = checkedValues<T>(tensor, what);
    const std::vector<int64_t> offsets = broadcastOffsets(dims, tensor.dims(), what);
    for (size_t i = 0; i < sums.size(); ++i) {
        sums[i] = static_cast<T>(sums[i] + values[static_cast<size_t>(offsets[i])]);
    }
}

template <class T, class MomentsOf>
void normalize(KernelContext& context, const Inputs& inputs, MomentsOf momentsOf) {
    const Tensor& x = context.input(0);
    checkRankAtLeast(x, 1, "input");
    const Dims& dims = x.dims();
    Tensor sum = Tensor::allocate(x.type(), dims);
    const auto sums = sum.mutableValues<T>();
    const auto input = x.values<T>();
    std::copy(input.begin(), input.end(), sums.begin());
    addTo<T>(sums, dims, context.input(1), "skip");
    if (inputs.bias != nullptr) addTo<T>(sums, dims, *inputs.bias, "bias");

    const int64_t axis = x.rank() - 1;
    GroupNormalization normalization{.epsilon = context.attributes<Attributes>().epsilon,
                                     .axis = axis,
                                     .scale = {*inputs.gamma, dims, axis, "gamma"},
                                     .bias = std::nullopt};
    if (inputs.beta != nullptr) normalization.bias.emplace(*inputs.beta, dims, axis, "beta");
    const auto moments =
        normalization.run(std::span<const T>(sums), context.output(0, dims).mutableValues<T>(),
                          groupCount(dims, axis), momentsOf, context);
    storeStatistic(context, 1, DataType::float32, dims, axis, moments, &Moments::mean);
    storeStatistic(context, 2, DataType::float32, dims, axis, moments, &Moments::inverseDeviation);
    context.setOutput(3, sum);
}

const Tensor* optionalInput(const KernelContext& context, size_t index) {
    return context.hasInput(index) ? &context.input(index) : nullptr;
}

void reference(KernelContext& context) {
    const Inputs inputs{
        .gamma = &context.input(2), .beta = optionalInput(context, 3), .bias = optionalInput(context, 4)};
    dispatchFloat(context.input(0).type(),
                  [&]<typename T>(std::type_identity<T>) { normalize<T>(context, inputs, momentsOf<T>); });
}

void simplifiedReference(KernelContext& context) {
    const Inputs inputs{.gamma = &context.input(2), .bias = optionalInput(context, 3)};
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        normalize<T>(context, inputs, rootMeanSquareOf<T>);
    });
}

const OpDef skipLayerNormalization{
    .name = "SkipLayerNormalization",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{skipLayerNormalization};

const OpDef skipSimplifiedLayerNormalization{
    .name = "SkipSimplifiedLayerNormalization",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = simplifiedReference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredSimplified{skipSimplifiedLayerNormalization};

}  // namespace
}  // namespace engine
