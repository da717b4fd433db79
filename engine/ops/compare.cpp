// Operators that compare each element of one input with the same element of another.

#include "engine/ops/binary.h"

namespace engine {
namespace {

template <auto function>
void orderKernel(KernelContext& context) {
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, bool>(context, [](T left, T right) {
            using C = ComputeType<T>;
            return function(static_cast<C>(left), static_cast<C>(right));
        });
    });
}

void equalKernel(KernelContext& context) {
    const auto kernel = [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, bool>(context, [](const T& left, const T& right) { return left == right; });
    };
    const DataType type = context.input(0).type();
    if (type == DataType::string) return kernel(std::type_identity<String>{});
    dispatchReal(type, kernel);
}

Dim negation(const Dim& claim) { return claim.isUnknown() ? claim : 1 - claim; }

Dim surelyGreater(const Dim& left, const Dim& right) { return surelyLess(right, left); }
Dim surelyAtLeast(const Dim& left, const Dim& right) { return negation(surelyLess(left, right)); }
Dim surelyAtMost(const Dim& left, const Dim& right) { return negation(surelyLess(right, left)); }

template <ElementFunction elements>
void infer(InferContext& context) {
    inferComparison(context);
    propagateElements(context, elements);
}

constexpr OpDef row(const char* domain, const char* name, int sinceVersion, void (*inference)(InferContext&),
                    void (*reference)(KernelContext&)) {
    return {.name = name,
            .sinceVersion = sinceVersion,
            .attributes = parsed<readBinary>,
            .infer = inference,
            .work = onePerOutput,
            .reference = reference,
            .domain = domain,
            .tolerance = Tolerance::exact,
            .elementwise = true};
}

constexpr auto greater = orderKernel<[](auto a, auto b) { return b < a; }>;
constexpr auto less = orderKernel<[](auto a, auto b) { return a < b; }>;

const OpDef ops[] = {
    row("", "Equal", 7, infer<surelyEqual>, equalKernel),
    row("", "Greater", 7, infer<surelyGreater>, greater),
    row("", "GreaterOrEqual", 12, infer<surelyAtLeast>, orderKernel<[](auto a, auto b) { return b <= a; }>),
    row("", "Less", 7, infer<surelyLess>, less),
    row("", "LessOrEqual", 12, infer<surelyAtMost>, orderKernel<[](auto a, auto b) { return a <= b; }>),
    row("opscope", "Equal", 1, infer<surelyEqual>, equalKernel),
    row("opscope", "Greater", 1, infer<surelyGreater>, greater),
    row("opscope", "Less", 1, infer<surelyLess>, less),
};
const RegisterAll<OpDef> registeredOps{ops};

const OpUpgrade upgrades[] = {
    {"Equal", 1, upgradeBroadcast},
    {"Greater", 1, upgradeBroadcast},
    {"Less", 1, upgradeBroadcast},
};
const RegisterAll<OpUpgrade> registeredUpgrades{upgrades};

}  // namespace
}  // namespace engine
