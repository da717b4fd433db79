#include "engine/providers/cpu/quantized_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/ops/quantization.h"
#include "engine/providers/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/quantized_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

void rangeOf(const float* x, size_t count, float* range) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    FloatVector low = hn::Zero(d);
    FloatVector high = hn::Zero(d);
    size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const FloatVector v = hn::LoadU(d, x + i);
        low = hn::Min(low, v);
        high = hn::Max(high, v);
    }
    if (i < count) {
        const FloatVector v = loadFirst(x + i, count - i);
        low = hn::Min(low, v);
        high = hn::Max(high, v);
    }
    range[0] = hn::GetLane(hn::MinOfLanes(d, low));
    range[1] = hn::GetLane(hn::MaxOfLanes(d, high));
}

HWY_INLINE FloatVector onGrid(const ByteGrid& grid, FloatVector x) {
    const FloatVector rounded = hn::Round(hn::Div(x, splat(grid.scale)));
    return clampTo(hn::Add(rounded, splat(grid.zeroPoint)), 0, 255);
}

void bytesLoop(const ByteGrid& grid, const float* x, size_t count, uint8_t* to) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const hn::RebindToSigned<FloatTag> di;
    const hn::Rebind<uint8_t, FloatTag> d8;
    size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(hn::DemoteTo(d8, hn::ConvertTo(di, onGrid(grid, hn::LoadU(d, x + i)))), d8, to + i);
    }
    if (i == count) return;
    HWY_ALIGN float rest[hn::MaxLanes(FloatTag())];
    hn::Store(onGrid(grid, loadFirst(x + i, count - i)), d, rest);
    for (size_t k = 0; i + k < count; ++k) to[i + k] = static_cast<uint8_t>(rest[k]);
}

void centredLoop(const ByteGrid& grid, const float* x, size_t count, float* to) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const FloatVector zero = splat(grid.zeroPoint);
    size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(hn::Sub(onGrid(grid, hn::LoadU(d, x + i)), zero), d, to + i);
    if (i < count) storeFirst(hn::Sub(onGrid(grid, loadFirst(x + i, count - i)), zero), to + i, count - i);
}

/// Sums of `stretches` stretches of 16 pairStretch for one row of x.
template <int stretches>
void pairColumns(int64_t pairs, const int16_t* x, const int8_t* packed, int64_t stretchSize, int32_t* sums) {
#if HWY_TARGET == HWY_SCALAR
    for (int64_t c = 0; c < stretches * pairStretch; ++c) {
        const int8_t* at = packed + c / pairStretch * stretchSize + c % pairStretch * 2;
        sums[c] = 0;
        for (int64_t pair = 0; pair < pairs; ++pair) {
            const int8_t* weights = at + pair * pairStretch * 2;
            sums[c] += x[2 * pair] * weights[0] + x[2 * pair + 1] * weights[1];
        }
    }
#else
    const hn::CappedTag<int32_t, 16> d32;
    const hn::Repartition<int16_t, decltype(d32)> d16;
    const hn::Rebind<int8_t, decltype(d16)> d8;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d32));
    const int64_t parts = pairStretch / lanes;
    for (int64_t part = 0; part < parts; ++part) {
        hn::Vec<decltype(d32)> sum[stretches];
        for (int s = 0; s < stretches; ++s) sum[s] = hn::Zero(d32);
        for (int64_t pair = 0; pair < pairs; ++pair) {
            int32_t both;
            std::memcpy(&both, x + 2 * pair, sizeof(both));
            const auto value = hn::BitCast(d16, hn::Set(d32, both));
            for (int s = 0; s < stretches; ++s) {
                const int8_t* at = packed + s * stretchSize + (pair * pairStretch + part * lanes) * 2;
                const auto weights = hn::PromoteTo(d16, hn::LoadU(d8, at));
                auto unused = hn::Zero(d32);
                // On x86 the two products of a lane are neighbours and land in the first sum.
                sum[s] = hn::ReorderWidenMulAccumulate(d32, value, weights, sum[s], unused);
            }
        }
        for (int s = 0; s < stretches; ++s) hn::StoreU(sum[s], d32, sums + s * pairStretch + part * lanes);
    }
#endif
}

void pairRow(int64_t pairs, const int16_t* x, const int8_t* packed, int64_t first, int64_t last,
             int64_t width, int32_t* sums) {
    constexpr int64_t columns = pairStretch;
    const int64_t size = pairs * 2 * columns;
    int64_t s = first;
    HWY_ALIGN int32_t block[8 * columns];
    while (s < last) {
        const int64_t count = last - s >= 8 ? 8 : last - s >= 4 ? 4 : 1;
        if (count == 8) {
            pairColumns<8>(pairs, x, packed + s * size, size, block);
        } else if (count == 4) {
            pairColumns<4>(pairs, x, packed + s * size, size, block);
        } else {
            pairColumns<1>(pairs, x, packed + s * size, size, block);
        }
        const int64_t end = std::min(width, (s + count) * columns);
        std::copy(block, block + (end - s * columns), sums + s * columns);
        s += count;
    }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(rangeOf);
HWY_EXPORT(bytesLoop);
HWY_EXPORT(centredLoop);
HWY_EXPORT(pairRow);

ByteGrid gridOf(const float* x, int64_t count) {
    float range[2];
    HWY_DYNAMIC_DISPATCH(rangeOf)(x, count, range);
    const DynamicGrid grid = dynamicGrid(range);
    return {.scale = grid.scale, .zeroPoint = static_cast<float>(grid.zeroPoint)};
}

void quantizeBytes(const ByteGrid& grid, const float* x, int64_t count, uint8_t* to) {
    HWY_DYNAMIC_DISPATCH(bytesLoop)(grid, x, count, to);
}

void quantizeCentred(const ByteGrid& grid, const float* x, int64_t count, float* to) {
    HWY_DYNAMIC_DISPATCH(centredLoop)(grid, x, count, to);
}

void quantizeCentred(const ByteGrid& grid, const float* x, int64_t count, int16_t* to) {
    constexpr int64_t chunk = 256;
    float part[chunk];
    for (int64_t i = 0; i < count; i += chunk) {
        const int64_t size = std::min(chunk, count - i);
        quantizeCentred(grid, x + i, size, part);
        for (int64_t k = 0; k < size; ++k) to[i + k] = static_cast<int16_t>(part[k]);
    }
}

Tensor packBytePairs(const int8_t* weights, int64_t rows, int64_t columns) {
    constexpr int64_t width = pairStretch;
    const int64_t pairs = (rows + 1) / 2;
    const int64_t stretches = (columns + width - 1) / width;
    Tensor packed = Tensor::allocate(DataType::int8, {stretches, pairs, width, 2});
    int8_t* to = packed.mutableValues<int8_t>().data();
    for (int64_t s = 0; s < stretches; ++s) {
        for (int64_t pair = 0; pair < pairs; ++pair) {
            for (int64_t c = s * width; c < (s + 1) * width; ++c) {
                for (int64_t row = 2 * pair; row < 2 * pair + 2; ++row) {
                    *to++ = row < rows && c < columns ? weights[row * columns + c] : int8_t{0};
                }
            }
        }
    }
    return packed;
}

void multiplyBytePairs(const BytePairProduct& product, const int16_t* x, const int8_t* packed, int32_t* sums,
                       int threads) {
    const int64_t stretches = (product.columns + pairStretch - 1) / pairStretch;
    const int64_t groups = (stretches + 7) / 8;
    const int64_t bytes = product.m * product.pairs * 2 * product.columns;
    parallelRange(threadsFor(threads, bytes), groups, [&](int64_t begin, int64_t end, int) {
        for (int64_t group = begin; group < end; ++group) {
            for (int64_t row = 0; row < product.m; ++row) {
                HWY_DYNAMIC_DISPATCH(pairRow)
                (product.pairs, x + row * product.pairs * 2, packed, group * 8,
                 std::min(stretches, group * 8 + 8), product.columns, sums + row * product.columns);
            }
        }
    });
}

}  // namespace engine::cpu
#endif
