#pragma once

#include <cstddef>

namespace engine {

/// Bytes that Tensor::allocate may still give on this thread: what its MemoryLimits leave, or, where there is
/// none, what the machine has.
size_t memoryLeft();

/// Bytes that this process can still take without others having to give way, as the machine (or the control
/// group that the process is in) says. Asked anew at most once a second, so that asking costs nothing.
size_t availableMemory();

}  // namespace engine
