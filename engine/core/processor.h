#pragma once

#include <string>

namespace engine {

/// Cores that this process may use: its affinity mask, cut to its cgroup's quota where there is one. At
/// least 1.
int usableCores();

/// "AMD EPYC 9555 (AVX-512, VNNI, BF16), 2 cores usable": what a figure was measured on.
std::string processorText();

}  // namespace engine
