#include "engine/core/counted_vector.h"

#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace engine {

void* allocateTable(size_t bytes, size_t alignment) {
    try {
        return allocateCounted(bytes, alignment);
    } catch (const Error& error) {
        fail("a table ", error.what());
    }
}

void freeTable(void* memory, size_t alignment) noexcept { freeCounted(memory, alignment); }

}  // namespace engine
