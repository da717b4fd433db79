#include <cmath>
#include <limits>

#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/rows_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

/// x * scale + mask into y, and the largest of them.
HWY_INLINE float scaledMaximum(const float* x, const float* mask, float scale, float* y, size_t n) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const FloatVector factor = splat(scale);
    FloatVector most = splat(-std::numeric_limits<float>::infinity());
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const FloatVector v = mask == nullptr
                                  ? hn::Mul(hn::LoadU(d, x + i), factor)
                                  : hn::MulAdd(hn::LoadU(d, x + i), factor, hn::LoadU(d, mask + i));
        hn::StoreU(v, d, y + i);
        most = hn::Max(most, v);
    }
    float largest = hn::GetLane(hn::MaxOfLanes(d, most));
    for (; i < n; ++i) {
        y[i] = x[i] * scale + (mask == nullptr ? 0 : mask[i]);
        largest = std::max(largest, y[i]);
    }
    return largest;
}

/// e^(x - shift) into y, and their sum.
HWY_INLINE float exponentials(const float* x, float* y, size_t n, float shift) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const FloatVector most = splat(shift);
    FloatVector a = hn::Zero(d);
    FloatVector b = hn::Zero(d);
    const auto power = [&](FloatVector v) HWY_ATTR { return expNegative(hn::Sub(v, most)); };
    size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        const FloatVector first = power(hn::LoadU(d, x + i));
        const FloatVector second = power(hn::LoadU(d, x + i + lanes));
        hn::StoreU(first, d, y + i);
        hn::StoreU(second, d, y + i + lanes);
        a = hn::Add(a, first);
        b = hn::Add(b, second);
    }
    for (; i < n; i += lanes) {
        const size_t count = std::min(lanes, n - i);
        const FloatVector value = power(loadFirst(x + i, count));
        storeFirst(value, y + i, count);
        a = hn::Add(a, hn::IfThenElseZero(hn::FirstN(d, count), value));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
}

HWY_INLINE void multiplyRow(float* y, size_t n, float factor) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const FloatVector v = splat(factor);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, y + i), v), d, y + i);
    for (; i < n; ++i) y[i] *= factor;
}

void maskedSoftmaxRow(const float* x, const float* mask, float scale, float* y, size_t n) {
    const float largest = scaledMaximum(x, mask, scale, y, n);
    const float sum = exponentials(y, y, n, largest);
    multiplyRow(y, n, 1 / sum);
}

void softmaxOneRow(SoftmaxKind kind, const float* x, float* y, size_t n, float* spare) {
    const float largest = maximumOf(x, n);
    if (kind == SoftmaxKind::plain) {
        const float sum = exponentials(x, y, n, largest);
        multiplyRow(y, n, 1 / sum);
        return;
    }
    float sum = 0;
    constexpr size_t chunk = 256;
    for (size_t i = 0; i < n; i += chunk) sum += exponentials(x + i, spare, std::min(chunk, n - i), largest);
    // First the largest, so that nothing is lost where it is far from zero.
    const float shift = std::log(sum);
    for (size_t i = 0; i < n; ++i) y[i] = (x[i] - largest) - shift;
}

/// Along the middle of [reduced, inner], for `count` neighbouring columns at most one vector wide.
void softmaxColumns(SoftmaxKind kind, const float* x, float* y, size_t reduced, size_t inner, size_t count) {
    const FloatTag d;
    const bool isWhole = count == hn::Lanes(d);
    const auto load = [&](const float* from)
                          HWY_ATTR { return isWhole ? hn::LoadU(d, from) : loadFirst(from, count); };
    const auto store = [&](FloatVector v, float* to) HWY_ATTR {
        if (isWhole) {
            hn::StoreU(v, d, to);
        } else {
            storeFirst(v, to, count);
        }
    };
    FloatVector most = splat(-std::numeric_limits<float>::infinity());
    for (size_t r = 0; r < reduced; ++r) most = maximumKeepingNan(most, load(x + r * inner));
    FloatVector sum = hn::Zero(d);
    for (size_t r = 0; r < reduced; ++r) {
        const FloatVector power = expOf(hn::Sub(load(x + r * inner), most));
        if (kind == SoftmaxKind::plain) store(power, y + r * inner);
        sum = hn::Add(sum, power);
    }
    if (kind == SoftmaxKind::plain) {
        const FloatVector factor = hn::Div(splat(1), sum);
        for (size_t r = 0; r < reduced; ++r) store(hn::Mul(load(y + r * inner), factor), y + r * inner);
    } else {
        const FloatVector shift = logOf(sum);
        for (size_t r = 0; r < reduced; ++r)
            store(hn::Sub(hn::Sub(load(x + r * inner), most), shift), y + r * inner);
    }
}

size_t vectorLanes() { return hn::Lanes(FloatTag()); }

void normalizeRow(const NormRows& rows, const NormPointers& at) {
    using V = FloatVector;
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const auto n = static_cast<size_t>(rows.n);
    const float* x = at.x;
    if (at.residual != nullptr) {
        float* sum = at.sum != nullptr ? at.sum : at.y;
        size_t i = 0;
        for (; i + lanes <= n; i += lanes) {
            hn::StoreU(hn::Add(hn::LoadU(d, at.x + i), hn::LoadU(d, at.residual + i)), d, sum + i);
        }
        for (; i < n; ++i) sum[i] = at.x[i] + at.residual[i];
        x = sum;
    }
    const float mean =
        rows.isCentred ? sumOf(x, n, [](V v) HWY_ATTR { return v; }) / static_cast<float>(n) : 0;
    const V centre = splat(mean);
    const float squares = sumOf(x, n, [&](V v) HWY_ATTR {
        const V distance = hn::Sub(v, centre);
        return hn::Mul(distance, distance);
    });
    const float inverse = 1 / std::sqrt(squares / static_cast<float>(n) + rows.epsilon);
    const V factor = splat(inverse);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        V v = hn::Mul(hn::Sub(hn::LoadU(d, x + i), centre), factor);
        if (at.gamma != nullptr) v = hn::Mul(v, hn::LoadU(d, at.gamma + i));
        if (at.beta != nullptr) v = hn::Add(v, hn::LoadU(d, at.beta + i));
        hn::StoreU(v, d, at.y + i);
    }
    for (; i < n; ++i) {
        const float v = (x[i] - mean) * inverse * (at.gamma != nullptr ? at.gamma[i] : 1);
        at.y[i] = v + (at.beta != nullptr ? at.beta[i] : 0);
    }
}

template <PoolKind kind>
void poolRowOf(const PoolRow& row, const float* from, const int64_t* offsets, size_t taps, float* to) {
    const FloatTag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const FloatVector factor = splat(row.factor);
    const auto join = [](FloatVector sum, FloatVector v) HWY_ATTR {
        return kind == PoolKind::maximum ? maximumKeepingNan(sum, v) : hn::Add(sum, v);
    };
    // Neighbouring pixels are one stretch of numbers where windows move on by one pixel.
    const bool isOneStretch = row.step == row.channels;
    const int64_t pixels = isOneStretch ? 1 : row.count;
    const int64_t width = isOneStretch ? row.count * row.channels : row.channels;
    for (int64_t pixel = 0; pixel < pixels; ++pixel) {
        const float* source = from + pixel * row.step;
        float* target = to + pixel * row.channels;
        int64_t c = 0;
        for (; c + lanes <= width; c += lanes) {
            FloatVector sum = hn::LoadU(d, source + offsets[0] + c);
            for (size_t tap = 1; tap < taps; ++tap) sum = join(sum, hn::LoadU(d, source + offsets[tap] + c));
            if (kind == PoolKind::average) sum = hn::Mul(sum, factor);
            hn::StoreU(sum, d, target + c);
        }
        if (c == width) continue;
        const auto rest = static_cast<size_t>(width - c);
        FloatVector sum = loadFirst(source + offsets[0] + c, rest);
        for (size_t tap = 1; tap < taps; ++tap) sum = join(sum, loadFirst(source + offsets[tap] + c, rest));
        if (kind == PoolKind::average) sum = hn::Mul(sum, factor);
        storeFirst(sum, target + c, rest);
    }
}

void poolRowAny(const PoolRow& row, const float* from, const int64_t* offsets, size_t taps, float* to) {
    if (row.kind == PoolKind::maximum) {
        poolRowOf<PoolKind::maximum>(row, from, offsets, taps, to);
    } else {
        poolRowOf<PoolKind::average>(row, from, offsets, taps, to);
    }
}

void blendOne(const float* const* from, const float* weights, size_t taps, float* to, size_t channels) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t c = 0;
    for (; c + lanes <= channels; c += lanes) {
        FloatVector sum = hn::Mul(hn::LoadU(d, from[0] + c), splat(weights[0]));
        for (size_t k = 1; k < taps; ++k) sum = hn::MulAdd(hn::LoadU(d, from[k] + c), splat(weights[k]), sum);
        hn::StoreU(sum, d, to + c);
    }
    for (; c < channels; ++c) {
        float sum = 0;
        for (size_t k = 0; k < taps; ++k) sum += from[k][c] * weights[k];
        to[c] = sum;
    }
}

void lstmCellOne(const float* gates, float* cell, float* state, size_t hidden) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    for (size_t i = 0; i < hidden; i += lanes) {
        const size_t count = std::min(lanes, hidden - i);
        const auto load = [&](const float* from) HWY_ATTR {
            return count == lanes ? hn::LoadU(d, from + i) : loadFirst(from + i, count);
        };
        const FloatVector input = sigmoidOf(load(gates));
        const FloatVector output = sigmoidOf(load(gates + hidden));
        const FloatVector forget = sigmoidOf(load(gates + 2 * hidden));
        const FloatVector candidate = tanhOf(load(gates + 3 * hidden));
        const FloatVector memory = hn::MulAdd(forget, load(cell), hn::Mul(input, candidate));
        const FloatVector value = hn::Mul(output, tanhOf(memory));
        if (count == lanes) {
            hn::StoreU(memory, d, cell + i);
            hn::StoreU(value, d, state + i);
        } else {
            storeFirst(memory, cell + i, count);
            storeFirst(value, state + i, count);
        }
    }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(maskedSoftmaxRow);
HWY_EXPORT(softmaxOneRow);
HWY_EXPORT(softmaxColumns);
HWY_EXPORT(vectorLanes);
HWY_EXPORT(normalizeRow);
HWY_EXPORT(poolRowAny);
HWY_EXPORT(blendOne);
HWY_EXPORT(lstmCellOne);

void softmax(SoftmaxKind kind, const ReduceSpace& space, const float* x, float* y, int threads) {
    const int64_t slice = space.reduced * space.inner;
    threads = threadsFor(threads, space.outer * slice * 16);
    if (space.inner == 1) {
        return parallelRange(threads, space.outer, [&](int64_t begin, int64_t end, int) {
            float spare[256];
            for (int64_t outer = begin; outer < end; ++outer) {
                HWY_DYNAMIC_DISPATCH(softmaxOneRow)
                (kind, x + outer * slice, y + outer * slice, space.reduced, spare);
            }
        });
    }
    const auto lanes = static_cast<int64_t>(HWY_DYNAMIC_DISPATCH(vectorLanes)());
    const int64_t blocks = (space.inner + lanes - 1) / lanes;
    parallelRange(threads, space.outer * blocks, [&](int64_t begin, int64_t end, int) {
        for (int64_t index = begin; index < end; ++index) {
            const int64_t column = index % blocks * lanes;
            const int64_t at = index / blocks * slice + column;
            HWY_DYNAMIC_DISPATCH(softmaxColumns)
            (kind, x + at, y + at, space.reduced, space.inner, std::min(lanes, space.inner - column));
        }
    });
}

void softmaxRow(float* x, const float* mask, float scale, size_t n) {
    HWY_DYNAMIC_DISPATCH(maskedSoftmaxRow)(x, mask, scale, x, n);
}

void normalizeRows(const NormRows& rows, const NormPointers& pointers, int threads) {
    parallelRange(threadsFor(threads, rows.rows * rows.n * 8), rows.rows,
                  [&](int64_t begin, int64_t end, int) {
                      for (int64_t row = begin; row < end; ++row) {
                          const int64_t at = row * rows.n;
                          NormPointers its = pointers;
                          its.x += at;
                          its.y += at;
                          if (its.residual != nullptr) its.residual += at;
                          if (its.sum != nullptr) its.sum += at;
                          HWY_DYNAMIC_DISPATCH(normalizeRow)(rows, its);
                      }
                  });
}

void poolRow(const PoolRow& row, const float* from, const int64_t* offsets, size_t taps, float* to) {
    HWY_DYNAMIC_DISPATCH(poolRowAny)(row, from, offsets, taps, to);
}

void blendPixel(const float* const* from, const float* weights, size_t taps, float* to, size_t channels) {
    HWY_DYNAMIC_DISPATCH(blendOne)(from, weights, taps, to, channels);
}

void lstmCell(const float* gates, float* cell, float* state, size_t hidden) {
    HWY_DYNAMIC_DISPATCH(lstmCellOne)(gates, cell, state, hidden);
}

}  // namespace engine::cpu
#endif
