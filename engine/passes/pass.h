#pragma once

#include <string>

#include "engine/core/registry.h"
#include "engine/graph/edit.h"
#include "engine/ops/inference.h"

namespace engine {

/// When a pass runs. Within a phase passes run to a fixpoint, in name order.
enum class Phase : uint8_t { clean, fold, fuse, layout };

/// One rewrite of a graph, told apart by its name. Knows nothing of timing, cancelling, order or recording:
/// the runner (pipeline.h) does those.
struct Pass {
    const char* name;  ///< "fuse-conv-batch-norm"
    Phase phase;
    const char* summary;  ///< one sentence for `optimize --list`
    /// Asks for changes to `graph`. The pass sees types and known values; it must keep names and values of
    /// graph outputs.
    void (*apply)(const TypedGraph& graph, const Uses& uses, Edits& edits);

    bool operator<(const Pass& other) const;
};

}  // namespace engine
