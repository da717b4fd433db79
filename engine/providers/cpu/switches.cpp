#include "engine/providers/cpu/switches.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <hwy/highway.h>
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/core/error.h"

namespace engine::cpu {
namespace {

struct Cap {
    const char* name;
    dnnl::cpu_isa onednn;
    int64_t highwayWithout;
};

constexpr int64_t avx512 = HWY_AVX3 | HWY_AVX3_DL;
constexpr Cap caps[] = {
    {"portable", dnnl::cpu_isa::sse41, avx512 | HWY_AVX2},
    {"avx2", dnnl::cpu_isa::avx2, avx512},
    {"avx512", dnnl::cpu_isa::avx512_core, HWY_AVX3_DL},
};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string capInstructions(const char* variable) {
    const std::string wanted = environment(variable);
    if (wanted.empty()) return {};
    for (const Cap& cap : caps) {
        if (wanted != cap.name) continue;
        if (dnnl::set_max_cpu_isa(cap.onednn) != dnnl::status::success) {
            fail(variable, "=", wanted, ": oneDNN has chosen its instructions already");
        }
        hwy::DisableTargets(cap.highwayWithout);
        return wanted;
    }
    fail(variable, ": found '", wanted, "', expected portable, avx2 or avx512");
}

std::optional<int64_t> number(const char* variable, int64_t least) {
    const std::string written = environment(variable);
    if (written.empty()) return {};
    int64_t value = 0;
    const char* end = written.data() + written.size();
    const auto [stopped, problem] = std::from_chars(written.data(), end, value);
    if (problem != std::errc() || stopped != end || value < least) {
        fail(variable, ": found '", written, "', expected a whole number of ", least, " or more");
    }
    return value;
}

Switches readSwitches() {
    Switches result;
    if (const auto grain = number("OPSCOPE_GRAIN", 1)) result.grainBytes = *grain;
    if (const auto candidate = number("OPSCOPE_CANDIDATE", 0)) result.candidate = *candidate;
    result.maxIsa = capInstructions("OPSCOPE_MAX_ISA");
    return result;
}

}  // namespace

const Switches& switches() {
    static const Switches once = readSwitches();
    return once;
}

std::string vectorTargetName() {
    const std::string cap = switches().maxIsa;
    const std::string note = cap.empty() ? "" : " (OPSCOPE_MAX_ISA=" + cap + ")";
    const int64_t targets = hwy::SupportedTargets();
    if ((targets & avx512) != 0) return "AVX-512" + note;
    if ((targets & HWY_AVX2) != 0) return "AVX2" + note;
    return "no wide vectors" + note;
}

}  // namespace engine::cpu
