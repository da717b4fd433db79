#include "engine/core/memory.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace engine {

/// What is allocated under a MemoryLimit. Outlives the limit while what is counted in it lives.
struct MemoryLimit::Account {
    size_t limit;
    const char* name;
    std::atomic<size_t> used{0};
    std::shared_ptr<Account> outer;

    /// Counts the bytes here and in all around; if one of them has not so many left, counts nothing and gives
    /// it.
    const Account* take(size_t bytes) {
        const bool fits = used.fetch_add(bytes) + bytes <= limit;
        const Account* exceeded = !fits ? this : outer ? outer->take(bytes) : nullptr;
        if (exceeded != nullptr) used.fetch_sub(bytes);
        return exceeded;
    }
    void give(size_t bytes) {
        used.fetch_sub(bytes);
        if (outer) outer->give(bytes);
    }
};

namespace {

thread_local std::shared_ptr<MemoryLimit::Account> currentAccount;

/// Stands before what allocateCounted() gives.
struct Header {
    std::shared_ptr<MemoryLimit::Account> account;
    size_t bytes;
};

constexpr size_t headerBytes(size_t alignment) {
    return (sizeof(Header) + alignment - 1) / alignment * alignment;
}

// What is larger is only asked for if the machine has it: the system would give it all the same, and end the
// process when it is used.
constexpr size_t largestUnasked = size_t{64} << 20;

constexpr size_t unknown = SIZE_MAX;

/// The number in a file that holds nothing else; "max" and what cannot be read are unknown.
size_t numberIn(const char* path) {
    std::ifstream file(path);
    size_t number = 0;
    return file >> number ? number : unknown;
}

/// The number behind a word at the beginning of a line; unknown if no line begins so.
size_t numberAfter(const char* path, std::string_view word) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string key;
        size_t number = 0;
        if (fields >> key >> number && key == word) return number;
    }
    return unknown;
}

size_t machineMemory() {
    const size_t kibibytes = numberAfter("/proc/meminfo", "MemAvailable:");
    return kibibytes == unknown ? unknown : kibibytes * 1024;
}

size_t groupMemory() {
    const size_t most = numberIn("/sys/fs/cgroup/memory.max");
    const size_t used = numberIn("/sys/fs/cgroup/memory.current");
    if (most == unknown || used == unknown) return unknown;
    // Pages of files give way: of a large model most of what is used is that.
    const size_t files = numberAfter("/sys/fs/cgroup/memory.stat", "file");
    const size_t held = files == unknown || files > used ? used : used - files;
    return most > held ? most - held : 0;
}

}  // namespace

MemoryLimit::MemoryLimit(size_t bytes, const char* name)
    : account_(std::make_shared<Account>()), outer_(currentAccount) {
    account_->limit = bytes;
    account_->name = name;
    account_->outer = outer_;
    currentAccount = account_;
}

MemoryLimit::~MemoryLimit() { currentAccount = outer_; }

void* allocateCounted(size_t bytes, size_t alignment) {
    const std::shared_ptr<MemoryLimit::Account> account = currentAccount;
    if (const MemoryLimit::Account* exceeded = account ? account->take(bytes) : nullptr) {
        fail("needs ", bytes, " bytes, more than the memory limit of ", exceeded->limit, " bytes leaves (",
             exceeded->name, ")");
    }
    const size_t offset = headerBytes(alignment);
    const bool isThere = bytes <= largestUnasked || bytes <= availableMemory();
    void* block = isThere && bytes <= SIZE_MAX - offset
                      ? ::operator new (offset + bytes, std::align_val_t{alignment}, std::nothrow)
                      : nullptr;
    if (block == nullptr) {
        if (account) account->give(bytes);
        fail("needs ", bytes, " bytes, which cannot be had");
    }
    std::byte* memory = static_cast<std::byte*>(block) + offset;
    new (memory - sizeof(Header)) Header{account, bytes};
    return memory;
}

void freeCounted(void* memory, size_t alignment) noexcept {
    auto* header = reinterpret_cast<Header*>(static_cast<std::byte*>(memory) - sizeof(Header));
    const Header held = std::move(*header);
    header->~Header();
    ::operator delete (static_cast<std::byte*>(memory) - headerBytes(alignment), std::align_val_t{alignment});
    if (held.account) held.account->give(held.bytes);
}

size_t memoryLeft() {
    size_t left = SIZE_MAX;
    for (const MemoryLimit::Account* account = currentAccount.get(); account != nullptr;
         account = account->outer.get()) {
        const size_t used = account->used.load();
        left = std::min(left, account->limit > used ? account->limit - used : 0);
    }
    return left == SIZE_MAX ? availableMemory() : left;
}

size_t availableMemory() {
    using Clock = std::chrono::steady_clock;
    constexpr Clock::rep never = INT64_MIN;
    constexpr Clock::rep fresh = Clock::duration(std::chrono::seconds(1)).count();
    static std::atomic<Clock::rep> askedAt{never};
    static std::atomic<size_t> answer{unknown};
    const Clock::rep now = Clock::now().time_since_epoch().count();
    const Clock::rep last = askedAt.load();
    if (last == never || now - last > fresh) {
        answer = std::min(machineMemory(), groupMemory());
        askedAt = now;
    }
    return answer;
}

}  // namespace engine
