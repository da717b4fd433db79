#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/core/limits.h"
#include "engine/plan/segment.h"
#include "engine/run/trace_recorder.h"

namespace engine {

/// What one run brings along, through all bodies.
struct RunScope {
    Observer& observer;
    TraceRecorder* recorder = nullptr;
    uint64_t seed = 0;
    Limits limits = {};  ///< those of a node apply here; who starts the run sees to the others
};

/// A graph made ready to run on given providers. Segments are compiled at the first run with new shapes (or
/// new values of data that decides shapes) and kept, least recently used dropped. Thread-safe.
class Program {
public:
    Program(std::shared_ptr<const Graph> graph, std::vector<const Provider*> providers,
            CompileOptions options);
    ~Program();

    /// Runs once: `inputs` are the graph's inputs, then its captures. Returns its outputs.
    std::vector<Datum> run(std::span<const Datum> inputs, const RunScope& scope);

    /// Compiles the first segment for these inputs if that has not been done. True if it had to.
    bool prepare(std::span<const Datum> inputs, Observer& observer);

    /// Bytes of the segments used last: their slabs, and the constants of their kernels' own making.
    struct Memory {
        size_t slabBytes = 0;
        size_t lowerBoundBytes = 0;
        size_t packedBytes = 0;
    };
    Memory memory() const;

    const Graph& graph() const { return *graph_; }

private:
    class Stage;
    struct Compiled;
    struct Live;

    std::shared_ptr<const Graph> graph_;
    std::vector<const Provider*> providers_;
    CompileOptions options_;
    std::unique_ptr<Stage> first_;
};

}  // namespace engine
