#include <algorithm>
#include <limits>

#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/planes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/planes_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

template <PoolKind kind>
HWY_INLINE FloatVector joined(FloatVector sum, FloatVector v) {
    return kind == PoolKind::maximum ? maximumKeepingNan(sum, v) : hn::Add(sum, v);
}

/// Brings rows of n numbers together.
template <PoolKind kind>
HWY_INLINE void joinRows(const float* plane, const int64_t* offsets, size_t count, int64_t n, float* to) {
    const FloatTag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        FloatVector sum = hn::LoadU(d, plane + offsets[0] + i);
        for (size_t k = 1; k < count; ++k) sum = joined<kind>(sum, hn::LoadU(d, plane + offsets[k] + i));
        hn::StoreU(sum, d, to + i);
        // The last vector may overlap the one before it.
        if (n - i - lanes > 0 && n - i - lanes < lanes) i = n - 2 * lanes;
    }
    if (i == n) return;
    const auto rest = static_cast<size_t>(n - i);
    FloatVector sum = loadFirst(plane + offsets[0] + i, rest);
    for (size_t k = 1; k < count; ++k) sum = joined<kind>(sum, loadFirst(plane + offsets[k] + i, rest));
    storeFirst(sum, to + i, rest);
}

/// One number of each of the next windows.
template <int64_t stride>
HWY_INLINE FloatVector loadApart(const float* from) {
    const FloatTag d;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (stride == 2) {
        return hn::ConcatEven(d, hn::LoadU(d, from + hn::Lanes(d)), hn::LoadU(d, from));
    }
#endif
    return hn::LoadU(d, from);
}

/// The windows of a line; stride is 1 or 2.
template <PoolKind kind, int64_t stride>
HWY_INLINE void joinColumns(const PlanePool& pool, const float* line, float divisor, float* to) {
    const FloatTag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t next = 0; next < pool.last.output; next += lanes) {
        // The last vector may overlap the one before it.
        const int64_t o = std::min(next, std::max<int64_t>(pool.last.output - lanes, 0));
        const float* from = line + o * stride;
        FloatVector sum = loadApart<stride>(from);
        for (int64_t k = 1; k < pool.last.kernel; ++k) {
            sum = joined<kind>(sum, loadApart<stride>(from + k * pool.last.dilation));
        }
        if (kind == PoolKind::average) {
            sum = hn::Div(sum, hn::Mul(splat(divisor), hn::LoadU(d, pool.divisors.data() + o)));
        }
        if (o + lanes <= pool.last.output) {
            hn::StoreU(sum, d, to + o);
        } else {
            storeFirst(sum, to + o, static_cast<size_t>(pool.last.output - o));
        }
    }
}

template <PoolKind kind>
HWY_INLINE void joinFarColumns(const PlanePool& pool, const float* line, float divisor, float* to) {
    for (int64_t o = 0; o < pool.last.output; ++o) {
        const float* from = line + o * pool.last.stride;
        float sum = from[0];
        for (int64_t k = 1; k < pool.last.kernel; ++k) {
            const float v = from[k * pool.last.dilation];
            if (kind == PoolKind::maximum) {
                sum = v > sum || v != v ? v : sum;
            } else {
                sum += v;
            }
        }
        to[o] = kind == PoolKind::average ? sum / (divisor * pool.divisors[o]) : sum;
    }
}

template <PoolKind kind>
void poolPart(const PlanePool& pool, const float* x, float* y, float* line, int64_t begin, int64_t end) {
    const float identity = kind == PoolKind::maximum ? -std::numeric_limits<float>::infinity() : 0;
    std::fill(line, line + pool.lineLength(), identity);
    // The stretch of the input that windows reach, and where the line has it.
    const int64_t reach = (pool.last.output - 1) * pool.last.stride + pool.last.extent();
    const int64_t first = std::max<int64_t>(0, -pool.last.padBegin);
    const int64_t count = std::min(pool.last.input, reach - pool.last.padBegin) - first;
    float* inside = line + first + pool.last.padBegin;
    const auto rows = static_cast<int64_t>(pool.rows.size());
    for (int64_t index = begin; index < end; ++index) {
        const PlanePool::Row& row = pool.rows[index % rows];
        const float* plane = x + index / rows * pool.inputPlane + first;
        joinRows<kind>(plane, pool.offsets.data() + row.first, row.count, count, inside);
        float* to = y + index * pool.last.output;
        if (pool.last.stride == 1) {
            joinColumns<kind, 1>(pool, line, row.divisor, to);
        } else if (pool.last.stride == 2 && HWY_TARGET != HWY_SCALAR) {
            joinColumns<kind, 2>(pool, line, row.divisor, to);
        } else {
            joinFarColumns<kind>(pool, line, row.divisor, to);
        }
    }
}

void poolAny(const PlanePool& pool, const float* x, float* y, float* line, int64_t begin, int64_t end) {
    if (pool.kind == PoolKind::maximum) return poolPart<PoolKind::maximum>(pool, x, y, line, begin, end);
    poolPart<PoolKind::average>(pool, x, y, line, begin, end);
}

/// A row of the input at the output's width.
HWY_INLINE void resizeRow(const PlaneResize& resize, const float* row, float* line) {
    const FloatTag d;
    const hn::RebindToSigned<FloatTag> di;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const int64_t length = resize.lineLength();
    for (int64_t o = 0; o < resize.outputColumns; o += lanes) {
        const int32_t* indices = resize.columnIndices.data() + o;
        const float* weights = resize.columnWeights.data() + o;
        FloatVector sum = hn::Mul(hn::GatherIndex(d, row, hn::LoadU(di, indices)), hn::LoadU(d, weights));
        for (int64_t tap = 1; tap < resize.columnTaps; ++tap) {
            indices += length;
            weights += length;
            sum = hn::MulAdd(hn::GatherIndex(d, row, hn::LoadU(di, indices)), hn::LoadU(d, weights), sum);
        }
        hn::StoreU(sum, d, line + o);
    }
}

HWY_INLINE void blendLines(const float* const* lines, const float* weights, int64_t taps, float* to,
                           int64_t n) {
    const FloatTag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        FloatVector sum = hn::Mul(hn::LoadU(d, lines[0] + i), splat(weights[0]));
        for (int64_t k = 1; k < taps; ++k) {
            sum = hn::MulAdd(hn::LoadU(d, lines[k] + i), splat(weights[k]), sum);
        }
        hn::StoreU(sum, d, to + i);
    }
    if (i == n) return;
    const auto rest = static_cast<size_t>(n - i);
    FloatVector sum = hn::Mul(loadFirst(lines[0] + i, rest), splat(weights[0]));
    for (int64_t k = 1; k < taps; ++k) {
        sum = hn::MulAdd(loadFirst(lines[k] + i, rest), splat(weights[k]), sum);
    }
    storeFirst(sum, to + i, rest);
}

void resizePart(const PlaneResize& resize, const float* x, float* y, float* kept, int64_t begin,
                int64_t end) {
    const int64_t length = resize.lineLength();
    std::vector<int64_t> held(resize.slots, -1);  // which row each slot has
    std::vector<const float*> lines(resize.rowTaps);
    for (int64_t index = begin; index < end; ++index) {
        const int64_t plane = index / resize.outputRows;
        const int64_t at = index % resize.outputRows * resize.rowTaps;
        for (int64_t tap = 0; tap < resize.rowTaps; ++tap) {
            const int64_t row = resize.rowIndices[at + tap];
            const int64_t source = plane * resize.inputRows + row;
            const float* from = x + source * resize.inputColumns;
            if (resize.columnTaps == 0) {
                lines[tap] = from;
                continue;
            }
            const int64_t slot = row % resize.slots;
            float* line = kept + slot * length;
            if (held[slot] != source) resizeRow(resize, from, line);
            held[slot] = source;
            lines[tap] = line;
        }
        blendLines(lines.data(), resize.rowWeights.data() + at, resize.rowTaps,
                   y + index * resize.outputColumns, resize.outputColumns);
    }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(poolAny);
HWY_EXPORT(resizePart);

namespace {

constexpr int64_t mostLanes = 16;
int64_t wholeVectors(int64_t count) { return (count + mostLanes - 1) / mostLanes * mostLanes; }

}  // namespace

int64_t PlanePool::lineLength() const {
    return wholeVectors((wholeVectors(last.output) + mostLanes) * last.stride + last.extent() - 1);
}

void poolPlanes(const PlanePool& pool, const float* x, float* y, float* lines, int threads) {
    const int64_t bytes = pool.planes * (pool.inputPlane + pool.outputPlane) * 4;
    const int64_t length = pool.lineLength();
    parallelRange(threadsFor(threads, bytes), pool.planes * static_cast<int64_t>(pool.rows.size()),
                  [&](int64_t begin, int64_t end, int thread) {
                      HWY_DYNAMIC_DISPATCH(poolAny)(pool, x, y, lines + thread * length, begin, end);
                  });
}

int64_t PlaneResize::lineLength() const { return wholeVectors(outputColumns); }

void resizePlanes(const PlaneResize& resize, const float* x, float* y, float* lines, int threads) {
    const int64_t total = resize.planes * resize.outputRows;
    const int64_t length = resize.slots * resize.lineLength();
    parallelRange(threadsFor(threads, total * resize.outputColumns * 8), total,
                  [&](int64_t begin, int64_t end, int thread) {
                      HWY_DYNAMIC_DISPATCH(resizePart)(resize, x, y, lines + thread * length, begin, end);
                  });
}

}  // namespace engine::cpu
#endif
