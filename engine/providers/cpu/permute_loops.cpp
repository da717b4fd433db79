#include "engine/providers/cpu/permute_loops.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/permute_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void transposeBlock(const uint32_t* from, int64_t fromPitch, uint32_t* to, int64_t toPitch) {
    for (int64_t row = 0; row < 4; ++row) {
        for (int64_t column = 0; column < 4; ++column) {
            to[row * toPitch + column] = from[column * fromPitch + row];
        }
    }
}
#else
/// A 4 x 4 block in registers.
HWY_INLINE void transposeBlock(const uint32_t* from, int64_t fromPitch, uint32_t* to, int64_t toPitch) {
    const hn::FixedTag<uint32_t, 4> d;
    const hn::FixedTag<uint64_t, 2> d64;
    const auto a = hn::LoadU(d, from);
    const auto b = hn::LoadU(d, from + fromPitch);
    const auto c = hn::LoadU(d, from + 2 * fromPitch);
    const auto e = hn::LoadU(d, from + 3 * fromPitch);
    const auto lowAb = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
    const auto highAb = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
    const auto lowCe = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
    const auto highCe = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, lowAb, lowCe)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, lowAb, lowCe)), d, to + toPitch);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, highAb, highCe)), d, to + 2 * toPitch);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, highAb, highCe)), d, to + 3 * toPitch);
}
#endif

void transposeAll(const uint32_t* from, int64_t fromPitch, uint32_t* to, int64_t toPitch, int64_t rows,
                  int64_t columns) {
    // Strips of 16 words keep both sides in whole lines of the cache.
    constexpr int64_t strip = 16;
    for (int64_t row = 0; row < rows; row += strip) {
        const int64_t rowEnd = std::min(row + strip, rows);
        int64_t column = 0;
        for (; column + 4 <= columns; column += 4) {
            int64_t r = row;
            for (; r + 4 <= rowEnd; r += 4) {
                transposeBlock(from + column * fromPitch + r, fromPitch, to + r * toPitch + column, toPitch);
            }
            for (; r < rowEnd; ++r) {
                for (int64_t c = column; c < column + 4; ++c) to[r * toPitch + c] = from[c * fromPitch + r];
            }
        }
        for (; column < columns; ++column) {
            for (int64_t r = row; r < rowEnd; ++r) to[r * toPitch + column] = from[column * fromPitch + r];
        }
    }
}

void interleaveAll(const uint32_t* from, int64_t pitch, int64_t planes, uint32_t* to, int64_t count) {
    const hn::ScalableTag<uint32_t> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        const auto a = hn::LoadU(d, from + k);
        const auto b = hn::LoadU(d, from + pitch + k);
        if (planes == 2) {
            hn::StoreInterleaved2(a, b, d, to + 2 * k);
        } else if (planes == 3) {
            hn::StoreInterleaved3(a, b, hn::LoadU(d, from + 2 * pitch + k), d, to + 3 * k);
        } else {
            hn::StoreInterleaved4(a, b, hn::LoadU(d, from + 2 * pitch + k),
                                  hn::LoadU(d, from + 3 * pitch + k), d, to + 4 * k);
        }
    }
    for (; k < count; ++k) {
        for (int64_t p = 0; p < planes; ++p) to[k * planes + p] = from[p * pitch + k];
    }
}

void separateAll(const uint8_t* from, int64_t planes, uint8_t* to, int64_t pitch, int64_t count) {
    const hn::ScalableTag<uint8_t> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        hn::Vec<decltype(d)> v[4];
        const uint8_t* pixels = from + k * planes;
        if (planes == 2) {
            hn::LoadInterleaved2(d, pixels, v[0], v[1]);
        } else if (planes == 3) {
            hn::LoadInterleaved3(d, pixels, v[0], v[1], v[2]);
        } else {
            hn::LoadInterleaved4(d, pixels, v[0], v[1], v[2], v[3]);
        }
        for (int64_t p = 0; p < planes; ++p) hn::StoreU(v[p], d, to + p * pitch + k);
    }
    for (; k < count; ++k) {
        for (int64_t p = 0; p < planes; ++p) to[p * pitch + k] = from[k * planes + p];
    }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(transposeAll);
HWY_EXPORT(interleaveAll);
HWY_EXPORT(separateAll);

void separateBytes(const uint8_t* from, int64_t planes, uint8_t* to, int64_t pitch, int64_t count) {
    HWY_DYNAMIC_DISPATCH(separateAll)(from, planes, to, pitch, count);
}

void transposeWords(const uint32_t* from, int64_t fromPitch, uint32_t* to, int64_t toPitch, int64_t rows,
                    int64_t columns) {
    HWY_DYNAMIC_DISPATCH(transposeAll)(from, fromPitch, to, toPitch, rows, columns);
}

void interleaveWords(const uint32_t* from, int64_t pitch, int64_t planes, uint32_t* to, int64_t count) {
    HWY_DYNAMIC_DISPATCH(interleaveAll)(from, pitch, planes, to, count);
}

}  // namespace engine::cpu
#endif
