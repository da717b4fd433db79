#include "engine/model.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <unordered_set>

#include "engine/core/error.h"
#include "engine/onnx/expand_functions.h"
#include "engine/onnx/function_body.h"
#include "engine/onnx/import.h"
#include "engine/onnx/mapped_file.h"

namespace engine {
namespace {

bool hasNoOperator(const Node& node) {
    return findOp(node.domain, node.operatorType, node.version) == nullptr;
}

bool isCallOf(const Function& function, const Node& node) {
    return function.name == node.operatorType && function.domain == node.domain &&
           function.overload == node.overload;
}

/// Whether a body can stand for the node: one of the model's functions, or, where the engine lacks the
/// operator, one of ONNX's specification.
bool isExpandable(const Node& node, const std::vector<Function>& functions) {
    const bool isCall = std::any_of(functions.begin(), functions.end(),
                                    [&](const Function& function) { return isCallOf(function, node); });
    return isCall || (hasNoOperator(node) && onnx::hasSchemaFunction(node));
}

bool hasExpandable(const Graph& graph, const std::vector<Function>& functions) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
        if (isExpandable(node, functions)) return true;
        const auto bodies = subgraphs(node);
        return std::any_of(bodies.begin(), bodies.end(), [&](const auto& body) {
            return body.second && hasExpandable(*body.second, functions);
        });
    });
}

/// Why nodes of the model, or parts of them, cannot be expanded: by the nodes' origins.
std::map<OriginId, std::string> refusals(const TypedGraph& expanded) {
    std::map<OriginId, std::string> reasons;
    for (const Node& node : expanded.graph->nodes) {
        if (node.problem.empty()) continue;
        for (const OriginId origin : node.origins) {
            const std::string place = node.within.empty() ? "" : nameAndType(node) + ": ";
            reasons.try_emplace(origin, place + node.problem);
        }
    }
    return reasons;
}

/// Takes over what is known of the values once functions are expanded; their calls are no unknown operators
/// then.
void adoptTypes(TypedGraph& typed, const TypedGraph& expanded, const std::vector<Function>& functions) {
    if (typed.graph == expanded.graph) return;
    for (size_t i = 0; i < typed.types.size(); ++i) {
        typed.types[i] = expanded.types[i];
        typed.known[i] = expanded.known[i];
    }
    const std::map<OriginId, std::string> refused = refusals(expanded);
    for (size_t i = 0; i < typed.nodes.size(); ++i) {
        const NodeId id(i);
        const Node& node = typed.graph->node(id);
        if (!isExpandable(node, functions)) continue;
        const std::string place = describe(*typed.graph, id);
        std::erase_if(typed.diagnostics,
                      [&](const Diagnostic& diagnostic) { return diagnostic.place == place; });
        const auto reason = node.origins.empty() ? refused.end() : refused.find(node.origins.front());
        typed.nodes[i].problem = reason == refused.end() ? "" : reason->second;
        if (reason != refused.end()) typed.diagnostics.push_back({.message = reason->second, .place = place});
    }
}

/// Expands functions and infers types. A function that cannot be expanded is reported, and its calls stay.
void addTypes(Model& model, std::shared_ptr<const Graph> graph, Observer& observer,
              const OpenLimits& limits) {
    auto typed = std::make_shared<TypedGraph>(infer(graph, InferOptions(), observer));
    model.expanded = typed;
    if (hasExpandable(*graph, model.functions)) {
        try {
            auto expanded = std::make_shared<const TypedGraph>(onnx::expandFunctions(
                graph, model.functions, hasNoOperator, InferOptions(), observer, limits));
            adoptTypes(*typed, *expanded, model.functions);
            if (expanded->graph != graph) model.expanded = std::move(expanded);
        } catch (const Error& error) {
            if (model.obstacle.empty()) model.obstacle = text("functions: ", error.what());
            model.diagnostics.push_back(
                {.severity = Diagnostic::Severity::error, .message = error.what(), .place = "functions"});
        }
    }
    model.diagnostics.insert(model.diagnostics.end(), typed->diagnostics.begin(), typed->diagnostics.end());
    model.typed = std::move(typed);
}

/// Adds what inference finds to a model that is otherwise complete.
void finish(Model& model, Observer& observer, const OpenLimits& limits = {}) {
    Modernized modern = modernize(*model.graph);
    for (std::string& problem : modern.problems) model.diagnostics.push_back({.message = std::move(problem)});
    observer.checkpoint(0.7, "inferring shapes");
    addTypes(model, std::make_shared<const Graph>(std::move(modern.graph)), observer, limits);
    if (model.obstacle.empty()) model.obstacle = missingValue(*model.expanded->graph);
}

/// Adds the constants of the graph and of its subgraphs, and their nodes.
void count(const Graph& graph, ModelSummary& summary, std::map<std::string, size_t>& operators) {
    const auto addTensor = [&summary](const Tensor& tensor) {
        summary.parameters += tensor.elements();
        summary.parameterBytes += static_cast<int64_t>(tensor.bytes());
    };
    for (const Value& value : graph.values) {
        if (value.constant && value.constant->isTensor()) addTensor(value.constant->tensor());
    }
    for (const Node& node : graph.nodes) {
        ++summary.nodes;
        ++operators[node.domain.empty() ? node.operatorType : node.domain + "." + node.operatorType];
        if (node.operatorType == "Constant" && node.domain.empty()) {
            for (const Attribute& attribute : node.attributes) {
                if (const auto* tensor = std::get_if<Tensor>(&attribute.value)) addTensor(*tensor);
            }
        }
        for (const auto& [name, body] : subgraphs(node)) count(*body, summary, operators);
    }
}

/// Adds the work of the graph's nodes. Bodies count once, however often a loop runs them.
void addWork(const TypedGraph& typed, ModelSummary& summary) {
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const Work work = costOf(typed, NodeId(i)).work;
        if (work.multiplyAdds.isUnknown() || work.otherFlops.isUnknown()) {
            ++summary.nodesOfUnknownWork;
        } else {
            summary.multiplyAdds += work.multiplyAdds;
            summary.flops += 2 * work.multiplyAdds + work.otherFlops;
        }
    }
    for (const auto& [id, bodies] : typed.bodies) {
        for (const auto& body : bodies) {
            if (body) addWork(*body, summary);
        }
    }
}

}  // namespace

std::shared_ptr<const Model> Model::open(const std::filesystem::path& path, Observer& observer,
                                         const OpenLimits& limits) {
    const auto start = std::chrono::steady_clock::now();
    observer.checkpoint(0, "reading the file");
    auto model = std::make_shared<Model>();
    model->path = path;
    try {
        const auto file = onnx::MappedFile::open(path);
        model->fileBytes = file->bytes().size();
        if (path.extension() == ".onnxtxt") {
            const std::string source(reinterpret_cast<const char*>(file->bytes().data()),
                                     file->bytes().size());
            onnx::importText(source, path.parent_path(), *model, observer);
        } else {
            onnx::importModel(file->bytes(), file, path.parent_path(), *model, observer, limits);
        }
    } catch (Error& error) {
        error.addContext(path.filename().string());
        throw;
    }
    finish(*model, observer, limits);
    model->openNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    return model;
}

std::shared_ptr<const Model> Model::parse(const std::string& onnxText) {
    Observer observer;
    auto model = std::make_shared<Model>();
    onnx::importText(onnxText, std::nullopt, *model, observer);
    finish(*model, observer);
    return model;
}

std::shared_ptr<const Model> Model::fromGraph(Graph graph, std::vector<OpsetImport> opsets) {
    Observer observer;
    auto model = std::make_shared<Model>();
    model->opsets = std::move(opsets);
    model->graph = numberNodes(std::move(graph), "", model->origins);
    finish(*model, observer);
    return model;
}

std::shared_ptr<const TypedGraph> Model::bound(const Bindings& bindings) const {
    Observer observer;
    InferOptions options;
    options.bindings = bindings;
    auto result = std::make_shared<TypedGraph>(infer(typed->graph, options, observer));
    if (expanded->graph != typed->graph) {
        adoptTypes(*result, infer(expanded->graph, options, observer), functions);
    }
    return result;
}

void Model::checkRunnable() const {
    if (!obstacle.empty()) fail(obstacle);
}

std::vector<std::string> Model::symbols() const {
    std::vector<std::string> result;
    std::unordered_set<std::string> known;
    for (const ValueId input : graph->inputs) {
        const Type& type = typed->types[input.index];
        if (!type.shape) continue;
        for (const Dim& dim : *type.shape) {
            for (const std::string& symbol : dim.symbols()) {
                if (known.insert(symbol).second) result.push_back(symbol);
            }
        }
    }
    return result;
}

ModelSummary summarize(const Model& model, const Bindings& bindings) {
    ModelSummary summary;
    std::map<std::string, size_t> operators;
    count(*model.graph, summary, operators);
    summary.operators.assign(operators.begin(), operators.end());
    std::stable_sort(summary.operators.begin(), summary.operators.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    Observer observer;
    InferOptions options;
    options.bindings = bindings;
    addWork(bindings.empty() ? *model.expanded : infer(model.expanded->graph, options, observer), summary);
    return summary;
}

}  // namespace engine
