#pragma once

#include <functional>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "engine/providers/cpu/onednn.h"

namespace engine::cpu {

/// One of several ways to do the same work.
struct Candidate {
    std::string name;                ///< the implementation's, for kernel names and notes
    std::function<double()> timeNs;  ///< measures it, what it needs beforehand included
};

/// The index of the fastest, by measuring each (the result is remembered by `work` and this
/// thread's number of threads), and a note for people
/// that lists them with their times. Without measuring the first is taken.
struct Selection {
    size_t index = 0;
    std::string note = {};
};
Selection selectFastest(const std::string& work, const std::vector<Candidate>& candidates, bool measure);

/// The implementations that oneDNN offers for a primitive, best first, without its plain loops; those remain
/// only if there is nothing else. `make` creates the description anew: copies share one iterator.
template <class Make>
auto implementations(const Make& make, size_t most) {
    std::vector<decltype(make())> result;
    for (size_t skipped = 0; result.size() < most; ++skipped) {
        auto current = make();
        if (current.get(true) == nullptr) break;
        bool isThere = true;
        for (size_t step = 0; step < skipped && isThere; ++step) isThere = current.next_impl();
        if (!isThere) break;
        const std::string name = current.impl_info_str();
        const bool isPoor = name.find("ref") != std::string::npos || name.find("sse") != std::string::npos;
        if (isPoor && !result.empty()) break;
        result.push_back(std::move(current));
    }
    return result;
}
inline bool isPlainLoops(const std::string& implementation) {
    return implementation.find("ref") != std::string::npos;
}

/// Runs a primitive on memory of its own for timing.
double timePrimitive(const dnnl::primitive& primitive, const std::vector<OnednnCall::Argument>& arguments);

}  // namespace engine::cpu
