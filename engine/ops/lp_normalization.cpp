#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis = -1;
    int64_t p = 2;
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.axis = reader.integer("axis", -1), .p = reader.integer("p", 2)};
    if (attributes.p != 1 && attributes.p != 2) fail("p: found ", attributes.p, ", expected 1 or 2");
    return attributes;
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.inputElements(0), .otherFlops = context.inputElements(0)};
}

template <class T>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const auto input = x.values<T>();
    const auto output = context.output(0, x.dims()).mutableValues<T>();
    const int64_t axis = normalizedAxis(attributes.axis, x.rank());
    const auto size = static_cast<size_t>(x.dims()[static_cast<size_t>(axis)]);
    const auto inner = static_cast<size_t>(elementCount(Dims(x.dims().begin() + axis + 1, x.dims().end())));

    Pace pace(context);
    for (size_t start = 0; start < input.size(); start += size * inner) {
        for (size_t i = start; i < start + inner; ++i) {
            double sum = 0;
            for (size_t k = 0; k < size; ++k) {
                const double value = input[i + k * inner];
                sum += attributes.p == 1 ? std::abs(value) : value * value;
            }
            const double norm = attributes.p == 1 ? sum : std::sqrt(sum);
            for (size_t k = 0; k < size; ++k) {
                const size_t at = i + k * inner;
                output[at] = norm == 0 ? T(0.0F) : static_cast<T>(static_cast<double>(input[at]) / norm);
            }
            pace.spend(static_cast<int64_t>(size));
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef lpNormalization{
    .name = "LpNormalization",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{lpNormalization};

}  // namespace
}  // namespace engine
