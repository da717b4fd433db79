// Operators that fold any number of inputs, broadcast to one shape, element by element.

#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/elements.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

/// NaN wins over every number, as in numpy.
template <class T>
T larger(T left, T right) {
    return right > left || right != right ? right : left;
}
template <class T>
T smaller(T left, T right) {
    return right < left || right != right ? right : left;
}

/// Folds all inputs into output 0 with `function`, then applies `finish` to each element.
template <class T, class Function, class Finish>
void foldInputs(KernelContext& context, Function function, Finish finish) {
    using C = ComputeType<T>;
    Dims dims = context.input(0).dims();
    for (size_t i = 1; i < context.inputCount(); ++i) dims = broadcastDims(dims, context.input(i).dims());
    const auto to = context.output(0, dataTypeOf<T>, dims).template mutableValues<T>();
    std::vector<C> folded(to.size());
    for (size_t input = 0; input < context.inputCount(); ++input) {
        const Tensor& tensor = context.input(input);
        if (tensor.type() != dataTypeOf<T>)
            fail("input ", input, " is ", tensor.type(), ", input 0 is ", dataTypeOf<T>);
        const auto from = tensor.values<T>();
        Walk<1>(dims, {broadcastStrides(tensor.dims(), dims)})
            .forEach(context, [&](size_t i, const auto& at) {
                const auto value = static_cast<C>(from[static_cast<size_t>(at[0])]);
                folded[i] = input == 0 ? value : function(folded[i], value);
            });
    }
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(finish(folded[i]));
}

constexpr auto unchanged = [](auto x) { return x; };

template <auto function>
void numeric(KernelContext& context) {
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        foldInputs<T>(
            context, [](auto a, auto b) { return function(a, b); }, unchanged);
    });
}

void sum(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        foldInputs<T>(
            context, [](auto a, auto b) { return a + b; }, unchanged);
    });
}

void mean(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        const auto count = static_cast<ComputeType<T>>(context.inputCount());
        foldInputs<T>(
            context, [](auto a, auto b) { return a + b; }, [count](auto x) { return x / count; });
    });
}

void checkInputs(InferContext& context) {
    if (context.inputCount() == 0) fail("there is no input, expected one or more");
    inferBroadcast(context);
}

template <ElementFunction elements>
void inferOrdered(InferContext& context) {
    checkInputs(context);
    if (context.inputCount() == 2) propagateElements(context, elements);
}

Work perInput(const WorkContext& context) {
    return {.otherFlops = context.outputElements(0) * Dim(static_cast<int64_t>(context.inputCount()) - 1)};
}

constexpr OpDef row(const char* name, void (*infer)(InferContext&), void (*reference)(KernelContext&)) {
    return {.name = name,
            .sinceVersion = 8,
            .attributes = noAttributes,
            .infer = infer,
            .work = perInput,
            .reference = reference,
            .elementwise = true};
}

const OpDef maxOp = row("Max", inferOrdered<maximum>, numeric<[](auto a, auto b) { return larger(a, b); }>);
const OpDef minOp = row("Min", inferOrdered<minimum>, numeric<[](auto a, auto b) { return smaller(a, b); }>);
const OpDef sumOp = row("Sum", checkInputs, sum);
const OpDef meanOp = row("Mean", checkInputs, mean);
const Register<OpDef> registeredMax{maxOp};
const Register<OpDef> registeredMin{minOp};
const Register<OpDef> registeredSum{sumOp};
const Register<OpDef> registeredMean{meanOp};

/// The oldest forms only lacked broadcasting.
void toBroadcasting(NodeRewriter& node) {
    node.removeAttribute("consumed_inputs");
    node.setVersion(8);
}

const OpUpgrade oldMax{.name = "Max", .sinceVersion = 1, .rewrite = toBroadcasting};
const OpUpgrade oldMin{.name = "Min", .sinceVersion = 1, .rewrite = toBroadcasting};
const OpUpgrade oldSum{.name = "Sum", .sinceVersion = 1, .rewrite = toBroadcasting};
const OpUpgrade oldMean{.name = "Mean", .sinceVersion = 1, .rewrite = toBroadcasting};
const Register<OpUpgrade> registeredOldMax{oldMax};
const Register<OpUpgrade> registeredOldMin{oldMin};
const Register<OpUpgrade> registeredOldSum{oldSum};
const Register<OpUpgrade> registeredOldMean{oldMean};

}  // namespace
}  // namespace engine
