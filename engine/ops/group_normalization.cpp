#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/normalization.h"

namespace engine {
namespace {

struct Attributes {
    float epsilon = 1e-5F;
    int64_t groups = 1;
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.epsilon = reader.number("epsilon", 1e-5F),
                                .groups = reader.integer("num_groups")};
    if (attributes.groups < 1) fail("num_groups: found ", attributes.groups, ", expected at least 1");
    return attributes;
}

void infer(InferContext& context) {
    context.checkRank(1, 1, "scale");
    context.checkRank(2, 1, "bias");
    context.setOutput(0, context.inputType(0));
}

template <class T>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    checkRankAtLeast(x, 2, "X");
    const auto input = x.values<T>();
    const Dims& dims = x.dims();
    const int64_t channels = dims[1];
    if (channels % attributes.groups != 0) {
        fail("X: found ", channels, " channels, expected a multiple of num_groups ", attributes.groups);
    }
    // From opset 21 on each channel has a scale and a bias, before that each group.
    const int64_t parameters = context.node().version >= 21 ? channels : attributes.groups;
    checkDims(context.input(1), {parameters}, "scale");
    checkDims(context.input(2), {parameters}, "bias");
    const std::vector<double> scale = context.input(1).toDouble();
    const std::vector<double> bias = context.input(2).toDouble();
    const auto output = context.output(0, dims).mutableValues<T>();
    if (output.empty()) return;

    const auto groups = static_cast<size_t>(dims[0] * attributes.groups);
    const size_t size = input.size() / groups;
    const size_t sizePerParameter = input.size() / static_cast<size_t>(dims[0] * parameters);
    Pace pace(context);
    for (size_t group = 0; group < groups; ++group) {
        const auto values = input.subspan(group * size, size);
        const Moments moments = momentsOf(values, attributes.epsilon);
        for (size_t i = 0; i < size; ++i) {
            const size_t parameter = (group * size + i) / sizePerParameter % scale.size();
            const double normal = (static_cast<double>(values[i]) - moments.mean) * moments.inverseDeviation;
            output[group * size + i] = static_cast<T>(normal * scale[parameter] + bias[parameter]);
        }
        pace.spend(static_cast<int64_t>(size));
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef groupNormalization{
    .name = "GroupNormalization",
    .sinceVersion = 18,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = layerNormWork,
    .reference = reference,
};
const Register<OpDef> registered{groupNormalization};

}  // namespace
}  // namespace engine
