#pragma once

#include <string>

namespace engine {

/// A provider as people choose one.
struct ProviderInfo {
    std::string name = {};            ///< "cpu"
    std::string device = {};          ///< "AMD EPYC …, AVX-512, 2 threads"
    std::string whyUnavailable = {};  ///< empty: it can be used
};

}  // namespace engine
