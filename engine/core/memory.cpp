#include "engine/core/memory.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace engine {
namespace {

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
