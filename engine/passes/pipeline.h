#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/passes/pass.h"

namespace engine {

/// Which passes run, and how far.
struct PipelineOptions {
    std::vector<std::string> without =
        {};  ///< names of passes left out; an unknown name is an Error with a suggestion
    bool enabled = true;
    size_t stopAfter = SIZE_MAX;  ///< edits, for bisecting
    bool keepRecord = false;      ///< keep the graph before and after each change
};

/// One application of one pass that changed something.
struct PassRecord {
    std::string pass = {};
    size_t edits = 0;
    size_t nodesBefore = 0;
    size_t nodesAfter = 0;
    int64_t elapsedNs = 0;
    std::vector<OriginId> touched = {};       ///< origins of the nodes that changed
    std::shared_ptr<const Graph> after = {};  ///< only with keepRecord
};

struct PipelineResult {
    std::shared_ptr<const Graph> graph;
    std::vector<PassRecord> records;
};

/// Runs the passes phase by phase, each phase to a fixpoint, bodies of subgraphs first. After 50 rounds of a
/// phase it throws Error naming the passes that still change things. Errors get the context "pass NAME".
PipelineResult optimize(std::shared_ptr<const Graph> graph, const InferOptions& types,
                        const PipelineOptions& options, Observer& observer);

}  // namespace engine
