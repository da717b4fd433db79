#include "engine/core/counted_allocator.h"

#include "engine/core/error.h"

namespace engine {

void* allocateNamed(const char* name, size_t bytes, size_t alignment) {
    try {
        return allocateCounted(bytes, alignment);
    } catch (const Error& error) {
        fail(name, " ", error.what());
    }
}

}  // namespace engine
