#pragma once

#include <vector>

#include "engine/core/counted_allocator.h"

namespace engine {

struct TableMemory {
    static constexpr const char* name = "a table";
};

/// A table of an operator: what grows with the sizes of tensors and is none.
template <class T>
using CountedVector = std::vector<T, CountedAllocator<T, TableMemory>>;

}  // namespace engine
