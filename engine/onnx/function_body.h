#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/model.h"

namespace engine::onnx {

/// What ONNX's specification says an operator is made of, for one node.
struct SchemaFunction {
    Function function;
    /// Values of the node's graph that its subgraphs capture: further inputs of the function's body, after
    /// the node's own.
    std::vector<ValueId> captured;
};

/// Whether the specification, or an OpBody, defines the node's operator by other operators.
bool hasSchemaFunction(const Node& node);

/// The body for this node, if its operator has one. Some bodies depend on the types of the inputs: without
/// types there is none then. Throws Error where the specification's own builder refuses the node.
std::optional<SchemaFunction> schemaFunction(const Node& node, std::span<const Type> inputTypes);

}  // namespace engine::onnx
