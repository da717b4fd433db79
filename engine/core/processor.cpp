#include "engine/core/processor.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

#include "engine/core/text.h"

namespace engine {
namespace {

int coresInMask() {
#ifdef __linux__
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof(mask), &mask) == 0) return CPU_COUNT(&mask);
#endif
    return static_cast<int>(std::thread::hardware_concurrency());
}

/// Cores' worth of time that cgroup v2 allows, rounded up; 0 where nothing limits it.
int coresInQuota() {
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
    return static_cast<int>(std::ceil(std::atof(quota.c_str()) / period));
}

std::string modelName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown processor";
}

std::vector<std::string> instructionSets() {
    std::vector<std::string> sets;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) {
        sets.emplace_back("AVX-512");
    } else if (__builtin_cpu_supports("avx2")) {
        sets.emplace_back("AVX2");
    }
    if (__builtin_cpu_supports("avx512vnni")) sets.emplace_back("VNNI");
    if (__builtin_cpu_supports("avx512bf16")) sets.emplace_back("BF16");
#endif
    return sets;
}

}  // namespace

int usableCores() {
    const int quota = coresInQuota();
    const int mask = std::max(1, coresInMask());
    return quota > 0 ? std::max(1, std::min(mask, quota)) : mask;
}

std::string processorText() {
    const std::vector<std::string> sets = instructionSets();
    const int cores = usableCores();
    return text(modelName(), sets.empty() ? "" : " (" + join(sets, ", ") + ")", ", ", cores,
                cores == 1 ? " core usable" : " cores usable");
}

}  // namespace engine
