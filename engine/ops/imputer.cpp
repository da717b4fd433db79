#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Replaces a value that stands for a missing one (perhaps NaN), by one number for all features or one each.
struct Attributes {
    std::vector<float> floats = {};
    std::vector<int64_t> integers = {};
    float replacedFloat = 0;
    int64_t replacedInteger = 0;
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.floats = reader.numbers("imputed_value_floats"),
                          .integers = reader.integers("imputed_value_int64s"),
                          .replacedFloat = reader.number("replaced_value_float", 0),
                          .replacedInteger = reader.integer("replaced_value_int64", 0)};
    if (attributes.floats.empty() == attributes.integers.empty()) {
        fail("found ", attributes.floats.empty() ? "neither" : "both",
             " of imputed_value_floats and imputed_value_int64s, expected one of them");
    }
    return attributes;
}

template <class T, class Given>
void impute(KernelContext& context, const std::vector<Given>& imputed, Given replaced) {
    const Tensor& input = context.input(0);
    const auto features = static_cast<size_t>(input.dims().back());
    if (imputed.empty()) fail("X: found ", input.type(), ", the imputed values are of another type");
    if (imputed.size() != 1 && imputed.size() != features) {
        fail("found ", imputed.size(), " imputed values, expected one or ", features);
    }
    const auto from = input.values<T>();
    const auto to = context.output(0, input.dims()).template mutableValues<T>();
    const auto missing = static_cast<T>(replaced);
    Pace pace(context);
    for (size_t i = 0; i < from.size(); ++i) {
        const bool isMissing = from[i] == missing || (from[i] != from[i] && missing != missing);
        to[i] = isMissing ? static_cast<T>(imputed[imputed.size() == 1 ? 0 : i % features]) : from[i];
        pace.spend(1);
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRankAtLeast(context.input(0), 1, "X");
    dispatchAmong<float, double, int64_t, int32_t>(
        context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
            if constexpr (std::is_integral_v<T>) {
                impute<T>(context, attributes.integers, attributes.replacedInteger);
            } else {
                impute<T>(context, attributes.floats, attributes.replacedFloat);
            }
        });
}

const OpDef imputer{
    .name = "Imputer",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = onePerOutput,
    .reference = reference,
    .domain = mlDomain,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{imputer};

}  // namespace
}  // namespace engine
