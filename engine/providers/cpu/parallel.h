#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/providers/cpu/switches.h"

namespace engine::cpu {

/// Calls function(begin, end, thread) on parts of [0, count) that together cover it, with at most `threads`
/// threads of the one OpenMP team; in place where one is enough.
template <class Function>
void parallelRange(int threads, int64_t count, const Function& function) {
    const int64_t parts = std::min<int64_t>(threads, count);
    if (parts <= 1) {
        if (count > 0) function(int64_t{0}, count, 0);
        return;
    }
#pragma omp parallel for num_threads(static_cast <int>(parts)) schedule(static, 1)
    for (int64_t part = 0; part < parts; ++part) {
        function(count * part / parts, count * (part + 1) / parts, static_cast<int>(part));
    }
}

// Waking a thread and waiting for it takes some 10 µs, so each must have clearly more than that to do.

/// How many threads are worth waking for that many bytes touched.
inline int threadsFor(int threads, int64_t bytes) {
    return static_cast<int>(std::clamp<int64_t>(bytes / switches().grainBytes, 1, threads));
}

/// How many threads are worth waking for that many multiply-adds of a product.
inline int threadsForProduct(int threads, int64_t multiplyAdds) {
    constexpr int64_t perByte = 8;
    return static_cast<int>(std::clamp<int64_t>(multiplyAdds / perByte / switches().grainBytes, 1, threads));
}

}  // namespace engine::cpu
