#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/limits.h"
#include "engine/core/observer.h"
#include "engine/core/provider_info.h"
#include "engine/model.h"
#include "engine/passes/pipeline.h"
#include "engine/plan/placement.h"
#include "engine/profile/aggregate.h"
#include "engine/profile/statistics.h"
#include "engine/profile/trace.h"

namespace engine {

/// All providers there are, also those that this machine cannot use (with the reason), by name.
std::vector<ProviderInfo> availableProviders();

struct SessionOptions {
    std::vector<std::string> providers = {"cpu", "reference"};  ///< in order; reference is always appended
    int threads = 0;                                            ///< 0: one per core that this process may use
    PipelineOptions passes = {};
    std::string precision = "f32";
    bool measureCandidates = true;
    uint64_t seed = 0;  ///< of random operators
};

/// Where a node of the optimised graph runs, and why.
struct Placement {
    NodeId node = {};
    std::string graphName = {};  ///< "" for the main graph, else the path to the body: "if_3.then_branch"
    std::string name = {};
    std::string operatorType = {};
    std::string provider = {};  ///< empty: nobody can run it
    std::vector<Refusal> refusals = {};
    std::vector<OriginId> origins = {};
    size_t partition = 0;  ///< index into PlacementReport::partitions
};

/// Neighbouring nodes on one provider.
struct PartitionInfo {
    std::string provider = {};
    std::string graphName = {};
    std::vector<NodeId> nodes = {};
};

struct PlacementReport {
    std::vector<Placement> nodes;  ///< in the optimised graph's node order, bodies after it
    std::vector<PartitionInfo> partitions;
    size_t copies = 0;  ///< values that cross from one provider's memory to another's
};

struct NamedDatum {
    std::string name = {};
    Datum datum;
};

struct RunOptions {
    Limits limits = {};
    bool trace = false;
};

struct RunResult {
    std::vector<NamedDatum> outputs = {};  ///< in the graph's order
    std::optional<Trace> trace = {};
    int64_t elapsedNs = 0;
};

/// What one shape costs before its first result, apart from what it costs afterwards.
struct ColdStart {
    int64_t openNs = 0;      ///< the file
    int64_t optimizeNs = 0;  ///< passes
    int64_t compileNs = 0;   ///< kernels for the first shapes, constants packed
    int64_t firstRunNs = 0;  ///< first run after compiling
};

/// A model made ready to run: façade over passes, placement, plan and executor. Thread-safe: runs may
/// overlap, each with its own buffers.
class Session {
public:
    /// Optimises and places the model. Throws Error if a pass fails; a node that nobody can run is no error
    /// until run.
    static std::shared_ptr<Session> create(std::shared_ptr<const Model> model, const SessionOptions& options,
                                           Observer& observer);
    virtual ~Session() = default;

    virtual const Model& model() const = 0;
    virtual const SessionOptions& options() const = 0;
    virtual std::shared_ptr<const TypedGraph> graph() const = 0;  ///< optimised
    virtual const std::vector<PassRecord>& passes() const = 0;
    virtual const PlacementReport& placement() const = 0;
    virtual int64_t optimizeNs() const = 0;  ///< what create() took

    /// Runs once. Inputs by name; every graph input without initializer must be there, of the declared
    /// element type and of dims that fit the declared shape. Errors name the input, or the node that failed.
    virtual RunResult run(const std::vector<NamedDatum>& inputs, const RunOptions& options,
                          Observer& observer) = 0;

    /// Compiles for these inputs without running, and says how long that took; 0 if it was done before.
    /// Errors as run()'s.
    virtual int64_t prepare(const std::vector<NamedDatum>& inputs, const Limits& limits,
                            Observer& observer) = 0;

    /// Bytes of the plan for the shapes last run: slab of intermediates, packed constants.
    struct Memory {
        size_t slabBytes = 0;
        size_t lowerBoundBytes = 0;  ///< the most that is alive at once: no plan can do with less
        size_t packedBytes = 0;
    };
    virtual Memory memory() const = 0;
};

/// How inputs that nobody gave are made up.
struct InputOptions {
    Bindings bindings = {};
    std::map<std::string, Dims> shapes = {};  ///< input name -> dims, wins over bindings
    uint64_t seed = 0;
    size_t memoryBytes = 0;  ///< limit-memory, of what is made up; 0: as much as the machine has
};

/// Fills in the inputs that `given` lacks: uniform [0, 1) for floats, small integers for integers, ones for
/// integers whose name speaks of a mask, unbound symbols and unknown dims 1. Same seed, same inputs. Throws
/// Error for an input whose type cannot be made up, for more than the memory allowed, and for a model that
/// cannot be run. Cancellable.
std::vector<NamedDatum> completeInputs(const Model& model, std::vector<NamedDatum> given,
                                       const InputOptions& options, Observer& observer);

/// How long profile() goes on: until `runs` or `seconds`, or if both are 0 until the median is sure to 0.5 %
/// (at least 0.5 s and 64 runs, at most 10 s).
struct ProfileOptions {
    size_t runs = 0;
    double seconds = 0;
    Limits limits;
};

struct ProfileResult {
    ColdStart cold;
    std::vector<double> latenciesNs;  ///< untraced runs, in order
    Estimate latencyNs;               ///< of those; scope L2
    std::vector<ProfileRow> steps;    ///< from traced runs, in step order
    std::vector<ProfileRow> types;    ///< most time first
    Trace trace;                      ///< of the traced run whose latency is nearest the median
    double tracedToUntraced = 1;      ///< what tracing costs: ratio of medians
    double unattributedShare = 0;     ///< of the traced latency that lies in no step
    Session::Memory memory;
    std::string environment;  ///< CPU, cores, threads, clock: one line
    std::string stopReason;   ///< why it stopped measuring
};

/// Measures a session on these inputs: cold start, warm-up until steady, then latency untraced and per step
/// traced, in alternating blocks. `onLatency`, if set, is called with each latency as it comes (from the
/// working thread).
ProfileResult profile(Session& session, const std::vector<NamedDatum>& inputs, const ProfileOptions& options,
                      Observer& observer, const std::function<void(double latencyNs)>& onLatency = {});

/// A sweep: every combination of the lists.
struct SweepOptions {
    std::vector<std::vector<std::string>> providers = {{"cpu"}, {"reference"}};
    std::map<std::string, std::vector<int64_t>> dims = {};  ///< symbol -> values
    std::vector<int> threads = {1};
    std::map<std::string, Dims> shapes = {};
    double secondsPerCell = 0.5;
    Limits limits = {};  ///< per run
    uint64_t seed = 0;
    PipelineOptions passes = {};
};

struct SweepCell {
    std::vector<std::string> providers = {};
    Bindings dims = {};
    int threads = 1;
    std::optional<Estimate> latencyNs = {};
    std::string problem = {};  ///< why there is no latency
    Session::Memory memory = {};
};

/// Measures every cell in interleaved rounds, cell order shuffled per round, so that drift falls on all
/// alike. `onCell` is called as results come in.
std::vector<SweepCell> sweep(std::shared_ptr<const Model> model, const SweepOptions& options,
                             Observer& observer,
                             const std::function<void(size_t index, const SweepCell&)>& onCell = {});

/// How two outputs differ: for --expect and compare. Within: |found - expected| <= absolute + relative *
/// |expected| for every element; NaN equals NaN.
struct Difference {
    double largest = 0;           ///< |a - b|
    double largestMagnitude = 0;  ///< of the expected
    Dims index = {};              ///< of the largest difference, among those too large if there are any
    double found = 0;
    double expected = 0;
    std::string problem = {};  ///< other type or shape; or empty
    bool isWithin = false;
};
Difference compare(const Datum& found, const Datum& expected, double relative, double absolute);

}  // namespace engine
