#pragma once

#include <cstddef>
#include <cstdint>

namespace engine {

/// What bounds a run. 0: no bound. Errors name a limit as the command line does.
struct Limits {
    double seconds = 0;      ///< limit-seconds
    double nodeSeconds = 0;  ///< limit-node-seconds: of one node, with the bodies that it runs
    size_t memoryBytes = 0;  ///< limit-memory, of tensors; 0: as many as the machine has when the run begins
    size_t nodeMemoryBytes = 0;  ///< limit-node-memory: of what one node gives, and again of what it works in
    int64_t elements = 0;        ///< limit-elements: of one tensor that a node gives

    friend bool operator==(const Limits&, const Limits&) = default;
};

/// What bounds the opening of a model, so that no file, however small, makes it grow out of hand.
struct OpenLimits {
    size_t functionNodes = 100'000;  ///< limit-function-nodes: that expanding functions makes
    size_t functionCalls = 50'000;   ///< limit-function-calls: that are expanded
    size_t functionDepth = 200;      ///< limit-function-depth: of functions that call functions
    int nesting = 300;               ///< limit-nesting: messages in messages; an If in an If costs 3
    size_t parts = 250'000;          ///< limit-parts: of a kind in the file: nodes, tensors, values, …
};

/// More axes than this no tensor may have, however many a file claims.
inline constexpr int64_t mostAxes = 1024;

/// More nesting than this is never read: the stack would not hold it.
inline constexpr int deepestNesting = 300;

}  // namespace engine
