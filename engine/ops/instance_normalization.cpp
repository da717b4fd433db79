#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/normalization.h"

namespace engine {
namespace {

struct Attributes {
    float epsilon = 1e-5F;
};

Attributes parse(const AttributeReader& reader) { return {.epsilon = reader.number("epsilon", 1e-5F)}; }

void infer(InferContext& context) {
    context.checkRank(1, 1, "scale");
    context.checkRank(2, 1, "B");
    context.setOutput(0, context.inputType(0));
}

template <class T>
void normalize(KernelContext& context) {
    const Tensor& x = context.input(0);
    checkRankAtLeast(x, 2, "input");
    const auto input = x.values<T>();
    const Dims& dims = x.dims();
    checkDims(context.input(1), {dims[1]}, "scale");
    checkDims(context.input(2), {dims[1]}, "B");
    const std::vector<double> scale = context.input(1).toDouble();
    const std::vector<double> bias = context.input(2).toDouble();
    const auto output = context.output(0, dims).mutableValues<T>();
    if (output.empty()) return;

    const size_t planes = groupCount(dims, 2);
    const size_t size = input.size() / planes;
    Pace pace(context);
    for (size_t plane = 0; plane < planes; ++plane) {
        const size_t channel = plane % scale.size();
        const auto values = input.subspan(plane * size, size);
        const Moments moments = momentsOf(values, context.attributes<Attributes>().epsilon);
        for (size_t i = 0; i < size; ++i) {
            const double normal = (static_cast<double>(values[i]) - moments.mean) * moments.inverseDeviation;
            output[plane * size + i] = static_cast<T>(normal * scale[channel] + bias[channel]);
        }
        pace.spend(static_cast<int64_t>(size));
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef instanceNormalization{
    .name = "InstanceNormalization",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = layerNormWork,
    .reference = reference,
};
const Register<OpDef> registered{instanceNormalization};

}  // namespace
}  // namespace engine
