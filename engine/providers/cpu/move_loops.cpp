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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(copyAny);
HWY_EXPORT(repeatAny);

void copyStretch(size_t size, const void* from, int64_t step, int64_t count, void* to) {
    HWY_DYNAMIC_DISPATCH(copyAny)(size, from, step, count, to);
}

void repeatEach(size_t size, const void* from, int64_t times, int64_t count, void* to) {
    HWY_DYNAMIC_DISPATCH(repeatAny)(size, from, times, count, to);
}

}  // namespace engine::cpu
#endif
