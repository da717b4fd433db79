#include "engine/session.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <unordered_map>

#include <omp.h>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/core/name_list.h"
#include "engine/core/processor.h"
#include "engine/run/bounded_observer.h"
#include "engine/run/program.h"
#include "engine/runnable_graph.h"

namespace engine {

std::vector<ProviderInfo> availableProviders() {
    std::vector<ProviderInfo> infos;
    for (const std::string& name : providerNames()) infos.push_back(provider(name).info());
    return infos;
}

namespace {

using Clock = std::chrono::steady_clock;

int64_t nanosecondsSince(Clock::time_point start) {
    return std::chrono::nanoseconds(Clock::now() - start).count();
}

std::vector<const Provider*> providersFor(const SessionOptions& options) {
    std::vector<std::string> names = options.providers;
    if (std::find(names.begin(), names.end(), "reference") == names.end()) names.emplace_back("reference");
    std::vector<const Provider*> providers;
    for (const std::string& name : names) providers.push_back(&provider(name));
    return providers;
}

/// Adds a graph's nodes to the report, then those of the bodies in it.
void addPlacement(PlacementReport& report, const TypedGraph& typed, const std::string& graphName,
                  const std::vector<const Provider*>& providers) {
    const Graph& graph = *typed.graph;
    const size_t offset = report.nodes.size();
    std::vector<NodeId> placed;
    std::vector<const Provider*> chosen;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        Choice choice = choose(NodeView(typed, NodeId(i)), providers);
        report.nodes.push_back({.node = NodeId(i),
                                .graphName = graphName,
                                .name = node.name,
                                .operatorType = qualifiedType(node),
                                .provider = choice.provider == nullptr ? "" : choice.provider->info().name,
                                .refusals = std::move(choice.refusals),
                                .origins = node.origins});
        if (choice.provider == nullptr) continue;
        placed.emplace_back(i);
        chosen.push_back(choice.provider);
    }
    for (const Partition& part : connectedParts(graph, partition(graph, placed, chosen))) {
        for (const NodeId id : part.nodes)
            report.nodes[offset + id.index].partition = report.partitions.size();
        report.partitions.push_back(
            {.provider = part.provider->info().name, .graphName = graphName, .nodes = part.nodes});
    }
    for (const auto& [id, bodies] : typed.bodies) {
        const auto names = subgraphs(graph.node(id));
        for (size_t i = 0; i < bodies.size(); ++i) {
            if (!bodies[i]) continue;
            addPlacement(
                report, *bodies[i],
                text(graphName, graphName.empty() ? "" : " / ", graph.node(id).name, ".", names[i].first),
                providers);
        }
    }
}

bool fitsTensor(const Type& declared, const Tensor& tensor) {
    if (declared.element != DataType::undefined && declared.element != tensor.type()) return false;
    if (!declared.shape) return true;
    const Dims& dims = tensor.dims();
    if (declared.shape->size() != dims.size()) return false;
    for (size_t i = 0; i < dims.size(); ++i) {
        const Dim& dim = (*declared.shape)[i];
        if (dim.isNumber() && dim.number() != dims[i]) return false;
    }
    return true;
}

/// Whether a datum fits what the model declares of an input; throws Error naming both.
void checkInput(const Value& value, const Datum& datum) {
    if (value.type.kind == Type::Kind::unknown || value.type.kind == Type::Kind::optional) return;
    const bool fits = datum.isTensor() ? value.type.isTensor() && fitsTensor(value.type, datum.tensor())
                                       : !datum.isEmpty() && datum.type().kind == value.type.kind;
    if (fits) return;
    fail("input '", value.name, "' was given as ", datum.isEmpty() ? "nothing" : typeText(datum.type()),
         ", the model declares ", typeText(value.type));
}

/// Holds what a session does for one call to the limits of the call.
struct Bounds {
    Bounds(const Limits& limits, Observer& caller)
        : observer(caller, limits.seconds, "limit-seconds"),
          memory(limits.memoryBytes > 0 ? limits.memoryBytes : availableMemory()) {}

    BoundedObserver observer;
    MemoryLimit memory;
};

class EngineSession final : public Session {
public:
    EngineSession(std::shared_ptr<const Model> model, const SessionOptions& options, Observer& observer)
        : model_(std::move(model)), options_(options), providers_(providersFor(options)) {
        if (options_.threads <= 0) options_.threads = usableCores();
        if (options_.precision != "f32")
            fail("precision '", options_.precision, "' is not there yet; expected f32");
        const auto start = Clock::now();
        const std::shared_ptr<const Graph> graph = runnableGraph(*model_, observer);
        // What cannot be run is shown as it is.
        if (!model_->obstacle.empty()) options_.passes.enabled = false;
        PipelineResult optimized = optimize(graph, {}, options_.passes, observer);
        passes_ = std::move(optimized.records);
        graph_ = std::make_shared<const TypedGraph>(infer(optimized.graph, {}, observer));
        addPlacement(placement_, *graph_, "", providers_);
        program_ = std::make_unique<Program>(
            optimized.graph, providers_,
            CompileOptions{.threads = options_.threads, .measureCandidates = options_.measureCandidates});
        const Graph& runs = program_->graph();
        for (size_t i = 0; i < runs.inputs.size(); ++i)
            inputIndex_.emplace(runs.value(runs.inputs[i]).name, i);
        optimizeNs_ = nanosecondsSince(start);
    }

    const Model& model() const override { return *model_; }
    const SessionOptions& options() const override { return options_; }
    std::shared_ptr<const TypedGraph> graph() const override { return graph_; }
    const std::vector<PassRecord>& passes() const override { return passes_; }
    const PlacementReport& placement() const override { return placement_; }
    int64_t optimizeNs() const override { return optimizeNs_; }

    RunResult run(const std::vector<NamedDatum>& inputs, const RunOptions& options,
                  Observer& observer) override {
        model_->checkRunnable();
        omp_set_num_threads(options_.threads);
        Bounds bounds(options.limits, observer);
        const auto start = Clock::now();
        std::optional<TraceRecorder> recorder;
        if (options.trace) recorder.emplace();
        const std::vector<Datum> data = ordered(inputs);
        const RunScope scope{.observer = bounds.observer,
                             .recorder = recorder ? &*recorder : nullptr,
                             .seed = options_.seed + runs_.fetch_add(1) * 1000003,
                             .limits = options.limits};
        std::vector<Datum> outputs = program_->run(data, scope);
        RunResult result;
        for (size_t i = 0; i < outputs.size(); ++i) {
            result.outputs.push_back({outputName(i), std::move(outputs[i])});
        }
        result.elapsedNs = nanosecondsSince(start);
        if (recorder) result.trace = recorder->finish(result.elapsedNs);
        return result;
    }

    int64_t prepare(const std::vector<NamedDatum>& inputs, const Limits& limits,
                    Observer& observer) override {
        model_->checkRunnable();
        omp_set_num_threads(options_.threads);
        Bounds bounds(limits, observer);
        const auto start = Clock::now();
        return program_->prepare(ordered(inputs), bounds.observer) ? nanosecondsSince(start) : 0;
    }

    Memory memory() const override {
        const Program::Memory memory = program_->memory();
        return {.slabBytes = memory.slabBytes,
                .lowerBoundBytes = memory.lowerBoundBytes,
                .packedBytes = memory.packedBytes};
    }

private:
    std::string outputName(size_t index) const {
        const Graph& graph = *model_->graph;
        const ValueId id = graph.outputs[index];
        return id.isValid() ? graph.value(id).name : "";
    }

    std::vector<Datum> ordered(const std::vector<NamedDatum>& inputs) const {
        const Graph& graph = program_->graph();
        std::vector<Datum> data(graph.inputs.size());
        std::vector<char> isGiven(graph.inputs.size(), 0);
        for (const NamedDatum& input : inputs) {
            const auto found = inputIndex_.find(input.name);
            if (found == inputIndex_.end())
                fail("the model has no input '", input.name, "'; its inputs are: ", inputNames());
            const size_t index = found->second;
            checkInput(graph.value(graph.inputs[index]), input.datum);
            data[index] = input.datum;
            isGiven[index] = 1;
        }
        for (size_t i = 0; i < isGiven.size(); ++i) {
            const Value& value = graph.value(graph.inputs[i]);
            if (isGiven[i] || value.type.kind == Type::Kind::optional) continue;
            fail("input '", value.name, "' (", typeText(value.type), ") was not given");
        }
        return data;
    }

    std::string inputNames() const {
        std::vector<std::string> names;
        for (const ValueId id : program_->graph().inputs) names.push_back(program_->graph().value(id).name);
        return listNames(names);
    }

    std::shared_ptr<const Model> model_;
    SessionOptions options_;
    std::vector<const Provider*> providers_;
    std::vector<PassRecord> passes_;
    std::shared_ptr<const TypedGraph> graph_;
    PlacementReport placement_;
    std::unique_ptr<Program> program_;
    std::unordered_map<std::string, size_t> inputIndex_;
    std::atomic<uint64_t> runs_{0};
    int64_t optimizeNs_ = 0;
};

}  // namespace

std::shared_ptr<Session> Session::create(std::shared_ptr<const Model> model, const SessionOptions& options,
                                         Observer& observer) {
    return std::make_shared<EngineSession>(std::move(model), options, observer);
}

}  // namespace engine
