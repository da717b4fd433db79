#include "engine/providers/cpu/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/top_k_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

template <bool wantsLarge>
int64_t nextNotWorse(const float* x, int64_t from, int64_t n, float bound) {
    const FloatTag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const FloatVector limit = splat(bound);
    const auto isWorse = [&](int64_t at) HWY_ATTR {
        const FloatVector v = hn::LoadU(d, x + at);
        return wantsLarge ? hn::Lt(v, limit) : hn::Gt(v, limit);
    };
    int64_t i = from;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        const auto first = hn::And(isWorse(i), isWorse(i + lanes));
        const auto second = hn::And(isWorse(i + 2 * lanes), isWorse(i + 3 * lanes));
        if (!hn::AllTrue(d, hn::And(first, second))) break;
    }
    while (i + lanes <= n && hn::AllTrue(d, isWorse(i))) i += lanes;
    while (i < n && (wantsLarge ? x[i] < bound : x[i] > bound)) ++i;
    return i;
}

int64_t nextAny(bool wantsLarge, const float* x, int64_t from, int64_t n, float bound) {
    return wantsLarge ? nextNotWorse<true>(x, from, n, bound) : nextNotWorse<false>(x, from, n, bound);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(nextAny);

int64_t nextCandidate(bool wantsLarge, const float* x, int64_t from, int64_t n, float bound) {
    return HWY_DYNAMIC_DISPATCH(nextAny)(wantsLarge, x, from, n, bound);
}

}  // namespace engine::cpu
#endif
