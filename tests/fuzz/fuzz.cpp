#include "tests/fuzz/fuzz.h"

#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

/// An allocation that cannot be met throws, as it does without the sanitizer.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1:detect_leaks=1"; }

namespace fuzz {

MemoryFile::MemoryFile(std::span<const uint8_t> bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    const ssize_t written = descriptor_ < 0 ? -1 : write(descriptor_, bytes.data(), bytes.size());
    if (written != static_cast<ssize_t>(bytes.size())) std::abort();
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::filesystem::path MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace fuzz
