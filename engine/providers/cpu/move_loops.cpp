#include "engine/providers/cpu/move_loops.h"

#include <cstring>
#include <type_traits>

#include "engine/core/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/move_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain loops, compiled for each target with the compiler's own vectorisation (-O3, see CMakeLists.txt).

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

template <class T>
void copyOf(const T* from, int64_t step, int64_t count, T* to) {
    if (step == 0) {
        const T value = *from;
        for (int64_t k = 0; k < count; ++k) to[k] = value;
    } else if (step == -1) {
        for (int64_t k = 0; k < count; ++k) to[k] = from[-k];
    } else if (step == 2) {
        for (int64_t k = 0; k < count; ++k) to[k] = from[2 * k];
    } else {
        for (int64_t k = 0; k < count; ++k) to[k] = from[k * step];
    }
}

void copyAny(size_t size, const void* from, int64_t step, int64_t count, void* to) {
    dispatchSize(size, [&]<class T>(std::type_identity<T>) {
        copyOf(static_cast<const T*>(from), step, count, static_cast<T*>(to));
    });
}

template <class T>
void repeatOf(const T* from, int64_t times, int64_t count, T* to) {
    if constexpr (std::is_same_v<T, uint32_t>) {
        for (int64_t k = 0; k < count && times == 2; ++k) {
            const uint64_t both = from[k] * ((uint64_t{1} << 32) + 1);
            std::memcpy(to + 2 * k, &both, sizeof(both));
        }
        if (times == 2) return;
    }
    if (times == 2) {
        for (int64_t k = 0; k < count; ++k) {
            to[2 * k] = from[k];
            to[2 * k + 1] = from[k];
        }
        return;
    }
    for (int64_t k = 0; k < count; ++k) {
        for (int64_t time = 0; time < times; ++time) to[k * times + time] = from[k];
    }
}

void repeatAny(size_t size, const void* from, int64_t times, int64_t count, void* to) {
    dispatchSize(size, [&]<class T>(std::type_identity<T>) {
        repeatOf(static_cast<const T*>(from), times, count, static_cast<T*>(to));
    });
}

namespace hn = hwy::HWY_NAMESPACE;

/// In steps of whole vectors, the last of which may overlap the one before it.
template <class D>
HWY_INLINE void copyLong(D d, const RowCopy& copy, const uint8_t* from, uint8_t* to) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t row = 0; row < copy.rows; ++row, from += copy.fromPitch, to += copy.toPitch) {
        int64_t at = 0;
        for (; at + lanes <= copy.bytes; at += lanes) hn::StoreU(hn::LoadU(d, from + at), d, to + at);
        const int64_t end = copy.bytes - lanes;
        if (at < copy.bytes) hn::StoreU(hn::LoadU(d, from + end), d, to + end);
    }
}

void copyRowsHere(const RowCopy& copy, const void* from, void* to) {
    const auto* source = static_cast<const uint8_t*>(from);
    auto* target = static_cast<uint8_t*>(to);
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<uint8_t> d;
    const hn::CappedTag<uint8_t, 16> quarter;
    if (copy.bytes >= static_cast<int64_t>(hn::Lanes(d))) return copyLong(d, copy, source, target);
    if (copy.bytes >= static_cast<int64_t>(hn::Lanes(quarter)))
        return copyLong(quarter, copy, source, target);
#endif
    for (int64_t row = 0; row < copy.rows; ++row) {
        std::memcpy(target + row * copy.toPitch, source + row * copy.fromPitch, copy.bytes);
    }
}

template <class Index>
IndexBounds boundsAs(const void* indices, int64_t count) {
    const Index* at = static_cast<const Index*>(indices);
    Index least = 0;
    Index most = 0;
    for (int64_t k = 0; k < count; ++k) {
        least = at[k] < least ? at[k] : least;
        most = at[k] > most ? at[k] : most;
    }
    return {least, most};
}

IndexBounds boundsAny(const void* indices, bool isWide, int64_t count) {
    return isWide ? boundsAs<int64_t>(indices, count) : boundsAs<int32_t>(indices, count);
}

template <class T, class Index>
void gatherAs(const GatherRow& row, const T* from, const void* indices, T* __restrict to) {
    const Index* at = static_cast<const Index*>(indices);
    if (row.stride == 1 && row.step == 0) {
        for (int64_t k = 0; k < row.count; ++k) {
            const auto index = static_cast<int64_t>(at[k]);
            to[k] = from[index + (index < 0 ? row.length : 0)];
        }
        return;
    }
    for (int64_t k = 0; k < row.count; ++k) {
        const auto index = static_cast<int64_t>(at[k]);
        to[k] = from[(index + (index < 0 ? row.length : 0)) * row.stride + k * row.step];
    }
}

void gatherAny(const GatherRow& row, size_t size, const void* from, const void* indices, void* to) {
    dispatchSize(size, [&]<class T>(std::type_identity<T>) {
        const T* source = static_cast<const T*>(from);
        T* target = static_cast<T*>(to);
        if (row.isWide) return gatherAs<T, int64_t>(row, source, indices, target);
        gatherAs<T, int32_t>(row, source, indices, target);
    });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(copyAny);
HWY_EXPORT(repeatAny);
HWY_EXPORT(boundsAny);
HWY_EXPORT(copyRowsHere);

void copyRows(const RowCopy& copy, const void* from, void* to) {
    HWY_DYNAMIC_DISPATCH(copyRowsHere)(copy, from, to);
}
HWY_EXPORT(gatherAny);

IndexBounds boundsOf(const void* indices, bool isWide, int64_t count) {
    return HWY_DYNAMIC_DISPATCH(boundsAny)(indices, isWide, count);
}

void gatherRow(const GatherRow& row, size_t size, const void* from, const void* indices, void* to) {
    HWY_DYNAMIC_DISPATCH(gatherAny)(row, size, from, indices, to);
}

void copyStretch(size_t size, const void* from, int64_t step, int64_t count, void* to) {
    HWY_DYNAMIC_DISPATCH(copyAny)(size, from, step, count, to);
}

void repeatEach(size_t size, const void* from, int64_t times, int64_t count, void* to) {
    HWY_DYNAMIC_DISPATCH(repeatAny)(size, from, times, count, to);
}

}  // namespace engine::cpu
#endif
