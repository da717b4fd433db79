#include "engine/providers/cpu/element_loops.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>

#include "engine/core/number_types.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/element_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Most are plain loops, compiled for each target with the compiler's own vectorisation (-O3, see
// CMakeLists.txt).

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class From, class To>
void convert(const void* from, void* to, int64_t n) {
    const From* x = static_cast<const From*>(from);
    To* __restrict y = static_cast<To*>(to);
    for (int64_t i = 0; i < n; ++i) y[i] = static_cast<To>(x[i]);
}

template <class To>
void convertTruths(const void* from, void* to, int64_t n) {
    const auto* x = static_cast<const uint8_t*>(from);
    To* __restrict y = static_cast<To*>(to);
    for (int64_t i = 0; i < n; ++i) y[i] = static_cast<To>(static_cast<int32_t>(x[i] != 0));
}

template <class From>
void findTruths(const void* from, void* to, int64_t n) {
    const From* x = static_cast<const From*>(from);
    auto* __restrict y = static_cast<uint8_t*>(to);
    for (int64_t i = 0; i < n; ++i) y[i] = x[i] != From{} ? 1 : 0;
}

/// Towards zero; what is out of range keeps the low bits of the nearest int64, NaN those of the least.
template <class To>
void roundDown(const void* from, void* to, int64_t n) {
    const auto* x = static_cast<const float*>(from);
    To* __restrict y = static_cast<To*>(to);
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    constexpr double limit = 9223372036854775808.0;
    for (int64_t i = 0; i < n; ++i) {
        const auto value = static_cast<double>(x[i]);
        const bool isInside = value >= -limit && value < limit;
        const auto inside = static_cast<int64_t>(isInside ? value : 0.0);
        const int64_t outside = value >= limit ? most : least;
        y[i] = static_cast<To>(isInside ? inside : outside);
    }
}

void shortenFloats(const void* from, void* to, int64_t n) {
    const auto* x = static_cast<const float*>(from);
    auto* __restrict y = static_cast<BFloat16*>(to);
    for (int64_t i = 0; i < n; ++i) y[i] = BFloat16(x[i]);
}

// Only these targets have instructions for halves; without them Highway's own arithmetic is not ours.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr bool hasHalves = true;
#else
constexpr bool hasHalves = false;
#endif

void halvesToFloat(const void* from, void* to, int64_t n) {
    const auto* x = static_cast<const Float16*>(from);
    float* y = static_cast<float*>(to);
    int64_t i = 0;
    if constexpr (hasHalves) {
        const hn::ScalableTag<float> d;
        const hn::Rebind<hwy::float16_t, decltype(d)> halves;
        const auto* words = static_cast<const hwy::float16_t*>(from);
        const auto lanes = static_cast<int64_t>(hn::Lanes(d));
        for (; i + lanes <= n; i += lanes) {
            hn::StoreU(hn::PromoteTo(d, hn::LoadU(halves, words + i)), d, y + i);
        }
    }
    for (; i < n; ++i) y[i] = static_cast<float>(x[i]);
}

void floatsToHalf(const void* from, void* to, int64_t n) {
    const float* x = static_cast<const float*>(from);
    auto* y = static_cast<Float16*>(to);
    int64_t i = 0;
    if constexpr (hasHalves) {
        const hn::ScalableTag<float> d;
        const hn::Rebind<hwy::float16_t, decltype(d)> halves;
        auto* words = static_cast<hwy::float16_t*>(to);
        const auto lanes = static_cast<int64_t>(hn::Lanes(d));
        for (; i + lanes <= n; i += lanes) {
            hn::StoreU(hn::DemoteTo(halves, hn::LoadU(d, x + i)), halves, words + i);
        }
    }
    for (; i < n; ++i) y[i] = Float16(x[i]);
}

void convertHere(DataType from, DataType to, const void* x, void* y, int64_t n) {
    using Convert = void (*)(const void*, void*, int64_t);
    // In the order of `conversions`.
    static constexpr Convert loops[] = {
        convert<int64_t, int32_t>,
        convert<int32_t, int64_t>,
        convert<int64_t, float>,
        convert<int32_t, float>,
        convert<uint8_t, float>,
        convert<int8_t, float>,
        convertTruths<float>,
        halvesToFloat,
        floatsToHalf,
        convert<BFloat16, float>,
        shortenFloats,
        roundDown<int64_t>,
        roundDown<int32_t>,
        roundDown<uint8_t>,
        roundDown<int8_t>,
        findTruths<float>,
        findTruths<int64_t>,
        findTruths<int32_t>,
        convertTruths<int64_t>,
        convertTruths<int32_t>,
    };
    static_assert(std::size(loops) == std::size(conversions));
    for (size_t k = 0; k < std::size(conversions); ++k) {
        if (conversions[k].from == from && conversions[k].to == to) return loops[k](x, y, n);
    }
}

template <class T>
void range(const void* start, const void* delta, int64_t first, void* to, int64_t n) {
    const T step = *static_cast<const T*>(delta);
    T* __restrict y = static_cast<T*>(to);
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        const auto from = static_cast<U>(static_cast<U>(*static_cast<const T*>(start)) +
                                         static_cast<U>(first) * static_cast<U>(step));
        for (int64_t i = 0; i < n; ++i) {
            y[i] = static_cast<T>(from + static_cast<U>(i) * static_cast<U>(step));
        }
        return;
    }
    const T from = *static_cast<const T*>(start);
    // Counting in 32 bits, where vectors convert to floating point everywhere.
    constexpr int64_t stretch = 1 << 20;
    for (int64_t at = 0; at < n; at += stretch) {
        const auto count = static_cast<int32_t>(std::min(stretch, n - at));
        if (first + at + count <= std::numeric_limits<int32_t>::max()) {
            const auto base = static_cast<int32_t>(first + at);
            for (int32_t i = 0; i < count; ++i) y[at + i] = from + static_cast<T>(base + i) * step;
        } else {
            for (int32_t i = 0; i < count; ++i) y[at + i] = from + static_cast<T>(first + at + i) * step;
        }
    }
}

using Range = void (*)(const void*, const void*, int64_t, void*, int64_t);

Range rangeOf(DataType type) {
    switch (type) {
        case DataType::float32:
            return range<float>;
        case DataType::float64:
            return range<double>;
        case DataType::int16:
            return range<int16_t>;
        case DataType::int32:
            return range<int32_t>;
        case DataType::int64:
            return range<int64_t>;
        default:
            return nullptr;
    }
}

bool hasRangeHere(DataType type) { return rangeOf(type) != nullptr; }

void rangeHere(DataType type, const void* start, const void* delta, int64_t first, void* to, int64_t n) {
    rangeOf(type)(start, delta, first, to, n);
}

template <class T, class D>
HWY_INLINE void quantizeLanes(D d, hn::Vec<D> x, hn::Vec<D> scale, hn::Vec<hn::RebindToSigned<D>> zero,
                              T* y) {
    const hn::RebindToSigned<D> integers;
    const hn::RebindToUnsigned<D> words;
    const hn::Rebind<uint8_t, D> bytes;
    const auto shift = hn::ConvertTo(d, zero);
    const auto low = hn::Sub(hn::Set(d, std::numeric_limits<T>::min()), shift);
    const auto high = hn::Sub(hn::Set(d, std::numeric_limits<T>::max()), shift);
    const auto ratio = hn::Div(x, scale);
    const auto number = hn::IfThenElseZero(hn::Eq(ratio, ratio), ratio);
    const auto near = hn::Min(hn::Max(number, low), high);
    // At 1.5 * 2^23 floats are whole numbers apart: the sum is rounded half to even, and its low bits are it.
    const auto rounded = hn::BitCast(integers, hn::Add(near, hn::Set(d, 12582912.0F)));
    const auto result = hn::BitCast(words, hn::Add(rounded, zero));
    hn::StoreU(hn::TruncateTo(bytes, result), bytes, reinterpret_cast<uint8_t*>(y));
}

/// As many elements as the tag has lanes.
template <class T, class D>
HWY_INLINE void quantizeAt(D d, const LinearGrid& grid, const float* x, T* y, int64_t i) {
    const hn::RebindToSigned<D> integers;
    const hn::Rebind<T, D> bytes;
    const T* zero = static_cast<const T*>(grid.zero);
    const auto scale = grid.isEach ? hn::LoadU(d, grid.scale + i) : hn::Set(d, *grid.scale);
    auto zeros = hn::Zero(integers);
    if (zero != nullptr && grid.isEach) zeros = hn::PromoteTo(integers, hn::LoadU(bytes, zero + i));
    if (zero != nullptr && !grid.isEach) zeros = hn::Set(integers, *zero);
    quantizeLanes(d, hn::LoadU(d, x + i), scale, zeros, y + i);
}

template <class T>
void quantize(const LinearGrid& grid, const float* x, void* result, int64_t n) {
    T* y = static_cast<T*>(result);
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) quantizeAt(d, grid, x, y, i);
    for (; i < n; ++i) quantizeAt(hn::CappedTag<float, 1>(), grid, x, y, i);
}

template <class T>
void dequantize(const LinearGrid& grid, const void* quantizedNumbers, float* __restrict y, int64_t n) {
    const T* x = static_cast<const T*>(quantizedNumbers);
    const T* zero = static_cast<const T*>(grid.zero);
    if (!grid.isEach) {
        const float scale = *grid.scale;
        const int32_t first = zero == nullptr ? 0 : *zero;
        for (int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(x[i] - first) * scale;
    } else if (zero == nullptr) {
        for (int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(x[i]) * grid.scale[i];
    } else {
        const float* scales = grid.scale;
        for (int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(x[i] - zero[i]) * scales[i];
    }
}

void quantizeHere(DataType type, const LinearGrid& grid, const float* x, void* y, int64_t n) {
    if (type == DataType::uint8) return quantize<uint8_t>(grid, x, y, n);
    quantize<int8_t>(grid, x, y, n);
}

void dequantizeHere(DataType type, const LinearGrid& grid, const void* x, float* y, int64_t n) {
    if (type == DataType::uint8) return dequantize<uint8_t>(grid, x, y, n);
    dequantize<int8_t>(grid, x, y, n);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(convertHere);
HWY_EXPORT(hasRangeHere);
HWY_EXPORT(rangeHere);
HWY_EXPORT(quantizeHere);
HWY_EXPORT(dequantizeHere);

void convertStretch(DataType from, DataType to, const void* x, void* y, int64_t n) {
    HWY_DYNAMIC_DISPATCH(convertHere)(from, to, x, y, n);
}

bool hasRange(DataType type) { return HWY_DYNAMIC_DISPATCH(hasRangeHere)(type); }

void rangeStretch(DataType type, const void* start, const void* delta, int64_t first, void* to, int64_t n) {
    HWY_DYNAMIC_DISPATCH(rangeHere)(type, start, delta, first, to, n);
}

void quantizeStretch(DataType type, const LinearGrid& grid, const float* x, void* y, int64_t n) {
    HWY_DYNAMIC_DISPATCH(quantizeHere)(type, grid, x, y, n);
}

void dequantizeStretch(DataType type, const LinearGrid& grid, const void* x, float* y, int64_t n) {
    HWY_DYNAMIC_DISPATCH(dequantizeHere)(type, grid, x, y, n);
}

}  // namespace engine::cpu
#endif
