#include <cmath>

#include "engine/ops/binary.h"

namespace engine {
namespace {

void infer(InferContext& context) { inferBinary(context, context.inputElement(0)); }

/// Integers by repeated squaring, wrapping around; negative exponents give what division towards zero does.
template <class T>
T integerPower(T base, int64_t exponent) {
    if (exponent < 0)
        return base == 1 ? T{1} : base == static_cast<T>(-1) ? (exponent % 2 == 0 ? T{1} : base) : T{0};
    T result{1};
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = wrappedMultiply(result, base);
        base = wrappedMultiply(base, base);
    }
    return result;
}

template <class Base, class Exponent>
Base power(Base base, Exponent exponent) {
    if constexpr (std::is_integral_v<Base> && std::is_integral_v<Exponent>) {
        return integerPower(base, static_cast<int64_t>(exponent));
    } else {
        const double result = std::pow(static_cast<double>(static_cast<ComputeType<Base>>(base)),
                                       static_cast<double>(exponent));
        return convertNumber<Base>(
            static_cast<std::conditional_t<std::is_same_v<Base, double>, double, float>>(result));
    }
}

void reference(KernelContext& context) {
    dispatchAmong<float, double, Float16, BFloat16, int32_t, int64_t>(
        context.input(0).type(), [&]<typename Base>(std::type_identity<Base>) {
            dispatchNumeric(context.input(1).type(), [&]<typename Exponent>(std::type_identity<Exponent>) {
                combineElements<Base, Exponent, Base>(context, [](Base base, Exponent exponent) {
                    return power<Base, Exponent>(base, exponent);
                });
            });
        });
}

const OpDef pow{
    .name = "Pow",
    .sinceVersion = 7,
    .attributes = parsed<readBinary>,
    .infer = infer,
    .work = specialPerOutput,
    .reference = reference,
    .elementwise = true,
};
const Register<OpDef> registered{pow};

const OpDef alignedPow{
    .name = "Pow",
    .sinceVersion = 1,
    .attributes = parsed<readBinary>,
    .infer = infer,
    .work = specialPerOutput,
    .reference = reference,
    .domain = "opscope",
    .elementwise = true,
};
const Register<OpDef> registeredAligned{alignedPow};

const OpUpgrade numpyBroadcast{.name = "Pow", .sinceVersion = 1, .rewrite = upgradeBroadcast};
const Register<OpUpgrade> registeredUpgrade{numpyBroadcast};

}  // namespace
}  // namespace engine
