// The forms of the Gaussian error linear unit: x * P(X <= x) for a standard normal X, exactly, by tanh, or by
// a sigmoid; some with a bias along the last axis that is added first.

#include <cmath>
#include <numbers>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/map.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

double exactGelu(double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }

double tanhGelu(double x) {
    const double slope = std::sqrt(2 / std::numbers::pi);
    return 0.5 * x * (1 + std::tanh(slope * (x + 0.044715 * x * x * x)));
}

double sigmoidGelu(double x, double alpha) { return x / (1 + std::exp(-alpha * x)); }

template <class Function>
void mapFloats(KernelContext& context, Function function) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        mapElements<T>(context, [&](auto x) { return function(static_cast<double>(x)); });
    });
}

// The same with input 1, if it is there, added along the last axis.
template <class Function>
void mapBiased(KernelContext& context, Function function) {
    if (!context.hasInput(1)) return mapFloats(context, function);
    const Tensor& x = context.input(0);
    checkRankAtLeast(x, 1, "A");
    checkDims(context.input(1), {x.dims().back()}, "bias");
    const std::vector<double> bias = context.input(1).toDouble();
    dispatchFloat(x.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = x.values<T>();
        const auto to = context.output(0, x.dims()).template mutableValues<T>();
        Pace pace(context);
        for (size_t i = 0; i < from.size(); ++i) {
            to[i] = static_cast<T>(function(static_cast<double>(from[i]) + bias[i % bias.size()]));
            pace.spend(4);
        }
    });
}

struct Attributes {
    bool isTanh = false;
};

Attributes parse(const AttributeReader& reader) {
    return {.isTanh = reader.choice("approximate", "none", {"none", "tanh"}) == "tanh"};
}

void gelu(KernelContext& context) {
    mapFloats(context, context.attributes<Attributes>().isTanh ? tanhGelu : exactGelu);
}

void microsoftGelu(KernelContext& context) { mapFloats(context, exactGelu); }

void biasGelu(KernelContext& context) { mapBiased(context, exactGelu); }

void fastGelu(KernelContext& context) { mapBiased(context, tanhGelu); }

struct QuickAttributes {
    float alpha = 1.702F;
};

QuickAttributes parseQuick(const AttributeReader& reader) {
    return {.alpha = reader.number("alpha", 1.702F)};
}

void quickGelu(KernelContext& context) {
    mapFloats(context, [alpha = double{context.attributes<QuickAttributes>().alpha}](double x) {
        return sigmoidGelu(x, alpha);
    });
}

const OpDef table[] = {
    {.name = "Gelu",
     .sinceVersion = 20,
     .attributes = parsed<parse>,
     .infer = inferSameAsInput,
     .work = specialPerOutput,
     .reference = gelu,
     .elementwise = true},
    {.name = "Gelu",
     .sinceVersion = 1,
     .attributes = noAttributes,
     .infer = inferSameAsInput,
     .work = specialPerOutput,
     .reference = microsoftGelu,
     .domain = "com.microsoft",
     .elementwise = true},
    {.name = "BiasGelu",
     .sinceVersion = 1,
     .attributes = noAttributes,
     .infer = inferSameAsInput,
     .work = specialPerOutput,
     .reference = biasGelu,
     .domain = "com.microsoft",
     .elementwise = true},
    {.name = "FastGelu",
     .sinceVersion = 1,
     .attributes = noAttributes,
     .infer = inferSameAsInput,
     .work = specialPerOutput,
     .reference = fastGelu,
     .domain = "com.microsoft",
     .elementwise = true},
    {.name = "QuickGelu",
     .sinceVersion = 1,
     .attributes = parsed<parseQuick>,
     .infer = inferSameAsInput,
     .work = specialPerOutput,
     .reference = quickGelu,
     .domain = "com.microsoft",
     .elementwise = true},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
