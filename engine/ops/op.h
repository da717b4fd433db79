#pragma once

#include <string>
#include <vector>

#include "engine/core/registry.h"
#include "engine/ops/attribute_reader.h"

namespace engine {

class InferContext;
class WorkContext;
class KernelContext;
class NodeRewriter;
struct CustomOperator;

/// What one run of a node computes, as functions of the shapes. Bytes moved follow from the types and are
/// counted by the caller. 1 multiply-add = 2 FLOPs; exp, erf, tanh, log, sqrt, sin and division count as one
/// special function each.
struct Work {
    Dim multiplyAdds = 0;
    Dim otherFlops = 0;
    Dim specialFunctions = 0;
};

/// How closely two correct implementations agree.
enum class Tolerance : uint8_t {
    exact,     ///< to the bit
    rounding,  ///< up to rounding in the element type
    random,    ///< in distribution only
};

/// All facts on one operator from one opset version on, up to the next OpDef or OpUpgrade of the same name.
/// One .cpp per operator (or per family that differs in a scalar function) defines and registers it; no
/// header.
struct OpDef {
    const char* name;
    int sinceVersion;
    /// Parses the attributes once per node; kernels read the result by `context.attributes<A>()`.
    ParsedAttributes (*attributes)(const AttributeReader& reader);
    /// Sets the types of all outputs (and, for shape arithmetic, their elements as expressions). Throws Error
    /// on inputs that the operator does not take.
    void (*infer)(InferContext& context);
    Work (*work)(const WorkContext& context);
    /// Plain loops that document by running: right for every type and form the schema allows. No SIMD, no
    /// threads.
    void (*reference)(KernelContext& context);

    const char* domain = "";
    Tolerance tolerance = Tolerance::rounding;
    /// Output 0 has the broadcast shape of the inputs and each of its elements depends on the same element of
    /// each.
    bool elementwise = false;
    /// Output 0 holds the elements of input 0 in the same order: a view is enough.
    bool isView = false;
    const CustomOperator* custom = nullptr;  ///< set if a library that the user named brought the operator

    bool operator<(const OpDef& other) const;
};

/// How the form that an operator had from one opset version on is written in the next form: an attribute that
/// became an input, a renamed operator. Graphs are brought to the newest forms before passes and kernels see
/// them.
struct OpUpgrade {
    const char* name;
    int sinceVersion;
    /// Changes the node (at least its version, to the version of a later form).
    void (*rewrite)(NodeRewriter& node);

    const char* domain = "";

    bool operator<(const OpUpgrade& other) const;
};

/// An operator that the engine knows of and does not run, with the reason: messages about it and lists of
/// operators say so.
struct OpRefusal {
    const char* name;
    const char* domain;
    const char* reason;

    bool operator<(const OpRefusal& other) const;
};

/// "" for "ai.onnx", which names the same domain; else the domain itself.
std::string_view canonicalDomain(std::string_view domain);

/// The refusal of that operator, or null.
const OpRefusal* findRefusal(const std::string& domain, const std::string& name);

/// The definition that governs a node of that opset version: the one with the highest sinceVersion not above
/// it. Null if the operator is unknown, or if an OpUpgrade stands nearer.
const OpDef* findOp(const std::string& domain, const std::string& name, int version);
const OpUpgrade* findUpgrade(const std::string& domain, const std::string& name, int version);

/// Why findOp finds nothing, for messages: unknown domain, unknown operator (with the nearest name), or
/// version.
std::string whyUnknown(const std::string& domain, const std::string& name, int version);

/// What an OpUpgrade works on.
class NodeRewriter {
public:
    NodeRewriter(Graph& graph, NodeId id) : graph_(graph), id_(id) {}

    Node& node() { return graph_.node(id_); }
    const Graph& graph() const { return graph_; }
    AttributeReader attributes() const { return AttributeReader(graph_.node(id_)); }
    void setVersion(int version) { node().version = version; }
    void setAttribute(const std::string& name, AttributeValue value);
    void removeAttribute(const std::string& name);
    /// Puts a constant at input `index`, filling omitted inputs before it.
    void setInput(size_t index, Tensor constant);
    /// Moves an `ints` attribute, if present, to input `index` as a 1-D int64 constant.
    void integersToInput(const std::string& attribute, size_t index);
    void dropOutputsFrom(size_t index);

private:
    Graph& graph_;
    NodeId id_;
};

/// Rewrites every node of the graph and of its subgraphs to the newest form there is. Value and node ids
/// stay; constants are appended. What cannot be rewritten stays as it is, with the reason in the result.
struct Modernized {
    Graph graph;
    std::vector<std::string> problems;
};
Modernized modernize(const Graph& graph);

}  // namespace engine
