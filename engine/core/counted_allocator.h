#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "engine/core/memory.h"

namespace engine {

/// allocateCounted() whose Error begins with the name of what the memory is for.
void* allocateNamed(const char* name, size_t bytes, size_t alignment);

/// Gives memory that counts for the MemoryLimits of the thread that asks; throws Error where there is none.
/// `Purpose::name`: what the memory is for.
template <class T, class Purpose>
struct CountedAllocator {
    using value_type = T;
    using is_always_equal = std::true_type;
    static constexpr size_t alignment = std::max<size_t>(alignof(T), 16);

    CountedAllocator() = default;
    template <class Other>
    CountedAllocator(const CountedAllocator<Other, Purpose>&) noexcept {}

    T* allocate(size_t count) {
        if (count > SIZE_MAX / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(allocateNamed(Purpose::name, count * sizeof(T), alignment));
    }
    void deallocate(T* memory, size_t) noexcept { freeCounted(memory, alignment); }

    friend bool operator==(const CountedAllocator&, const CountedAllocator&) { return true; }
};

}  // namespace engine
