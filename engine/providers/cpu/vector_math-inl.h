// Elementary functions and sums on vectors of floats; included once per vector target.
#if defined(OPSCOPE_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OPSCOPE_VECTOR_MATH_INL_H_
#undef OPSCOPE_VECTOR_MATH_INL_H_
#else
#define OPSCOPE_VECTOR_MATH_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

HWY_INLINE FloatVector splat(float value) { return hn::Set(FloatTag(), value); }

template <size_t count>
HWY_INLINE FloatVector polynomial(FloatVector x, const float (&coefficients)[count]) {
    FloatVector sum = splat(coefficients[count - 1]);
    for (size_t index = count - 1; index-- > 0;) sum = hn::MulAdd(sum, x, splat(coefficients[index]));
    return sum;
}

/// The first `count` lanes, zero elsewhere; never reads past them.
HWY_INLINE FloatVector loadFirst(const float* from, size_t count) {
    const FloatTag d;
#if HWY_TARGET <= HWY_AVX2
    return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#else
    HWY_ALIGN float lanes[hn::MaxLanes(FloatTag())] = {};
    for (size_t lane = 0; lane < count; ++lane) lanes[lane] = from[lane];
    return hn::Load(d, lanes);
#endif
}

HWY_INLINE void storeFirst(FloatVector v, float* to, size_t count) {
    const FloatTag d;
#if HWY_TARGET <= HWY_AVX2
    hn::BlendedStore(v, hn::FirstN(d, count), d, to);
#else
    HWY_ALIGN float lanes[hn::MaxLanes(FloatTag())];
    hn::Store(v, d, lanes);
    for (size_t lane = 0; lane < count; ++lane) to[lane] = lanes[lane];
#endif
}

/// e^r for |r| <= ln(2)/2 times 2^n: what all exponentials here share. x = n ln 2 + r.
struct Reduced {
    FloatVector n;
    FloatVector power;  ///< e^r
};
HWY_INLINE Reduced reduceExponent(FloatVector x) {
    const FloatVector n = hn::Round(hn::Mul(x, splat(1.44269504F)));
    FloatVector r = hn::NegMulAdd(n, splat(0.693145752F), x);
    r = hn::NegMulAdd(n, splat(1.42860677e-6F), r);
    // In pairs, so that products need not wait for each other.
    const FloatVector square = hn::Mul(r, r);
    const FloatVector first = hn::Add(r, splat(1.0F));
    const FloatVector second = hn::MulAdd(r, splat(1.66666567e-1F), splat(0.5F));
    const FloatVector third = hn::MulAdd(r, splat(8.33369456e-3F), splat(4.16657962e-2F));
    const FloatVector high = hn::MulAdd(square, splat(1.39304576e-3F), third);
    return {n, hn::MulAdd(hn::MulAdd(high, square, second), square, first)};
}

/// Whether there is an instruction that multiplies by powers of two, also those that are no normal numbers.
#undef OPSCOPE_HAS_SCALE
#if HWY_TARGET <= HWY_AVX3
#define OPSCOPE_HAS_SCALE 1
HWY_INLINE FloatVector scaled(FloatVector x, FloatVector n) {
    return FloatVector{_mm512_scalef_ps(x.raw, n.raw)};
}
#else
#define OPSCOPE_HAS_SCALE 0
#endif

HWY_INLINE FloatVector powerOfTwo(FloatVector n) {
    const hn::RebindToSigned<FloatTag> di;
    const auto biased = hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127));
    return hn::BitCast(FloatTag(), hn::ShiftLeft<23>(biased));
}

/// e^x where -87 <= x <= 88 is known.
HWY_INLINE FloatVector expBounded(FloatVector x) {
    const Reduced reduced = reduceExponent(x);
#if OPSCOPE_HAS_SCALE
    return scaled(reduced.power, reduced.n);
#else
    return hn::Mul(reduced.power, powerOfTwo(reduced.n));
#endif
}

/// x where it is NaN, else y.
HWY_INLINE FloatVector keepNan(FloatVector x, FloatVector y) { return hn::IfThenElse(hn::IsNaN(x), x, y); }

HWY_INLINE FloatVector clampTo(FloatVector x, float low, float high) {
    return hn::Min(hn::Max(x, splat(low)), splat(high));
}

#if OPSCOPE_HAS_SCALE
// The instructions for the larger and the smaller give the second operand where one is NaN.
HWY_INLINE FloatVector expOf(FloatVector x) {
    return expBounded(hn::Max(splat(-104.0F), hn::Min(splat(89.0F), x)));
}
/// e^x where x <= 0 is known, or NaN.
HWY_INLINE FloatVector expNegative(FloatVector x) { return expBounded(hn::Max(splat(-104.0F), x)); }
#else
HWY_INLINE FloatVector expOf(FloatVector x) {
    const Reduced reduced = reduceExponent(clampTo(x, -104.0F, 89.0F));
    const FloatVector half = hn::Floor(hn::Mul(reduced.n, splat(0.5F)));
    const FloatVector once = hn::Mul(reduced.power, powerOfTwo(half));
    return keepNan(x, hn::Mul(once, powerOfTwo(hn::Sub(reduced.n, half))));
}
/// e^x where x <= 0 is known, or NaN. Below e^-87 the power is no normal number any more, and becomes 0.
HWY_INLINE FloatVector expNegative(FloatVector x) {
    const FloatVector value = expBounded(hn::Max(x, splat(-87.0F)));
    return keepNan(x, hn::IfThenElseZero(hn::Gt(x, splat(-87.0F)), value));
}
#endif

HWY_INLINE FloatVector sigmoidOf(FloatVector x) {
    const FloatVector e = expBounded(clampTo(hn::Neg(x), -87.0F, 88.0F));
    const FloatVector value = hn::Div(splat(1), hn::Add(splat(1), e));
    // Zero far below, so that its product with the largest numbers is none too.
    return keepNan(x, hn::IfThenZeroElse(hn::Lt(x, splat(-88.0F)), value));
}

/// x P(x^2) / Q(x^2), a minimax fit of relative error under 1e-8 on [0, 9].
HWY_INLINE FloatVector tanhOf(FloatVector x) {
    const FloatVector bounded = clampTo(x, -9.0F, 9.0F);
    const FloatVector t = hn::Mul(bounded, bounded);
    const float p[] = {1.0F,
                       1.30840099e-1F,
                       3.10395597e-3F,
                       1.11543034e-5F,
                       -2.02251943e-8F,
                       5.27792818e-11F,
                       -8.48864825e-14F};
    const float q[] = {1.0F, 4.64173371e-1F, 2.44951777e-2F, 2.54614472e-4F};
    const FloatVector value = hn::Div(hn::Mul(bounded, polynomial(t, p)), polynomial(t, q));
    // Exactly one from 9 on, so that 1 + tanh of far below is exactly zero.
    const FloatVector whole = hn::CopySign(splat(1), x);
    const auto isSmall = hn::Lt(hn::Abs(x), splat(9));
    return keepNan(x, hn::IfThenElse(isSmall, clampTo(value, -1.0F, 1.0F), whole));
}

/// Near zero x P(x^2), else 1 - e^-Q(|x|) with Q a fit of -log(erfc).
HWY_INLINE FloatVector erfOf(FloatVector x) {
    const FloatTag d;
    const FloatVector a = hn::Min(hn::Abs(x), splat(4.0F));
    const float near[] = {1.12837911e+0F, -3.76126260e-1F, 1.12835854e-1F, -2.68538166e-2F,
                          5.18833473e-3F, -8.01024784e-4F, 7.85402663e-5F};
    const float far[] = {3.53708921e-4F,  1.12704003e+0F, 6.38225615e-1F, 1.03037432e-1F,
                         -2.18053516e-2F, 2.93961563e-3F, -1.85574900e-4F};
    const FloatVector small = hn::Mul(a, polynomial(hn::Mul(a, a), near));
    const FloatVector large = hn::Sub(splat(1), expBounded(hn::Neg(polynomial(a, far))));
    const FloatVector magnitude = hn::IfThenElse(hn::Lt(a, splat(1)), small, large);
    return keepNan(
        x, hn::Or(magnitude,
                  hn::And(x, hn::BitCast(d, hn::Set(hn::RebindToUnsigned<FloatTag>(), 0x80000000U)))));
}

HWY_INLINE FloatVector geluOf(FloatVector x) {
    const FloatVector half = hn::Mul(x, splat(0.5F));
    return hn::MulAdd(half, erfOf(hn::Mul(x, splat(0.707106781F))), half);
}

HWY_INLINE FloatVector geluTanhOf(FloatVector x) {
    const FloatVector cubic = hn::MulAdd(hn::Mul(hn::Mul(x, x), x), splat(0.044715F), x);
    const FloatVector half = hn::Mul(x, splat(0.5F));
    return hn::MulAdd(half, tanhOf(hn::Mul(cubic, splat(0.797884561F))), half);
}

HWY_INLINE FloatVector logOf(FloatVector x) {
    const FloatTag d;
    const FloatVector zero = hn::Zero(d);
    const FloatVector infinite = splat(std::numeric_limits<float>::infinity());
    FloatVector result = hn::Log(d, x);
    result = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinite), result);
    result = hn::IfThenElse(hn::Eq(x, infinite), infinite, result);
    return hn::IfThenElse(hn::Lt(x, zero), splat(std::numeric_limits<float>::quiet_NaN()),
                          keepNan(x, result));
}

/// log(1 + e^x) = max(x, 0) + log1p(e^-|x|).
HWY_INLINE FloatVector softplusOf(FloatVector x) {
    const FloatVector bounded = hn::Max(hn::Neg(hn::Abs(x)), splat(-87.0F));
    const FloatVector e = hn::IfThenElseZero(hn::Gt(bounded, splat(-87.0F)), expBounded(bounded));
    return keepNan(x, hn::Add(hn::Max(x, splat(0)), hn::Log1p(FloatTag(), e)));
}

/// Calls f(vector, isWhole) on the row; the last call may have fewer lanes, the rest filled with `fill`.
template <class F>
HWY_INLINE void forEachVector(const float* x, size_t n, float fill, const F& f) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) f(hn::LoadU(d, x + i));
    if (i < n) {
        const auto mask = hn::FirstN(d, n - i);
        f(hn::IfThenElse(mask, loadFirst(x + i, n - i), splat(fill)));
    }
}

// The instructions give the second operand where one is NaN.
#if HWY_TARGET <= HWY_AVX2
HWY_INLINE FloatVector maximumKeepingNan(FloatVector a, FloatVector b) { return keepNan(a, hn::Max(a, b)); }
HWY_INLINE FloatVector minimumKeepingNan(FloatVector a, FloatVector b) { return keepNan(a, hn::Min(a, b)); }
#else
HWY_INLINE FloatVector maximumKeepingNan(FloatVector a, FloatVector b) {
    return keepNan(a, keepNan(b, hn::Max(a, b)));
}
HWY_INLINE FloatVector minimumKeepingNan(FloatVector a, FloatVector b) {
    return keepNan(a, keepNan(b, hn::Min(a, b)));
}
#endif

/// NaN if there is one.
HWY_INLINE float maximumOf(const float* x, size_t n) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    // Four at a time, so that they need not wait for each other.
    FloatVector a = splat(-infinity);
    FloatVector b = a;
    FloatVector c = a;
    FloatVector most = a;
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        a = maximumKeepingNan(a, hn::LoadU(d, x + i));
        b = maximumKeepingNan(b, hn::LoadU(d, x + i + lanes));
        c = maximumKeepingNan(c, hn::LoadU(d, x + i + 2 * lanes));
        most = maximumKeepingNan(most, hn::LoadU(d, x + i + 3 * lanes));
    }
    forEachVector(x + i, n - i, -infinity,
                  [&](FloatVector v) HWY_ATTR { most = maximumKeepingNan(most, v); });
    most = maximumKeepingNan(maximumKeepingNan(a, b), maximumKeepingNan(c, most));
    const bool hasNan = !hn::AllFalse(d, hn::IsNaN(most));
    return hasNan ? std::numeric_limits<float>::quiet_NaN() : hn::GetLane(hn::MaxOfLanes(d, most));
}

/// How many numbers are added up one after the other before their sum joins those of other stretches: a
/// single long sum of floats loses what is small beside it.
constexpr size_t stretchLength = 128;

/// Sum of f(x) over a stretch, four sums at a time so that they need not wait for each other.
template <class F>
HWY_INLINE float sumOfStretch(const float* x, size_t n, const F& f) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    FloatVector a = hn::Zero(d);
    FloatVector b = hn::Zero(d);
    FloatVector c = hn::Zero(d);
    FloatVector e = hn::Zero(d);
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        a = hn::Add(a, f(hn::LoadU(d, x + i)));
        b = hn::Add(b, f(hn::LoadU(d, x + i + lanes)));
        c = hn::Add(c, f(hn::LoadU(d, x + i + 2 * lanes)));
        e = hn::Add(e, f(hn::LoadU(d, x + i + 3 * lanes)));
    }
    for (; i + lanes <= n; i += lanes) a = hn::Add(a, f(hn::LoadU(d, x + i)));
    if (i < n) {
        const auto mask = hn::FirstN(d, n - i);
        b = hn::Add(b, hn::IfThenElseZero(mask, f(loadFirst(x + i, n - i))));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

template <class F>
HWY_INLINE float sumOf(const float* x, size_t n, const F& f) {
    const size_t stretch = stretchLength * 4 * hn::Lanes(FloatTag());
    if (n <= stretch) return sumOfStretch(x, n, f);
    double sum = 0;
    for (size_t i = 0; i < n; i += stretch) sum += sumOfStretch(x + i, std::min(stretch, n - i), f);
    return static_cast<float>(sum);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#endif
