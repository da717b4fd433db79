#pragma once

#include <cstddef>
#include <memory>

namespace engine {

/// Bounds what allocateCounted() may hold at once on this thread while it lives: how a run is bounded in
/// memory. Nested limits: the inner one counts for both.
class MemoryLimit {
public:
    /// `name`: what an error calls the limit; a literal.
    explicit MemoryLimit(size_t bytes, const char* name = "limit-memory");
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    struct Account;

private:
    std::shared_ptr<Account> account_;
    std::shared_ptr<Account> outer_;
};

/// Memory that counts for this thread's MemoryLimits until freeCounted() is given it, on whatever thread.
/// Throws Error, beginning "needs N bytes", when that exceeds a limit or cannot be had. `alignment`: a power
/// of 2, at least 16.
void* allocateCounted(size_t bytes, size_t alignment);
void freeCounted(void* memory, size_t alignment) noexcept;

/// Bytes that allocateCounted() may still give on this thread: what its MemoryLimits leave, or, where there
/// is none, what the machine has.
size_t memoryLeft();

/// Bytes that this process can still take without others having to give way, as the machine (or the control
/// group that the process is in) says. Asked anew at most once a second, so that asking costs nothing.
size_t availableMemory();

}  // namespace engine
