#include <limits>

#include "engine/core/dispatch.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/map.h"

namespace engine {
namespace {

template <class T>
T bound(const KernelContext& context, size_t index, T fallback) {
    return context.hasInput(index) ? onlyElement<T>(context.input(index), index == 1 ? "min" : "max")
                                   : fallback;
}

/// Where min is above max, everything becomes max.
template <class T>
void clipElements(KernelContext& context) {
    using C = ComputeType<T>;
    const auto low = static_cast<C>(bound<T>(context, 1, static_cast<T>(std::numeric_limits<C>::lowest())));
    const auto high = static_cast<C>(bound<T>(context, 2, static_cast<T>(std::numeric_limits<C>::max())));
    const bool hasLow = context.hasInput(1);
    const bool hasHigh = context.hasInput(2);
    mapElements<T>(context, [=](C x) {
        if (hasLow && x < low) x = low;
        if (hasHigh && x > high) x = high;
        return x;
    });
}

void infer(InferContext& context) {
    for (size_t i = 1; i <= 2; ++i) {
        if (context.hasInput(i) && context.inputElement(i) != context.inputElement(0)) {
            fail(i == 1 ? "min" : "max", " is ", context.inputElement(i), ", the input is ",
                 context.inputElement(0));
        }
        const std::optional<Dims> dims = knownDims(context, i);
        if (dims && elementCount(*dims) != 1)
            fail(i == 1 ? "min" : "max", ": found shape ", listText(*dims), ", expected a single element");
    }
    inferSameAsInput(context);
}

void reference(KernelContext& context) {
    dispatchNumeric(context.input(0).type(),
                    [&]<typename T>(std::type_identity<T>) { clipElements<T>(context); });
}

const OpDef clip{
    .name = "Clip",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registered{clip};

/// The bounds were float attributes; the form that keeps them so serves inputs of every floating-point type.
struct OldAttributes {
    std::optional<float> low;
    std::optional<float> high;
};

OldAttributes parseOld(const AttributeReader& reader) {
    return {reader.maybeNumber("min"), reader.maybeNumber("max")};
}

void referenceOld(KernelContext& context) {
    const auto& attributes = context.attributes<OldAttributes>();
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        using C = ComputeType<T>;
        mapElements<T>(context, [&](C x) {
            if (attributes.low && x < static_cast<C>(*attributes.low)) x = static_cast<C>(*attributes.low);
            if (attributes.high && x > static_cast<C>(*attributes.high)) x = static_cast<C>(*attributes.high);
            return x;
        });
    });
}

const OpDef boundsAsAttributes{
    .name = "Clip",
    .sinceVersion = 1,
    .attributes = parsed<parseOld>,
    .infer = inferSameAsInput,
    .work = onePerOutput,
    .reference = referenceOld,
    .domain = "opscope",
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registeredOld{boundsAsAttributes};

/// For float the bounds become inputs; where the element type is another or not declared the attributes stay.
void boundsToInputs(NodeRewriter& node) {
    const OldAttributes bounds = parseOld(node.attributes());
    const ValueId input = node.node().inputs.empty() ? ValueId() : node.node().inputs[0];
    const DataType element = input.isValid() ? node.graph().value(input).type.element : DataType::undefined;
    if (element != DataType::float32 && element != DataType::undefined) {
        node.node().domain = "opscope";
        return node.setVersion(1);
    }
    if (bounds.low) node.setInput(1, Tensor::scalar(*bounds.low));
    if (bounds.high) node.setInput(2, Tensor::scalar(*bounds.high));
    node.removeAttribute("min");
    node.removeAttribute("max");
    node.removeAttribute("consumed_inputs");
    node.setVersion(11);
}

const OpUpgrade upgrade{.name = "Clip", .sinceVersion = 1, .rewrite = boundsToInputs};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
