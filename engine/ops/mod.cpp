#include <cmath>

#include "engine/ops/binary.h"

namespace engine {
namespace {

struct Attributes : BinaryAttributes {
    bool isFmod;  ///< the sign of the dividend, as C's fmod; else that of the divisor
};

Attributes parse(const AttributeReader& reader) { return {{}, reader.integer("fmod", 0) != 0}; }

void infer(InferContext& context) {
    inferArithmetic(context);
    if (!context.attributes<Attributes>().isFmod) propagateElements(context, modulo);
}

template <class T>
T remainder(T left, T right, bool isFmod) {
    if constexpr (std::is_integral_v<T>) {
        if (right == 0) fail("integer division by zero");
        if constexpr (std::is_signed_v<T>) {
            if (right == -1) return 0;
        }
        const auto rest = static_cast<T>(left % right);
        const bool isOther = rest != 0 && (rest < 0) != (right < 0);
        return !isFmod && isOther ? static_cast<T>(rest + right) : rest;
    } else {
        const T rest = std::fmod(left, right);
        const bool isOther = rest != 0 && (rest < 0) != (right < 0);
        return !isFmod && isOther ? rest + right : rest;
    }
}

void reference(KernelContext& context) {
    const bool isFmod = context.attributes<Attributes>().isFmod;
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, T>(context, [isFmod](T left, T right) {
            using C = ComputeType<T>;
            return static_cast<T>(remainder(static_cast<C>(left), static_cast<C>(right), isFmod));
        });
    });
}

const OpDef mod{
    .name = "Mod",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .elementwise = true,
};
const Register<OpDef> registered{mod};

}  // namespace
}  // namespace engine
