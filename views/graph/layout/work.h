#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "views/graph/layout/problem.h"
#include "views/graph/layout/protocol.h"

namespace layout {

/// What one layout carries along: wishes, parts already laid out, and an account of the work. One thread.
struct Work {
    Spacing spacing;
    Engine engine = Engine::automatic;
    Response::Stats stats;
    std::unordered_map<std::string, std::shared_ptr<const Placement>>
        known;                     ///< By the bytes of the problem.
    std::int64_t dotItems = 4000;  ///< How many vertices Graphviz may still be given.
    std::int64_t wanted = 0;       ///< Items to place in all.
    std::int64_t placed = 0;
    std::function<void(double fraction, std::string_view what)> progress;
    int reported = -1;

    /// Reports whole percents, each once.
    void advance(std::int64_t items) {
        placed += items;
        if (!progress || wanted == 0) return;
        const int percent = static_cast<int>(placed >= wanted ? 100 : placed * 100 / wanted);
        if (percent <= reported) return;
        reported = percent;
        progress(percent / 100.0, "placing nodes");
    }
};

}  // namespace layout
