// CumSum and CumProd: running sums and products along an axis.

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    bool isExclusive;  ///< without the element itself
    bool isReversed;
};

Attributes parse(const AttributeReader& reader) {
    return {.isExclusive = reader.integer("exclusive", 0) != 0,
            .isReversed = reader.integer("reverse", 0) != 0};
}

template <class T, class Step>
void accumulate(KernelContext& context, T start, Step step) {
    using C = ComputeType<T>;
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const std::vector<int64_t> axes = context.input(1).toInt64();
    if (axes.size() != 1) fail("axis: found ", axes.size(), " elements, expected one");
    const auto axis = static_cast<size_t>(normalizedAxis(axes[0], input.rank()));
    const int64_t length = input.dims()[axis];
    int64_t inner = 1;
    for (size_t i = axis + 1; i < input.dims().size(); ++i) inner *= input.dims()[i];
    const auto from = input.values<T>();
    const auto to = context.output(0, input.dims()).template mutableValues<T>();
    const int64_t lines = length == 0 ? 0 : input.elements() / length;
    Pace pace(context);
    for (int64_t i = 0; i < lines; ++i) {
        C sum = static_cast<C>(start);
        for (int64_t n = 0; n < length; ++n) {
            const int64_t along = attributes.isReversed ? length - 1 - n : n;
            const auto at = static_cast<size_t>(i / inner * length * inner + along * inner + i % inner);
            const C next = step(sum, static_cast<C>(from[at]));
            to[at] = static_cast<T>(attributes.isExclusive ? sum : next);
            sum = next;
        }
        pace.spend(length);
    }
}

void sum(KernelContext& context) {
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        accumulate<T>(context, T(0), [](auto a, auto b) { return wrappedAdd(a, b); });
    });
}

void product(KernelContext& context) {
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        accumulate<T>(context, T(1), [](auto a, auto b) { return wrappedMultiply(a, b); });
    });
}

constexpr OpDef row(const char* name, int sinceVersion, void (*reference)(KernelContext&)) {
    return {.name = name,
            .sinceVersion = sinceVersion,
            .attributes = parsed<parse>,
            .infer = inferSameAsInput,
            .work = onePerOutput,
            .reference = reference};
}

const OpDef table[] = {row("CumProd", 26, product), row("CumSum", 11, sum)};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
