#include "engine/providers/cpu/move_loops.h"

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
