#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/diagnostic.h"
#include "engine/core/limits.h"
#include "engine/core/observer.h"
#include "engine/graph/graph.h"
#include "engine/graph/origins.h"
#include "engine/ops/inference.h"

namespace engine {

struct OpsetImport {
    std::string domain;
    int version = 0;
};

/// A function that the model brings along.
struct Function {
    std::string domain;
    std::string name;
    std::string overload = {};
    std::string documentation = {};
    std::vector<std::string> attributes = {};  ///< without defaults
    std::vector<Attribute> defaultAttributes = {};
    std::vector<OpsetImport> opsets = {};
    std::shared_ptr<const Graph> body = {};  ///< its inputs and outputs are the function's
};

/// What the model says of how it is to be trained; shown, not run.
struct TrainingInfo {
    std::shared_ptr<const Graph> initialization = {};  ///< may be null
    std::shared_ptr<const Graph> algorithm = {};       ///< may be null; captures values of the main graph
    Metadata initializationBinding = {};               ///< initializer -> output of `initialization`
    Metadata updateBinding = {};                       ///< initializer -> output of `algorithm`
};

/// An opened file: what it says, unchanged, and what inference found in it. Immutable.
class Model {
public:
    /// Opens a model file: .onnx (or any other name with such content), .onnxtxt for ONNX's text syntax. What
    /// is damaged or unknown becomes a diagnostic and the rest opens; throws Error only if nothing of a model
    /// can be read.
    static std::shared_ptr<const Model> open(const std::filesystem::path& path, Observer& observer,
                                             const OpenLimits& limits = {});
    /// From text in ONNX's syntax: a model, or a graph alone (then with the newest opsets).
    static std::shared_ptr<const Model> parse(const std::string& onnxText);
    /// From a graph that came from no file. Its nodes become their own origins.
    static std::shared_ptr<const Model> fromGraph(Graph graph, std::vector<OpsetImport> opsets);

    std::filesystem::path path;
    uint64_t fileBytes = 0;
    int64_t openNs = 0;  ///< what open() took
    int64_t irVersion = 0;
    std::string producerName;
    std::string producerVersion;
    std::string domain;
    int64_t modelVersion = 0;
    std::string documentation;
    Metadata metadata;
    std::vector<OpsetImport> opsets;
    std::vector<Function> functions;
    std::vector<TrainingInfo> training;
    std::shared_ptr<const Graph> graph;  ///< as the file has it
    std::vector<OriginPlace> origins;    ///< by OriginId
    std::vector<Diagnostic> diagnostics;
    /// Why the model cannot be run: the file is damaged, its functions cannot be expanded, or a value that is
    /// read cannot be had. Empty if it can.
    std::string obstacle = {};
    /// `graph` in the newest operator forms (same value ids, constants appended) with symbolic types.
    std::shared_ptr<const TypedGraph> typed;
    /// `typed` with the calls of functions expanded where the engine has no operator for them: what runs. Its
    /// first values are those of `graph`. The same as `typed` where there is nothing to expand.
    std::shared_ptr<const TypedGraph> expanded;

    /// Types of `graph`'s values with symbols bound; the figures of each node.
    std::shared_ptr<const TypedGraph> bound(const Bindings& bindings) const;

    /// Throws Error that says why the model cannot be run, if it cannot.
    void checkRunnable() const;

    /// The symbols that the inputs' shapes use, in order of appearance.
    std::vector<std::string> symbols() const;
};

/// What the whole model is made of: for `info`.
struct ModelSummary {
    std::vector<std::pair<std::string, size_t>>
        operators;           ///< "Conv" or "com.microsoft.Gelu", most frequent first
    size_t nodes = 0;        ///< subgraphs' nodes included
    int64_t parameters = 0;  ///< elements of initializers and Constant nodes
    int64_t parameterBytes = 0;
    Dim multiplyAdds = 0;
    Dim flops = 0;
    size_t nodesOfUnknownWork = 0;
};
ModelSummary summarize(const Model& model, const Bindings& bindings);

}  // namespace engine
