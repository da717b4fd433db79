// Operators that compute each element of the result from the same element of their one input, without
// attributes.

#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/ops/map.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

template <auto function>
void floatKernel(KernelContext& context) {
    dispatchFloat(context.input(0).type(),
                  [&]<typename T>(std::type_identity<T>) { mapElements<T>(context, function); });
}

template <auto function>
void numericKernel(KernelContext& context) {
    dispatchNumeric(context.input(0).type(),
                    [&]<typename T>(std::type_identity<T>) { mapElements<T>(context, function); });
}

template <auto function>
void integerKernel(KernelContext& context) {
    dispatchInteger(context.input(0).type(),
                    [&]<typename T>(std::type_identity<T>) { mapElements<T>(context, function); });
}

template <auto function>
void booleanKernel(KernelContext& context) {
    dispatchAmong<bool>(context.input(0).type(),
                        [&]<typename T>(std::type_identity<T>) { mapElements<T>(context, function); });
}

// Most of these were restricted to fewer element types in older opsets; what they compute never changed.
constexpr OpDef row(const char* name, int sinceVersion, Work (*work)(const WorkContext&),
                    void (*reference)(KernelContext&), Tolerance tolerance) {
    return {.name = name,
            .sinceVersion = sinceVersion,
            .attributes = noAttributes,
            .infer = inferSameAsInput,
            .work = work,
            .reference = reference,
            .tolerance = tolerance,
            .elementwise = true};
}

constexpr OpDef cheap(const char* name, int sinceVersion, void (*reference)(KernelContext&)) {
    return row(name, sinceVersion, onePerOutput, reference, Tolerance::exact);
}

constexpr OpDef special(const char* name, int sinceVersion, void (*reference)(KernelContext&)) {
    return row(name, sinceVersion, specialPerOutput, reference, Tolerance::rounding);
}

template <class T>
T absolute(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::abs(x);
    return x < T{} ? wrappedSubtract<T>(0, x) : x;
}

template <class T>
T sign(T x) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(x)) return x;
    }
    return static_cast<T>((T{} < x) - (x < T{}));
}

template <class T>
T negative(T x) {
    if constexpr (std::is_floating_point_v<T>) return -x;
    return wrappedSubtract<T>(0, x);
}

/// Does not overflow on the way for any x.
template <class T>
T softplus(T x) {
    return std::max(x, T{}) + std::log1p(std::exp(-std::abs(x)));
}

template <class T>
T sigmoid(T x) {
    return 1 / (1 + std::exp(-x));
}

/// NaN stays NaN.
template <class T>
T positivePart(T x) {
    return x < T{} ? T{} : x;
}

template <class T>
T errorFunction(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::erf(x);
    return static_cast<T>(std::erf(static_cast<double>(x)));
}

const OpDef table[] = {
    cheap("Abs", 1, numericKernel<[](auto x) { return absolute(x); }>),
    special("Acos", 7, floatKernel<[](auto x) { return std::acos(x); }>),
    special("Acosh", 9, floatKernel<[](auto x) { return std::acosh(x); }>),
    special("Asin", 7, floatKernel<[](auto x) { return std::asin(x); }>),
    special("Asinh", 9, floatKernel<[](auto x) { return std::asinh(x); }>),
    special("Atan", 7, floatKernel<[](auto x) { return std::atan(x); }>),
    special("Atanh", 9, floatKernel<[](auto x) { return std::atanh(x); }>),
    cheap("BitwiseNot", 18, integerKernel<[](auto x) { return ~x; }>),
    cheap("Ceil", 1, floatKernel<[](auto x) { return std::ceil(x); }>),
    special("Cos", 7, floatKernel<[](auto x) { return std::cos(x); }>),
    special("Cosh", 9, floatKernel<[](auto x) { return std::cosh(x); }>),
    special("Erf", 9, numericKernel<[](auto x) { return errorFunction(x); }>),
    special("Exp", 1, floatKernel<[](auto x) { return std::exp(x); }>),
    cheap("Floor", 1, floatKernel<[](auto x) { return std::floor(x); }>),
    special("Log", 1, floatKernel<[](auto x) { return std::log(x); }>),
    special("Mish", 18, floatKernel<[](auto x) { return x * std::tanh(softplus(x)); }>),
    cheap("Neg", 1, numericKernel<[](auto x) { return negative(x); }>),
    cheap("Not", 1, booleanKernel<[](bool x) { return !x; }>),
    special("Reciprocal", 1, floatKernel<[](auto x) { return 1 / x; }>),
    cheap("Relu", 1, numericKernel<[](auto x) { return positivePart(x); }>),
    // Halves go to the even neighbour: C++'s default rounding mode.
    cheap("Round", 11, floatKernel<[](auto x) { return std::nearbyint(x); }>),
    special("Sigmoid", 1, floatKernel<[](auto x) { return sigmoid(x); }>),
    cheap("Sign", 9, numericKernel<[](auto x) { return sign(x); }>),
    special("Sin", 7, floatKernel<[](auto x) { return std::sin(x); }>),
    special("Sinh", 9, floatKernel<[](auto x) { return std::sinh(x); }>),
    special("Softplus", 1, floatKernel<[](auto x) { return softplus(x); }>),
    special("Softsign", 1, floatKernel<[](auto x) { return x / (1 + std::abs(x)); }>),
    special("Sqrt", 1, floatKernel<[](auto x) { return std::sqrt(x); }>),
    special("Tan", 7, floatKernel<[](auto x) { return std::tan(x); }>),
    special("Tanh", 1, floatKernel<[](auto x) { return std::tanh(x); }>),
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
