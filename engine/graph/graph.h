#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/type.h"
#include "engine/graph/attribute.h"
#include "engine/graph/id.h"

namespace engine {

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// One use of an operator.
struct Node {
    std::string name = {};          ///< may be empty or not unique: files are like that
    std::string operatorType = {};  ///< "Conv"
    std::string domain = {};        ///< "" for ai.onnx
    std::string overload = {};
    int version = 0;                    ///< the opset of `domain` whose rules the node follows
    std::vector<ValueId> inputs = {};   ///< an omitted optional input is an invalid id
    std::vector<ValueId> outputs = {};  ///< likewise
    std::vector<Attribute> attributes = {};
    std::vector<OriginId> origins = {};  ///< the nodes of the imported model it stands for, sorted, each once
    std::string documentation = {};
    Metadata metadata = {};
    std::string problem = {};  ///< what the reader of the file found wrong with it: then it cannot run
    std::string within = {};   ///< where it comes from, "'name' (Type)": a function's call, an old operator

    const Attribute* attribute(const std::string& attributeName) const;
};

/// An edge: produced once, used any number of times.
struct Value {
    std::string name = {};               ///< unique in its graph unless empty
    Type type = {};                      ///< as declared by the file, or as inferred
    std::optional<Datum> constant = {};  ///< an initializer (or what a pass computed)
    std::string documentation = {};
    Metadata metadata = {};
    std::string problem = {};  ///< why it cannot be had: its elements are damaged, or nothing makes it
};

/// In a subgraph: a value that stands for one of the graph around it.
struct Capture {
    ValueId inner;
    ValueId outer;  ///< in the directly enclosing graph
};

/// Nodes and values, addressed by their index. Nodes stand in an order in which each one's inputs come first,
/// unless the file has a cycle (a diagnostic then says so). Plain data; what it says of itself is checked by
/// verify().
struct Graph {
    std::string name = {};
    std::vector<Node> nodes = {};
    std::vector<Value> values = {};
    std::vector<ValueId> inputs =
        {};  ///< without initializers, also where an old file lists them among the inputs
    std::vector<ValueId> outputs = {};  ///< the same value may stand here twice
    std::vector<Capture> captures = {};
    std::string documentation = {};
    Metadata metadata = {};

    const Node& node(NodeId id) const { return nodes[id.index]; }
    Node& node(NodeId id) { return nodes[id.index]; }
    const Value& value(ValueId id) const { return values[id.index]; }
    Value& value(ValueId id) { return values[id.index]; }

    ValueId addValue(Value value);
    NodeId addNode(Node node);

    /// The value of that name, or an invalid id. Linear.
    ValueId findValue(const std::string& valueName) const;
};

/// "Conv", or "com.microsoft.FusedConv" outside of ai.onnx.
std::string qualifiedType(const Node& node);

/// A name for messages: "node 'conv_12' (Conv)", or "node #7 (Conv)" where it has no name; with ", part of
/// 'call' (Type)" where it comes from an expanded function.
std::string describe(const Graph& graph, NodeId id);

/// "'name' (Type)", or "(Type)" of a nameless node; fit to be printed.
std::string nameAndType(const Node& node);

/// What a node does, for tables and pictures: "Conv", "com.microsoft.Gelu"; of a node that a pass fused, its
/// parts: "Conv+Relu".
std::string operatorLabel(const Node& node);

/// The graphs among a node's attributes, with the attribute's name (and "[i]" for lists), in the attributes'
/// order.
std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> subgraphs(const Node& node);

/// All values that a node reads: its inputs, then what its subgraphs capture of this graph, each once, no
/// invalid ids.
std::vector<ValueId> reads(const Node& node);

/// Who makes and who reads each value of a graph. Subgraph captures count as reads by the node that holds the
/// subgraph.
struct Uses {
    std::vector<NodeId> producer;                ///< per value; invalid: an input, a constant or a capture
    std::vector<std::vector<NodeId>> consumers;  ///< per value, in node order, each node once
    std::vector<char> isOutput;                  ///< per value: a graph output

    explicit Uses(const Graph& graph);
};

/// The node ids in an order in which inputs come first; nodes on a cycle come last, in file order, and are
/// counted in `cyclic`.
struct Order {
    std::vector<NodeId> nodes;
    size_t cyclic = 0;
};
Order topologicalOrder(const Graph& graph);

/// What in `graph` breaks the rules that passes and planner rely on, or nothing: ids out of range, a value
/// produced twice, an input used before it is made, subgraph captures that point nowhere. One sentence each.
std::vector<std::string> verify(const Graph& graph);

/// What a run would read in vain or cannot run at all, in bodies too, with the reason: "initializer 'w':
/// found 15 bytes of …"; empty if all is there.
std::string missingValue(const Graph& graph);

}  // namespace engine
