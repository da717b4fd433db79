#pragma once

#include <string>

#include "engine/core/counted_allocator.h"

namespace engine {

struct StringMemory {
    static constexpr const char* name = "a string";
};

/// An element of a tensor of strings; other text is a std::string.
using String = std::basic_string<char, std::char_traits<char>, CountedAllocator<char, StringMemory>>;

}  // namespace engine
