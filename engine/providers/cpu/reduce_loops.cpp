#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/reduce_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

float reduceRow(Reduction reduction, const float* x, size_t n) {
    using V = FloatVector;
    const FloatTag d;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    switch (reduction) {
        case Reduction::sum:
            return sumOf(x, n, [](V v) HWY_ATTR { return v; });
        case Reduction::mean:
            return sumOf(x, n, [](V v) HWY_ATTR { return v; }) / static_cast<float>(n);
        case Reduction::l1:
            return sumOf(x, n, [](V v) HWY_ATTR { return hn::Abs(v); });
        case Reduction::l2:
            return std::sqrt(sumOf(x, n, [](V v) HWY_ATTR { return hn::Mul(v, v); }));
        case Reduction::sumSquare:
            return sumOf(x, n, [](V v) HWY_ATTR { return hn::Mul(v, v); });
        case Reduction::maximum:
            return maximumOf(x, n);
        case Reduction::minimum: {
            V least = splat(infinity);
            forEachVector(x, n, infinity, [&](V v) HWY_ATTR { least = minimumKeepingNan(least, v); });
            const bool hasNan = !hn::AllFalse(d, hn::IsNaN(least));
            return hasNan ? std::numeric_limits<float>::quiet_NaN() : hn::GetLane(hn::MinOfLanes(d, least));
        }
    }
    return 0;
}

/// f takes a number up into a stretch's result; join takes that up into the whole.
template <class F, class Join>
void columnsWith(const float* x, float* y, size_t reduced, size_t inner, float start, const F& f,
                 const Join& join) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + 2 * lanes <= inner; i += 2 * lanes) {
        FloatVector a = splat(start);
        FloatVector b = a;
        for (size_t r = 0; r < reduced;) {
            const size_t end = std::min(r + stretchLength, reduced);
            FloatVector partA = splat(start);
            FloatVector partB = partA;
            for (; r < end; ++r) {
                partA = f(partA, hn::LoadU(d, x + r * inner + i));
                partB = f(partB, hn::LoadU(d, x + r * inner + i + lanes));
            }
            a = join(a, partA);
            b = join(b, partB);
        }
        hn::StoreU(a, d, y + i);
        hn::StoreU(b, d, y + i + lanes);
    }
    for (; i < inner; i += lanes) {
        const size_t count = std::min(lanes, inner - i);
        FloatVector a = splat(start);
        for (size_t r = 0; r < reduced;) {
            const size_t end = std::min(r + stretchLength, reduced);
            FloatVector part = splat(start);
            if (count == lanes) {
                for (; r < end; ++r) part = f(part, hn::LoadU(d, x + r * inner + i));
            } else {
                for (; r < end; ++r) part = f(part, loadFirst(x + r * inner + i, count));
            }
            a = join(a, part);
        }
        storeFirst(a, y + i, count);
    }
}

void reduceColumns(Reduction reduction, const float* x, float* y, size_t reduced, size_t inner) {
    using V = FloatVector;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto add = [](V a, V v) HWY_ATTR { return hn::Add(a, v); };
    const auto most = [](V a, V v) HWY_ATTR { return maximumKeepingNan(a, v); };
    const auto least = [](V a, V v) HWY_ATTR { return minimumKeepingNan(a, v); };
    switch (reduction) {
        case Reduction::sum:
        case Reduction::mean:
            columnsWith(x, y, reduced, inner, 0, add, add);
            break;
        case Reduction::l1:
            columnsWith(
                x, y, reduced, inner, 0, [](V a, V v) HWY_ATTR { return hn::Add(a, hn::Abs(v)); }, add);
            break;
        case Reduction::l2:
        case Reduction::sumSquare:
            columnsWith(
                x, y, reduced, inner, 0, [](V a, V v) HWY_ATTR { return hn::MulAdd(v, v, a); }, add);
            break;
        case Reduction::maximum:
            columnsWith(x, y, reduced, inner, -infinity, most, most);
            break;
        case Reduction::minimum:
            columnsWith(x, y, reduced, inner, infinity, least, least);
            break;
    }
    if (reduction == Reduction::mean) {
        for (size_t i = 0; i < inner; ++i) y[i] /= static_cast<float>(reduced);
    }
    if (reduction == Reduction::l2) {
        for (size_t i = 0; i < inner; ++i) y[i] = std::sqrt(y[i]);
    }
}

template <bool isMaximum>
HWY_INLINE hn::Mask<FloatTag> wins(FloatVector candidate, FloatVector best) {
    return isMaximum ? hn::Gt(candidate, best) : hn::Lt(candidate, best);
}

/// The largest or smallest of a row, NaNs aside.
template <bool isMaximum>
float bestOf(const float* x, size_t n) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const auto better = [](FloatVector v, FloatVector best)
                            HWY_ATTR { return hn::IfThenElse(wins<isMaximum>(v, best), v, best); };
    FloatVector bests[4] = {splat(x[0]), splat(x[0]), splat(x[0]), splat(x[0])};
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        for (size_t k = 0; k < 4; ++k) bests[k] = better(hn::LoadU(d, x + i + k * lanes), bests[k]);
    }
    for (; i + lanes <= n; i += lanes) bests[0] = better(hn::LoadU(d, x + i), bests[0]);
    HWY_ALIGN float found[hn::MaxLanes(FloatTag())];
    hn::Store(better(better(bests[0], bests[1]), better(bests[2], bests[3])), d, found);
    float best = found[0];
    const auto take = [&](float v) {
        if (isMaximum ? v > best : v < best) best = v;
    };
    for (size_t lane = 1; lane < lanes; ++lane) take(found[lane]);
    for (; i < n; ++i) take(x[i]);
    return best;
}

template <bool isMaximum>
int64_t argRow(bool takesLast, const float* x, size_t n) {
    if (x[0] != x[0]) return 0;
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const float best = bestOf<isMaximum>(x, n);
    if (takesLast) {
        size_t i = n - 1;
        while (x[i] != best) --i;
        return static_cast<int64_t>(i);
    }
    size_t i = 0;
    const FloatVector wanted = splat(best);
    while (i + lanes <= n && hn::AllFalse(d, hn::Eq(hn::LoadU(d, x + i), wanted))) i += lanes;
    while (x[i] != best) ++i;
    return static_cast<int64_t>(i);
}

/// For `count` neighbouring columns, at most one vector wide.
template <bool isMaximum>
void argColumns(bool takesLast, const float* x, size_t reduced, size_t inner, size_t count, int64_t* y) {
    const FloatTag d;
    const hn::RebindToSigned<FloatTag> di;
    const bool isWhole = count == hn::Lanes(d);
    const auto load = [&](const float* from)
                          HWY_ATTR { return isWhole ? hn::LoadU(d, from) : loadFirst(from, count); };
    FloatVector best = load(x);
    auto places = hn::Zero(di);
    for (size_t r = 1; r < reduced; ++r) {
        const FloatVector v = load(x + r * inner);
        auto isNew = wins<isMaximum>(v, best);
        if (takesLast) isNew = hn::Or(isNew, hn::Eq(v, best));
        best = hn::IfThenElse(isNew, v, best);
        places = hn::IfThenElse(hn::RebindMask(di, isNew), hn::Set(di, static_cast<int32_t>(r)), places);
    }
    HWY_ALIGN int32_t found[hn::MaxLanes(FloatTag())];
    hn::Store(places, di, found);
    for (size_t lane = 0; lane < count; ++lane) y[lane] = found[lane];
}

template <bool isMaximum>
void argSlice(bool takesLast, const float* x, int64_t* y, size_t reduced, size_t inner) {
    if (inner == 1) {
        *y = argRow<isMaximum>(takesLast, x, reduced);
        return;
    }
    const size_t lanes = hn::Lanes(FloatTag());
    for (size_t i = 0; i < inner; i += lanes) {
        argColumns<isMaximum>(takesLast, x + i, reduced, inner, std::min(lanes, inner - i), y + i);
    }
}

void argAny(const ArgChoice& choice, const float* x, int64_t* y, size_t reduced, size_t inner) {
    if (choice.isMaximum) return argSlice<true>(choice.takesLast, x, y, reduced, inner);
    argSlice<false>(choice.takesLast, x, y, reduced, inner);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(reduceRow);
HWY_EXPORT(reduceColumns);
HWY_EXPORT(argAny);

void argReduce(const ArgChoice& choice, const ReduceSpace& space, const float* x, int64_t* y, int threads) {
    forEachSlice(space, sizeof(float), threads, [&](int64_t from, int64_t to) {
        HWY_DYNAMIC_DISPATCH(argAny)(choice, x + from, y + to, space.reduced, space.inner);
    });
}

void reduce(Reduction reduction, const ReduceSpace& space, const float* x, float* y, int threads) {
    forEachSlice(space, sizeof(float), threads, [&](int64_t from, int64_t to) {
        if (space.inner == 1) {
            y[to] = HWY_DYNAMIC_DISPATCH(reduceRow)(reduction, x + from, space.reduced);
        } else {
            HWY_DYNAMIC_DISPATCH(reduceColumns)(reduction, x + from, y + to, space.reduced, space.inner);
        }
    });
}

}  // namespace engine::cpu
#endif
