#include "engine/core/counted_vector.h"

#include "engine/core/error.h"

namespace engine {

void* allocateTable(size_t bytes, size_t alignment) {
    try {
        return allocateCounted(bytes, alignment);
    } catch (const Error& error) {
        fail("a table ", error.what());
    }
}

}  // namespace engine
