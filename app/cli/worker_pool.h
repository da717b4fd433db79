#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/observer.h"

namespace cli {

/// Work on numbered items in processes of their own, so that an item that crashes or hangs costs only itself.
struct PoolOptions {
    size_t items = 0;
    int workers = 1;
    double secondsPerItem = 0;  ///< more ends the item; 0: no bound
};

/// How one item ended.
struct ItemOutcome {
    std::string answer = {};  ///< what `work` returned
    std::string problem =
        {};  ///< or why there is none: "crashed (Segmentation fault)", "took longer than 60 s"
};

/// Calls `work` for each item in a forked process, and `take` here, in the order in which items end. Must be
/// called before this process starts a thread. Throws Cancelled after having ended the workers.
void runInWorkers(const PoolOptions& options, const std::function<std::string(size_t item)>& work,
                  const std::function<void(size_t item, const ItemOutcome&)>& take,
                  engine::Observer& observer);

}  // namespace cli
