// Operators that compute each element of the result from the same element of their one input, with one or
// two numbers as attributes.

#include <cmath>
#include <numbers>

#include "engine/core/dispatch.h"
#include "engine/ops/map.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

/// What the operator's attributes are called and default to; the first is `a` below, the second `b`.
struct Parameter {
    const char* name;
    float fallback;
};

struct Parameters {
    float a = 0;
    float b = 0;
};

template <Parameter first, Parameter second>
Parameters parse(const AttributeReader& reader) {
    Parameters parameters;
    if (first.name != nullptr) parameters.a = reader.number(first.name, first.fallback);
    if (second.name != nullptr) parameters.b = reader.number(second.name, second.fallback);
    return parameters;
}

constexpr char alpha[] = "alpha";
constexpr char beta[] = "beta";
constexpr char bias[] = "bias";
constexpr char gamma[] = "gamma";
constexpr char lambd[] = "lambd";
constexpr Parameter none{nullptr, 0};

template <auto function>
void floatKernel(KernelContext& context) {
    const auto& parameters = context.attributes<Parameters>();
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        using C = ComputeType<T>;
        mapElements<T>(context,
                       [a = C{parameters.a}, b = C{parameters.b}](C x) { return function(x, a, b); });
    });
}

template <auto function>
void numericKernel(KernelContext& context) {
    const auto& parameters = context.attributes<Parameters>();
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        using C = std::conditional_t<std::is_integral_v<T>, double, ComputeType<T>>;
        mapElements<T>(context, [a = C{parameters.a}, b = C{parameters.b}](auto x) {
            return convertNumber<ComputeType<T>>(function(static_cast<C>(x), a, b));
        });
    });
}

constexpr OpDef row(const char* name, int sinceVersion,
                    ParsedAttributes (*attributes)(const AttributeReader&), Work (*work)(const WorkContext&),
                    void (*reference)(KernelContext&)) {
    return {.name = name,
            .sinceVersion = sinceVersion,
            .attributes = attributes,
            .infer = inferSameAsInput,
            .work = work,
            .reference = reference,
            .elementwise = true};
}

template <Parameter first, Parameter second = none>
constexpr OpDef cheap(const char* name, int sinceVersion, void (*reference)(KernelContext&)) {
    return row(name, sinceVersion, parsed<parse<first, second>>, onePerOutput, reference);
}

template <Parameter first, Parameter second = none>
constexpr OpDef special(const char* name, int sinceVersion, void (*reference)(KernelContext&)) {
    return row(name, sinceVersion, parsed<parse<first, second>>, specialPerOutput, reference);
}

template <class T>
T hardSigmoid(T x, T a, T b) {
    return std::clamp<T>(a * x + b, 0, 1);
}

template <class T>
T shrink(T x, T lambda, T offset) {
    if (x < -lambda) return x + offset;
    return x > lambda ? x - offset : 0;
}

const OpDef table[] = {
    special<Parameter{alpha, 1}>(
        "Celu", 12, floatKernel<[](auto x, auto a, auto) { return x < 0 ? a * std::expm1(x / a) : x; }>),
    special<Parameter{alpha, 1}>(
        "Elu", 1, floatKernel<[](auto x, auto a, auto) { return x < 0 ? a * std::expm1(x) : x; }>),
    cheap<Parameter{alpha, 0.2F}, Parameter{beta, 0.5F}>(
        "HardSigmoid", 1, floatKernel<[](auto x, auto a, auto b) { return hardSigmoid(x, a, b); }>),
    cheap<none>("HardSwish", 14, floatKernel<[](auto x, auto, auto) {
                    using T = decltype(x);
                    return x * hardSigmoid<T>(x, T{1} / 6, T{1} / 2);
                }>),
    cheap<Parameter{alpha, 0.01F}>("LeakyRelu", 1,
                                   floatKernel<[](auto x, auto a, auto) { return x < 0 ? a * x : x; }>),
    // The first opset's defaults had fewer digits.
    special<Parameter{alpha, 1.6732F}, Parameter{gamma, 1.0507F}>(
        "Selu", 1, floatKernel<[](auto x, auto a, auto b) { return b * (x < 0 ? a * std::expm1(x) : x); }>),
    special<Parameter{alpha, 1.67326319217681884765625F}, Parameter{gamma, 1.05070102214813232421875F}>(
        "Selu", 6, floatKernel<[](auto x, auto a, auto b) { return b * (x < 0 ? a * std::expm1(x) : x); }>),
    cheap<Parameter{lambd, 0.5F}, Parameter{bias, 0}>(
        "Shrink", 9, numericKernel<[](auto x, auto a, auto b) { return shrink(x, a, b); }>),
    special<Parameter{alpha, 1}>(
        "Swish", 24, floatKernel<[](auto x, auto a, auto) { return x / (1 + std::exp(-a * x)); }>),
    cheap<Parameter{alpha, 1}>("ThresholdedRelu", 10,
                               floatKernel<[](auto x, auto a, auto) { return a < x ? x : decltype(x){}; }>),
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
