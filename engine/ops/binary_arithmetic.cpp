// Operators that compute each element of the result from the same element of two inputs of one type.

#include <cmath>

#include "engine/ops/binary.h"

namespace engine {
namespace {

template <auto function>
void numericKernel(KernelContext& context) {
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, T>(context, [](T left, T right) {
            using C = ComputeType<T>;
            return static_cast<T>(function(static_cast<C>(left), static_cast<C>(right)));
        });
    });
}

template <auto function>
void integerKernel(KernelContext& context) {
    dispatchInteger(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, T>(context,
                                 [](T left, T right) { return static_cast<T>(function(left, right)); });
    });
}

template <auto function>
void booleanKernel(KernelContext& context) {
    dispatchAmong<bool>(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, T>(context, [](T left, T right) { return function(left, right); });
    });
}

Dim added(const Dim& left, const Dim& right) { return left + right; }
Dim subtracted(const Dim& left, const Dim& right) { return left - right; }
Dim multiplied(const Dim& left, const Dim& right) { return left * right; }

/// Rounds towards zero, unlike floorDiv.
Dim divided(const Dim& left, const Dim& right) {
    if (left.isNumber() && right.isNumber() && right.number() != 0) {
        return right.number() == -1 ? 0 - left : Dim(left.number() / right.number());
    }
    const bool isPositive = left.lowerBound().value_or(-1) >= 0 && right.lowerBound().value_or(-1) >= 1;
    return isPositive ? floorDiv(left, right) : Dim();
}

template <ElementFunction elements>
void infer(InferContext& context) {
    inferArithmetic(context);
    if constexpr (elements != nullptr) propagateElements(context, elements);
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
            .elementwise = true};
}

struct Row {
    const char* name;
    int sinceVersion;
    void (*infer)(InferContext&);
    void (*reference)(KernelContext&);
};

const Row table[] = {
    {"Add", 7, infer<added>, numericKernel<[](auto a, auto b) { return wrappedAdd(a, b); }>},
    {"And", 7, infer<nullptr>, booleanKernel<[](bool a, bool b) { return a && b; }>},
    {"BitwiseAnd", 18, infer<nullptr>, integerKernel<[](auto a, auto b) { return a & b; }>},
    {"BitwiseOr", 18, infer<nullptr>, integerKernel<[](auto a, auto b) { return a | b; }>},
    {"BitwiseXor", 18, infer<nullptr>, integerKernel<[](auto a, auto b) { return a ^ b; }>},
    {"Div", 7, infer<divided>, numericKernel<[](auto a, auto b) { return quotient(a, b); }>},
    {"Mul", 7, infer<multiplied>, numericKernel<[](auto a, auto b) { return wrappedMultiply(a, b); }>},
    {"Or", 7, infer<nullptr>, booleanKernel<[](bool a, bool b) { return a || b; }>},
    {"PRelu", 7, infer<nullptr>,
     numericKernel<[](auto x, auto slope) { return x < decltype(x){} ? wrappedMultiply(slope, x) : x; }>},
    {"Sub", 7, infer<subtracted>, numericKernel<[](auto a, auto b) { return wrappedSubtract(a, b); }>},
    {"Xor", 7, infer<nullptr>, booleanKernel<[](bool a, bool b) { return a != b; }>},
};

/// Those that had `broadcast` and `axis` before, each with its form in the domain "opscope" that keeps
/// `axis`.
bool hadAxis(const Row& row) { return row.sinceVersion == 7; }

/// PRelu's slope per channel used to stand at axis 1 without saying so.
void upgradePRelu(NodeRewriter& node) {
    const std::vector<ValueId>& inputs = node.node().inputs;
    if (inputs.size() != 2 || !inputs[1].isValid()) fail("slope is omitted, expected 2 inputs");
    node.setAttribute("broadcast", int64_t{1});
    const auto& slope = node.graph().value(inputs[1]).type.shape;
    const bool isSingle = slope && elementCount(*slope) == Dim(1);
    if (!isSingle) node.setAttribute("axis", int64_t{1});
    upgradeBroadcast(node);
}

std::vector<OpDef> makeOps() {
    std::vector<OpDef> ops;
    for (const Row& each : table) {
        ops.push_back(row("", each.name, each.sinceVersion, each.infer, each.reference));
        if (hadAxis(each)) ops.push_back(row("opscope", each.name, 1, each.infer, each.reference));
    }
    return ops;
}

std::vector<OpUpgrade> makeUpgrades() {
    std::vector<OpUpgrade> upgrades;
    for (const Row& each : table) {
        const bool isPRelu = std::string_view(each.name) == "PRelu";
        if (hadAxis(each)) upgrades.push_back({each.name, 1, isPRelu ? upgradePRelu : upgradeBroadcast});
    }
    return upgrades;
}

const std::vector<OpDef> ops = makeOps();
const RegisterAll<OpDef> registeredOps{ops};
const std::vector<OpUpgrade> upgrades = makeUpgrades();
const RegisterAll<OpUpgrade> registeredUpgrades{upgrades};

}  // namespace
}  // namespace engine
