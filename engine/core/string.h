#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

namespace engine {

/// Memory of a String, which counts for the MemoryLimits of the thread that asks. Throws Error when there is
/// none.
void* allocateString(size_t bytes);
void freeString(void* memory) noexcept;

template <class T>
struct StringAllocator {
    using value_type = T;
    using is_always_equal = std::true_type;

    StringAllocator() = default;
    template <class Other>
    StringAllocator(const StringAllocator<Other>&) {}

    T* allocate(size_t count) { return static_cast<T*>(allocateString(count * sizeof(T))); }
    void deallocate(T* memory, size_t) noexcept { freeString(memory); }

    friend bool operator==(const StringAllocator&, const StringAllocator&) { return true; }
};

/// An element of a tensor of strings; other text is a std::string.
using String = std::basic_string<char, std::char_traits<char>, StringAllocator<char>>;

}  // namespace engine
