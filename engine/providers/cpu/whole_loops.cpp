#include "engine/providers/cpu/whole_loops.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/whole_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops, compiled for each target with the compiler's own vectorisation (-O3, see CMakeLists.txt).

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

template <class T, class R, class F>
void combine(const WholeOperand* operands, void* result, int64_t n, const F& f) {
    const T* x = static_cast<const T*>(operands[0].at);
    const T* y = static_cast<const T*>(operands[1].at);
    R* __restrict to = static_cast<R*>(result);
    if (!operands[0].isOne && !operands[1].isOne) {
        for (int64_t i = 0; i < n; ++i) to[i] = static_cast<R>(f(x[i], y[i]));
    } else if (!operands[0].isOne) {
        const T right = *y;
        for (int64_t i = 0; i < n; ++i) to[i] = static_cast<R>(f(x[i], right));
    } else {
        const T left = *x;
        const bool isOne = operands[1].isOne;
        if (isOne) std::fill(to, to + n, static_cast<R>(f(left, *y)));
        for (int64_t i = 0; i < n && !isOne; ++i) to[i] = static_cast<R>(f(left, y[i]));
    }
}

template <class T>
void arithmetic(WholeFunction function, const WholeOperand* operands, void* to, int64_t n) {
    using U = std::make_unsigned_t<T>;
    switch (function) {
        case WholeFunction::add:
            return combine<U, U>(operands, to, n, [](U a, U b) { return a + b; });
        case WholeFunction::subtract:
            return combine<U, U>(operands, to, n, [](U a, U b) { return a - b; });
        case WholeFunction::multiply:
            return combine<U, U>(operands, to, n, [](U a, U b) { return a * b; });
        case WholeFunction::divide:
            return combine<T, T>(operands, to, n, [](T a, T b) {
                return b == -1 ? static_cast<T>(U{0} - static_cast<U>(a)) : a / b;
            });
        case WholeFunction::maximum:
            return combine<T, T>(operands, to, n, [](T a, T b) { return a < b ? b : a; });
        case WholeFunction::minimum:
            return combine<T, T>(operands, to, n, [](T a, T b) { return b < a ? b : a; });
        case WholeFunction::less:
            return combine<T, uint8_t>(operands, to, n, [](T a, T b) { return a < b; });
        case WholeFunction::lessOrEqual:
            return combine<T, uint8_t>(operands, to, n, [](T a, T b) { return a <= b; });
        case WholeFunction::clip: {
            const T low = *static_cast<const T*>(operands[1].at);
            const T high = *static_cast<const T*>(operands[2].at);
            const WholeOperand both[] = {operands[0], {&low, true}};
            return combine<T, T>(both, to, n, [high](T x, T least) {
                const T raised = x < least ? least : x;
                return high < raised ? high : raised;
            });
        }
        default:
            return;
    }
}

void logic(WholeFunction function, const WholeOperand* operands, void* to, int64_t n) {
    using B = uint8_t;
    switch (function) {
        case WholeFunction::logicalAnd:
            return combine<B, B>(operands, to, n, [](B a, B b) { return (a != 0) & (b != 0); });
        case WholeFunction::logicalOr:
            return combine<B, B>(operands, to, n, [](B a, B b) { return (a | b) != 0; });
        default:
            return combine<B, B>(operands, to, n, [](B a, B b) { return (a != 0) != (b != 0); });
    }
}

template <class T>
void choose(const WholeOperand* operands, void* result, int64_t n) {
    const auto* condition = static_cast<const uint8_t*>(operands[0].at);
    const T* yes = static_cast<const T*>(operands[1].at);
    const T* no = static_cast<const T*>(operands[2].at);
    T* __restrict to = static_cast<T*>(result);
    if (operands[0].isOne) {
        const WholeOperand& taken = operands[*condition != 0 ? 1 : 2];
        const T* from = static_cast<const T*>(taken.at);
        if (taken.isOne) {
            std::fill(to, to + n, *from);
        } else {
            std::copy(from, from + n, to);
        }
    } else if (!operands[1].isOne && !operands[2].isOne) {
        for (int64_t i = 0; i < n; ++i) {
            const T a = yes[i];
            const T b = no[i];
            to[i] = condition[i] != 0 ? a : b;
        }
    } else if (!operands[1].isOne) {
        const T other = *no;
        for (int64_t i = 0; i < n; ++i) {
            const T a = yes[i];
            to[i] = condition[i] != 0 ? a : other;
        }
    } else {
        const T first = *yes;
        const bool isOne = operands[2].isOne;
        const T second = *no;
        for (int64_t i = 0; i < n && isOne; ++i) to[i] = condition[i] != 0 ? first : second;
        for (int64_t i = 0; i < n && !isOne; ++i) {
            const T b = no[i];
            to[i] = condition[i] != 0 ? first : b;
        }
    }
}

template <class T>
void sized(WholeFunction function, const WholeOperand* operands, void* to, int64_t n) {
    if (function == WholeFunction::where) return choose<T>(operands, to, n);
    combine<T, uint8_t>(operands, to, n, [](T a, T b) { return a == b; });
}

void anyRow(WholeFunction function, DataType type, const WholeOperand* operands, void* to, int64_t n) {
    const bool isLogic = function == WholeFunction::logicalAnd || function == WholeFunction::logicalOr ||
                         function == WholeFunction::logicalXor;
    if (isLogic) return logic(function, operands, to, n);
    if (function != WholeFunction::where && function != WholeFunction::equal) {
        return type == DataType::int64 ? arithmetic<int64_t>(function, operands, to, n)
                                       : arithmetic<int32_t>(function, operands, to, n);
    }
    switch (bytesInMemory(type)) {
        case 1:
            return sized<uint8_t>(function, operands, to, n);
        case 2:
            return sized<uint16_t>(function, operands, to, n);
        case 4:
            return sized<uint32_t>(function, operands, to, n);
        default:
            return sized<uint64_t>(function, operands, to, n);
    }
}

template <class T, class F>
void reduceSlice(const T* x, T* __restrict y, int64_t reduced, int64_t inner, const F& f) {
    if (inner == 1) {
        T result = x[0];
        for (int64_t r = 1; r < reduced; ++r) result = f(result, x[r]);
        *y = result;
        return;
    }
    std::copy(x, x + inner, y);
    for (int64_t r = 1; r < reduced; ++r) {
        const T* row = x + r * inner;
        for (int64_t i = 0; i < inner; ++i) y[i] = f(y[i], row[i]);
    }
}

template <class T>
void reduceAs(Reduction reduction, const void* x, void* y, int64_t reduced, int64_t inner) {
    using U = std::make_unsigned_t<T>;
    const T* from = static_cast<const T*>(x);
    T* to = static_cast<T*>(y);
    if (reduction == Reduction::sum) {
        return reduceSlice(reinterpret_cast<const U*>(from), reinterpret_cast<U*>(to), reduced, inner,
                           [](U a, U b) { return a + b; });
    }
    if (reduction == Reduction::maximum) {
        return reduceSlice(from, to, reduced, inner, [](T a, T b) { return a < b ? b : a; });
    }
    reduceSlice(from, to, reduced, inner, [](T a, T b) { return b < a ? b : a; });
}

void reduceSliceAny(Reduction reduction, DataType type, const void* x, void* y, int64_t reduced,
                    int64_t inner) {
    if (type == DataType::int64) return reduceAs<int64_t>(reduction, x, y, reduced, inner);
    reduceAs<int32_t>(reduction, x, y, reduced, inner);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(anyRow);
HWY_EXPORT(reduceSliceAny);

bool hasWholeReduction(Reduction reduction, DataType type) {
    return (type == DataType::int32 || type == DataType::int64) &&
           (reduction == Reduction::sum || reduction == Reduction::maximum ||
            reduction == Reduction::minimum);
}

void reduceWhole(Reduction reduction, DataType type, const ReduceSpace& space, const void* x, void* y,
                 int threads) {
    const size_t size = bytesInMemory(type);
    forEachSlice(space, size, threads, [&](int64_t from, int64_t to) {
        HWY_DYNAMIC_DISPATCH(reduceSliceAny)
        (reduction, type, static_cast<const char*>(x) + from * static_cast<int64_t>(size),
         static_cast<char*>(y) + to * static_cast<int64_t>(size), space.reduced, space.inner);
    });
}

void wholeRow(WholeFunction function, DataType type, const WholeOperand* operands, void* to, int64_t n) {
    HWY_DYNAMIC_DISPATCH(anyRow)(function, type, operands, to, n);
}

}  // namespace engine::cpu
#endif
