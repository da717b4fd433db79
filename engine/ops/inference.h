#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/diagnostic.h"
#include "engine/core/observer.h"
#include "engine/graph/graph.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/op.h"

namespace engine {

/// A graph with what inference found out about it. Everything is indexed as the graph's nodes and values are.
struct TypedGraph {
    std::shared_ptr<const Graph> graph;
    std::vector<ResolvedNode> nodes;
    std::vector<Type> types;
    std::vector<Known> known;
    /// Per node that has subgraphs: what inference found in each, in the order of subgraphs(node).
    std::map<NodeId, std::vector<std::shared_ptr<const TypedGraph>>> bodies;
    std::vector<Diagnostic> diagnostics;
};

/// Types and values from outside that stand in for what the file declares.
struct InferOptions {
    Bindings bindings;               ///< symbols of declared types that have become numbers
    std::map<ValueId, Type> types;   ///< for inputs and captures
    std::map<ValueId, Known> known;  ///< likewise
    size_t largestFold = 4096;       ///< elements of a result up to which known values are computed ahead
    bool foldsParameters =
        false;  ///< compute also larger results ahead, as long as they do not outgrow their inputs
    /// Take from the file's declarations what inference does not find. Off where only what will surely be may
    /// be believed.
    bool trustDeclared = true;
    /// Asked for the types of what a node makes that no operator governs, as calls of functions are, from
    /// those of its inputs (unknown where omitted). May give none.
    std::function<std::vector<Type>(const Node& node, std::span<const Type> inputs)> otherTypes = {};
};

/// Symbolic shape inference with data propagation, node by node in topological order. Never throws for the
/// model's faults: they become diagnostics, and the values concerned keep what the file declares of them.
TypedGraph infer(std::shared_ptr<const Graph> graph, const InferOptions& options, Observer& observer);

/// The same, one node at a time, for those who interleave it with other work (the planner).
class Inference {
public:
    Inference(std::shared_ptr<const Graph> graph, const InferOptions& options);

    /// What became of a node.
    struct Outcome {
        bool isKnown = false;             ///< its results were computed; nothing is left to run
        std::vector<size_t> missingData;  ///< inputs whose data it asked for in vain
        std::string problem;              ///< why inference failed, or empty
    };
    Outcome inferNode(NodeId id, Observer& observer);

    /// Asked when an operator wants data of a value that is not known ahead; may return null.
    std::function<const Tensor*(ValueId)> runtimeData;

    TypedGraph& result() { return result_; }
    const TypedGraph& result() const { return result_; }

private:
    void resolve(NodeId id);
    void inferTypes(NodeId id, Outcome& outcome, Observer& observer);
    void adopt(NodeId id, size_t output, Type type, std::optional<std::vector<Dim>> elements);
    void adoptDeclared(NodeId id, const std::string& problem);
    void inferOther(NodeId id, Outcome& outcome);
    const Known& knownInput(const Node& node, size_t index, Outcome& outcome);
    int64_t largestFold(const Node& node) const;
    void foldIfKnown(NodeId id, Outcome& outcome, Observer& observer);
    std::vector<Type> inferBody(NodeId id, const Graph& body, std::span<const Type> inputs,
                                std::span<const Known> known, Observer& observer);
    void warn(NodeId id, const std::string& message);
    /// Adds it, or, once there are very many, that more are not listed.
    void report(Diagnostic diagnostic);

    TypedGraph result_;
    InferOptions options_;
    std::map<ValueId, Known> runtimeKnown_;
};

/// Work and bytes of one node, from its types. Unknown dims make unknown figures.
struct NodeCost {
    Work work;
    Dim bytesRead = 0;  ///< inputs that are no constants
    Dim bytesWritten = 0;
    Dim parameterBytes = 0;  ///< constant inputs
};
NodeCost costOf(const TypedGraph& graph, NodeId id);

}  // namespace engine
