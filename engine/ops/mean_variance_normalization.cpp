#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/offsets.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    std::vector<int64_t> axes = {};
};

Attributes parse(const AttributeReader& reader) {
    return {.axes = reader.maybeIntegers("axes").value_or(std::vector<int64_t>{0, 2, 3})};
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.inputElements(0), .otherFlops = context.inputElements(0) * 3};
}

template <class T>
void normalize(KernelContext& context) {
    const Tensor& x = context.input(0);
    const auto input = x.values<T>();
    const auto output = context.output(0, x.dims()).mutableValues<T>();
    Dims kept = x.dims();
    for (const int64_t axis : context.attributes<Attributes>().axes) {
        kept[static_cast<size_t>(normalizedAxis(axis, x.rank()))] = 1;
    }
    // For each element, the group that it is normalized with.
    const std::vector<int64_t> group = broadcastOffsets(x.dims(), kept, rowMajorStrides(kept));
    const auto groups = static_cast<size_t>(elementCount(kept));
    if (input.empty()) return;
    const double size = static_cast<double>(input.size()) / static_cast<double>(groups);

    std::vector<double> means(groups);
    std::vector<double> deviations(groups);
    Pace pace(context);
    const auto forEach = [&](auto&& visit) {
        for (size_t i = 0; i < input.size(); ++i) {
            visit(i, static_cast<size_t>(group[i]), static_cast<double>(input[i]));
            pace.spend(1);
        }
    };
    forEach([&](size_t, size_t g, double value) { means[g] += value / size; });
    forEach([&](size_t, size_t g, double value) {
        deviations[g] += (value - means[g]) * (value - means[g]) / size;
    });
    for (double& deviation : deviations) deviation = std::sqrt(deviation) + 1e-9;  // as ONNX defines it
    forEach([&](size_t i, size_t g, double value) {
        output[i] = static_cast<T>((value - means[g]) / deviations[g]);
    });
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef meanVarianceNormalization{
    .name = "MeanVarianceNormalization",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{meanVarianceNormalization};

}  // namespace
}  // namespace engine
