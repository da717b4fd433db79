#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/ops/map.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Infinities {
    bool negative;
    bool positive;
};

Infinities parse(const AttributeReader& reader) {
    return {.negative = reader.integer("detect_negative", 1) != 0,
            .positive = reader.integer("detect_positive", 1) != 0};
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = DataType::boolean;
    context.setOutput(0, std::move(type));
}

template <class Claim>
void mapFloats(KernelContext& context, Claim claim) {
    dispatchAmong<float, double, Float16, BFloat16, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ>(
        context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
            using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
            mapElements<T, bool>(context, [&](auto x) { return claim(static_cast<C>(x)); });
        });
}

void isNanReference(KernelContext& context) {
    mapFloats(context, [](auto x) { return std::isnan(x); });
}

void isInfReference(KernelContext& context) {
    const auto& wanted = context.attributes<Infinities>();
    mapFloats(context, [&](auto x) { return std::isinf(x) && (x < 0 ? wanted.negative : wanted.positive); });
}

const OpDef isNan{
    .name = "IsNaN",
    .sinceVersion = 9,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerOutput,
    .reference = isNanReference,
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registeredNan{isNan};

const OpDef isInf{
    .name = "IsInf",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = isInfReference,
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registeredInf{isInf};

}  // namespace
}  // namespace engine
