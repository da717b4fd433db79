#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    float alpha = 1e-4F;
    float beta = 0.75F;
    float bias = 1;
    int64_t size = 1;
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.alpha = reader.number("alpha", 1e-4F),
                                .beta = reader.number("beta", 0.75F),
                                .bias = reader.number("bias", 1),
                                .size = reader.integer("size")};
    if (attributes.size < 1) fail("size: found ", attributes.size, ", expected at least 1");
    return attributes;
}

Work work(const WorkContext& context) {
    const Dim elements = context.outputElements(0);
    return {.multiplyAdds = elements * Dim(context.attributes<Attributes>().size),
            .specialFunctions = elements};
}

template <class T>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    checkRankAtLeast(x, 2, "X");
    const auto input = x.values<T>();
    const auto output = context.output(0, x.dims()).mutableValues<T>();
    const int64_t channels = x.dims()[1];
    const int64_t inner = elementCount(Dims(x.dims().begin() + 2, x.dims().end()));
    const int64_t before = std::min((attributes.size - 1) / 2, channels);
    const int64_t after = std::min(attributes.size - 1 - (attributes.size - 1) / 2, channels);

    Pace pace(context);
    for (int64_t n = 0; n < x.dims()[0]; ++n) {
        for (int64_t c = 0; c < channels; ++c) {
            const int64_t first = std::max<int64_t>(c - before, 0);
            const int64_t last = std::min(c + after, channels - 1);
            for (int64_t i = 0; i < inner; ++i) {
                double squares = 0;
                for (int64_t other = first; other <= last; ++other) {
                    const double value = input[static_cast<size_t>((n * channels + other) * inner + i)];
                    squares += value * value;
                }
                const auto at = static_cast<size_t>((n * channels + c) * inner + i);
                const double base =
                    attributes.bias + attributes.alpha / static_cast<double>(attributes.size) * squares;
                output[at] = static_cast<T>(static_cast<double>(input[at]) / std::pow(base, attributes.beta));
            }
            pace.spend(inner * (last - first + 1));
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef lrn{
    .name = "LRN",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{lrn};

}  // namespace
}  // namespace engine
