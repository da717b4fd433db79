#include "engine/passes/pipeline.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>

#include "engine/core/error.h"

namespace engine {

template <>
Registry<Pass>& Registry<Pass>::instance() {
    static Registry registry;
    return registry;
}

bool Pass::operator<(const Pass& other) const {
    return phase != other.phase ? phase < other.phase : std::string_view(name) < other.name;
}

namespace {

constexpr int mostRounds = 50;

void checkNames(const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const Pass* pass : Registry<Pass>::instance().entries()) known.emplace_back(pass->name);
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string near = closestWord(name, known);
        fail("there is no pass '", name, "'", near.empty() ? "" : "; did you mean '" + near + "'?");
    }
}

/// Runs passes over one graph and, first, over the bodies in it.
class Runner {
public:
    Runner(const PipelineOptions& options, Observer& observer, std::vector<PassRecord>& records)
        : options_(options), observer_(observer), records_(records) {}

    std::shared_ptr<const Graph> run(std::shared_ptr<const Graph> graph, const InferOptions& types) {
        graph = runInBodies(std::move(graph), types);
        for (const Phase phase : {Phase::clean, Phase::fold, Phase::fuse, Phase::layout}) {
            graph = runPhase(std::move(graph), types, phase);
        }
        return graph;
    }

private:
    bool isWanted(const Pass& pass) const {
        return std::find(options_.without.begin(), options_.without.end(), pass.name) ==
               options_.without.end();
    }

    std::shared_ptr<const Graph> runPhase(std::shared_ptr<const Graph> graph, const InferOptions& types,
                                          Phase phase) {
        std::set<std::string> restless;
        for (int round = 0; round < mostRounds; ++round) {
            restless.clear();
            for (const Pass* pass : Registry<Pass>::instance().entries()) {
                if (pass->phase != phase || !isWanted(*pass) || edits_ >= options_.stopAfter) continue;
                observer_.checkpoint(std::min(0.95, static_cast<double>(records_.size()) / 50), pass->name);
                if (apply(*pass, graph, types)) restless.insert(pass->name);
            }
            if (restless.empty()) return graph;
        }
        fail("passes undo each other's work: after ", mostRounds, " rounds these still change the graph: ",
             join(std::vector<std::string>(restless.begin(), restless.end()), ", "));
    }

    bool apply(const Pass& pass, std::shared_ptr<const Graph>& graph, const InferOptions& types) {
        const auto start = std::chrono::steady_clock::now();
        try {
            InferOptions options = types;
            options.foldsParameters = pass.phase == Phase::fold;
            const TypedGraph typed = infer(graph, options, observer_);
            const Uses uses(*graph);
            Edits edits(*graph);
            pass.apply(typed, uses, edits);
            if (edits.isEmpty()) return false;
            auto changed = std::make_shared<const Graph>(edits.apply());
            const std::vector<std::string> problems = verify(*changed);
            if (!problems.empty()) fail("it left a graph that does not hold together: ", problems.front());
            record(pass, *graph, changed, edits, start);
            graph = std::move(changed);
            return true;
        } catch (Error& error) {
            error.addContext(text("pass ", pass.name));
            throw;
        }
    }

    void record(const Pass& pass, const Graph& before, const std::shared_ptr<const Graph>& after,
                const Edits& edits, std::chrono::steady_clock::time_point start) {
        PassRecord record{.pass = pass.name,
                          .edits = edits.count(),
                          .nodesBefore = before.nodes.size(),
                          .nodesAfter = after->nodes.size()};
        std::set<OriginId> touched;
        for (size_t i = 0; i < before.nodes.size(); ++i) {
            if (edits.touched(NodeId(i)))
                touched.insert(before.nodes[i].origins.begin(), before.nodes[i].origins.end());
        }
        record.touched.assign(touched.begin(), touched.end());
        if (options_.keepRecord) record.after = after;
        record.elapsedNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
        edits_ += edits.count();
        records_.push_back(std::move(record));
    }

    std::shared_ptr<const Graph> runInBodies(std::shared_ptr<const Graph> graph, const InferOptions& types) {
        const bool hasBodies = std::any_of(graph->nodes.begin(), graph->nodes.end(),
                                           [](const Node& node) { return !subgraphs(node).empty(); });
        if (!hasBodies) return graph;
        const TypedGraph typed = infer(graph, types, observer_);
        auto changed = std::make_shared<Graph>(*graph);
        for (size_t i = 0; i < changed->nodes.size(); ++i) {
            size_t index = 0;
            const auto found = typed.bodies.find(NodeId(i));
            const auto renew = [&](std::shared_ptr<const Graph>& body) {
                const TypedGraph* known = found != typed.bodies.end() && index < found->second.size()
                                              ? found->second[index].get()
                                              : nullptr;
                ++index;
                body = run(body, bodyTypes(*body, known, types));
            };
            for (Attribute& attribute : changed->nodes[i].attributes) {
                if (auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) renew(*body);
                if (auto* bodies = std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
                    for (auto& body : *bodies) renew(body);
                }
            }
        }
        return changed;
    }

    /// What the body's inputs and captures are, as inferred from around it.
    static InferOptions bodyTypes(const Graph& body, const TypedGraph* typed, const InferOptions& outer) {
        InferOptions options{.bindings = outer.bindings,
                             .types = {},
                             .known = {},
                             .largestFold = outer.largestFold,
                             .trustDeclared = outer.trustDeclared};
        if (typed == nullptr) return options;
        for (const ValueId input : body.inputs) options.types[input] = typed->types[input.index];
        for (const Capture& capture : body.captures) {
            options.types[capture.inner] = typed->types[capture.inner.index];
            options.known[capture.inner] = typed->known[capture.inner.index];
        }
        return options;
    }

    const PipelineOptions& options_;
    Observer& observer_;
    std::vector<PassRecord>& records_;
    size_t edits_ = 0;
};

}  // namespace

PipelineResult optimize(std::shared_ptr<const Graph> graph, const InferOptions& types,
                        const PipelineOptions& options, Observer& observer) {
    checkNames(options.without);
    PipelineResult result{.graph = std::move(graph), .records = {}};
    if (!options.enabled) return result;
    result.graph = Runner(options, observer, result.records).run(result.graph, types);
    return result;
}

}  // namespace engine
