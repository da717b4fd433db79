#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/reduction.h"

namespace engine {
namespace {

// Each reduction is a struct over an accumulator type A: where it starts, how it takes an element, what it
// gives for `count` elements. Floating point accumulates in double, integers in their own type (they wrap
// around).

template <class A>
struct Sum {
    A total{};
    void take(A x) { total = wrappedAdd(total, x); }
    A result(int64_t) const { return total; }
};

/// Of integers: adds in 64 bits, rounds towards zero.
template <class A>
struct Mean {
    using Total = std::conditional_t<!std::is_integral_v<A>, A,
                                     std::conditional_t<std::is_signed_v<A>, int64_t, uint64_t>>;
    Total total{};
    void take(A x) { total = wrappedAdd(total, Total{x}); }
    A result(int64_t count) const {
        if (std::is_integral_v<A> && count == 0) return A{};
        return static_cast<A>(total / static_cast<Total>(count));
    }
};

template <class A>
struct Product {
    A total{1};
    void take(A x) { total = wrappedMultiply(total, x); }
    A result(int64_t) const { return total; }
};

template <class A>
struct Maximum {
    A best = std::numeric_limits<A>::has_infinity ? -std::numeric_limits<A>::infinity()
                                                  : std::numeric_limits<A>::lowest();
    void take(A x) {
        if (x > best || x != x) best = x;
    }
    A result(int64_t) const { return best; }
};

template <class A>
struct Minimum {
    A best = std::numeric_limits<A>::has_infinity ? std::numeric_limits<A>::infinity()
                                                  : std::numeric_limits<A>::max();
    void take(A x) {
        if (x < best || x != x) best = x;
    }
    A result(int64_t) const { return best; }
};

template <class A>
struct L1 : Sum<A> {
    void take(A x) {
        if constexpr (std::is_unsigned_v<A>) {
            this->total = wrappedAdd(this->total, x);
        } else {
            this->total = x < 0 ? wrappedSubtract(this->total, x) : wrappedAdd(this->total, x);
        }
    }
};

template <class A>
struct SumOfSquares : Sum<A> {
    void take(A x) { this->total = wrappedAdd(this->total, wrappedMultiply(x, x)); }
};

template <class A>
struct L2 : SumOfSquares<A> {
    A result(int64_t) const { return convertNumber<A>(std::sqrt(static_cast<double>(this->total))); }
};

template <class A>
struct LogSum : Sum<A> {
    A result(int64_t) const { return convertNumber<A>(std::log(static_cast<double>(this->total))); }
};

/// log(sum(exp(x))) without overflow: keeps the sum relative to the largest element so far.
template <class A>
struct LogSumExp {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    void take(A element) {
        const auto x = static_cast<double>(element);
        if (x > largest) {
            sum = std::isinf(largest) ? 0 : sum * std::exp(largest - x);
            largest = x;
        }
        sum += std::isinf(largest) ? (x == largest ? 1 : 0) : std::exp(x - largest);
        if (std::isnan(x)) sum = x;
    }
    A result(int64_t) const { return convertNumber<A>(largest + std::log(sum)); }
};

template <class T>
using Accumulator = std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, T,
                                       std::conditional_t<std::is_same_v<T, bool>, uint8_t, double>>;

template <template <class> class Reduction, class T>
void reduce(KernelContext& context) {
    using A = Accumulator<T>;
    const Tensor& input = context.input(0);
    const ReductionWalk walk(context, context.attributes<ReductionAttributes>());
    Tensor& output = context.output(0, input.type(), walk.outputDims());
    const auto from = input.values<T>();
    const auto to = output.mutableValues<T>();
    std::vector<Reduction<A>> accumulators(to.size());
    walk.forEach([&](int64_t position, int64_t at) {
        accumulators[static_cast<size_t>(at)].take(static_cast<A>(from[static_cast<size_t>(position)]));
    });
    for (size_t i = 0; i < to.size(); ++i) {
        const A result = accumulators[i].result(walk.reducedCount());
        if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
            to[i] = T(static_cast<float>(result));
        } else {
            to[i] = static_cast<T>(result);
        }
    }
}

template <template <class> class Reduction>
void reference(KernelContext& context) {
    dispatchNumeric(context.input(0).type(),
                    [&]<typename T>(std::type_identity<T>) { reduce<Reduction, T>(context); });
}

/// The forms that also take bool, where true is more than false.
template <template <class> class Reduction>
void referenceOrdered(KernelContext& context) {
    if (context.input(0).type() == DataType::boolean) return reduce<Reduction, bool>(context);
    reference<Reduction>(context);
}

/// A product over all elements of shape arithmetic is the element count that many exporters compute.
void inferProduct(InferContext& context) {
    inferReduction(context);
    const auto elements = context.inputElements(0);
    const auto rank = context.inputRank(0);
    if (!elements || !rank || *rank != 1) return;
    Dim product = 1;
    for (const Dim& element : *elements) product *= element;
    context.setOutputElements(0, {product});
}

Work specialPerOutputToo(const WorkContext& context) {
    return {.otherFlops = context.inputElements(0), .specialFunctions = context.outputElements(0)};
}

Work specialPerInput(const WorkContext& context) {
    return {.otherFlops = context.inputElements(0), .specialFunctions = context.inputElements(0)};
}

/// `axes` was an attribute until it became input 1.
void axesToInput(NodeRewriter& node, int version) {
    node.integersToInput("axes", 1);
    node.setVersion(version);
}

template <int version>
void axesToInputOf(NodeRewriter& node) {
    axesToInput(node, version);
}

#define OPSCOPE_REDUCTION(variable, opName, newest, inferFunction, workFunction, kernel)                    \
    const OpDef variable{                                                                                   \
        .name = opName,                                                                                     \
        .sinceVersion = newest,                                                                             \
        .attributes = parsed<readReduction>,                                                                \
        .infer = inferFunction,                                                                             \
        .work = workFunction,                                                                               \
        .reference = kernel,                                                                                \
    };                                                                                                      \
    const Register<OpDef> variable##Registered{variable};                                                   \
    const OpUpgrade variable##Upgrade{.name = opName, .sinceVersion = 1, .rewrite = axesToInputOf<newest>}; \
    const Register<OpUpgrade> variable##UpgradeRegistered { variable##Upgrade }

OPSCOPE_REDUCTION(sum, "ReduceSum", 13, inferReduction, onePerInput, reference<Sum>);
OPSCOPE_REDUCTION(mean, "ReduceMean", 18, inferReduction, onePerInput, reference<Mean>);
OPSCOPE_REDUCTION(product, "ReduceProd", 18, inferProduct, onePerInput, reference<Product>);
OPSCOPE_REDUCTION(maximum, "ReduceMax", 18, inferReduction, onePerInput, referenceOrdered<Maximum>);
OPSCOPE_REDUCTION(minimum, "ReduceMin", 18, inferReduction, onePerInput, referenceOrdered<Minimum>);
OPSCOPE_REDUCTION(l1, "ReduceL1", 18, inferReduction, onePerInput, reference<L1>);
OPSCOPE_REDUCTION(l2, "ReduceL2", 18, inferReduction, specialPerOutputToo, reference<L2>);
OPSCOPE_REDUCTION(squares, "ReduceSumSquare", 18, inferReduction, onePerInput, reference<SumOfSquares>);
OPSCOPE_REDUCTION(logSum, "ReduceLogSum", 18, inferReduction, specialPerOutputToo, reference<LogSum>);
OPSCOPE_REDUCTION(logSumExp, "ReduceLogSumExp", 18, inferReduction, specialPerInput, reference<LogSumExp>);

#undef OPSCOPE_REDUCTION

}  // namespace
}  // namespace engine
