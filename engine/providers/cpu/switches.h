#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace engine::cpu {

/// What environment variables tell the provider, for tests and for finding faults:
/// - OPSCOPE_MAX_ISA=portable|avx2|avx512: no vector instructions beyond these, in Highway's loops and in
///   oneDNN. `avx512` is without VNNI.
/// - OPSCOPE_GRAIN=BYTES: the work that is worth waking a thread for; 1 splits whatever can be split.
/// - OPSCOPE_CANDIDATE=K: of several implementations take the K-th, counted from 0, or the last.
struct Switches {
    std::string maxIsa = {};  ///< empty: what the processor has
    int64_t grainBytes = 256 * 1024;
    std::optional<size_t> candidate = {};
};

/// Reads the environment at first call, and caps the instructions then: before any of them is chosen. Throws
/// Error for a value that a variable does not take.
const Switches& switches();

/// The instruction set that the vector kernels use here: "AVX-512".
std::string vectorTargetName();

}  // namespace engine::cpu
