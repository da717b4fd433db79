#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/graph/graph.h"

namespace engine {

/// The changes that a pass asks for. Recorded here, done by apply(): a pass itself never touches a graph. New
/// values get ids past the graph's own at once, so that new nodes can name them.
class Edits {
public:
    explicit Edits(const Graph& graph) : graph_(graph), nextValue_(graph.values.size()) {}

    /// A value with a constant inside it.
    ValueId addConstant(const std::string& nameHint, Tensor tensor);
    ValueId addConstant(const std::string& nameHint, Datum datum, Type type);
    /// A value that a new node will produce.
    ValueId addValue(const std::string& nameHint, Type type);
    /// Inserts the node right before `before`. `node.origins` must say which nodes it stands for.
    void addNode(Node node, NodeId before);
    /// Puts another node in place of `id`, at its place.
    void replaceNode(NodeId id, Node node);
    void removeNode(NodeId id);
    /// Every reader of `from` reads `to` instead, also graph outputs and subgraph captures. A graph output
    /// keeps its name: the value takes `from`'s name over if it has to.
    void replaceValue(ValueId from, ValueId to);

    /// A node was asked to change twice within these edits: the second request is ignored and this is true.
    bool touched(NodeId id) const;
    bool isEmpty() const { return count() == 0; }
    size_t count() const;

    /// The graph with all of it done, nodes in order, unused values kept (ids of old values stay the same).
    Graph apply() const;

private:
    struct Insertion {
        NodeId before;
        Node node;
    };
    const Graph& graph_;
    size_t nextValue_;
    std::vector<Value> newValues_;
    std::vector<Insertion> insertions_;
    std::map<NodeId, Node> replacements_;
    std::set<NodeId> removals_;
    std::map<ValueId, ValueId> valueReplacements_;
};

/// Origins of several nodes together, sorted, each once: for a node that stands for all of them.
std::vector<OriginId> mergedOrigins(std::initializer_list<const Node*> nodes);

}  // namespace engine
