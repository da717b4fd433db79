#include "engine/core/string.h"

#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace engine {
namespace {

constexpr size_t alignment = 16;

}  // namespace

void* allocateString(size_t bytes) {
    try {
        return allocateCounted(bytes, alignment);
    } catch (const Error& error) {
        fail("a string ", error.what());
    }
}

void freeString(void* memory) noexcept { freeCounted(memory, alignment); }

}  // namespace engine
