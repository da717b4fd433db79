#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "engine/core/memory.h"

namespace engine {

/// allocateCounted() for a table of an operator, whose Error says so.
void* allocateTable(size_t bytes, size_t alignment);

/// Gives memory that counts for the thread's MemoryLimits; throws Error where there is none.
template <class T>
struct CountedAllocator {
    using value_type = T;
    static constexpr size_t alignment = std::max<size_t>(alignof(T), 16);

    CountedAllocator() = default;
    template <class Other>
    CountedAllocator(const CountedAllocator<Other>&) noexcept {}

    T* allocate(size_t count) {
        if (count > SIZE_MAX / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(allocateTable(count * sizeof(T), alignment));
    }
    void deallocate(T* memory, size_t) noexcept { freeCounted(memory, alignment); }

    friend bool operator==(const CountedAllocator&, const CountedAllocator&) { return true; }
};

/// For what grows with the sizes of tensors and is none.
template <class T>
using CountedVector = std::vector<T, CountedAllocator<T>>;

}  // namespace engine
