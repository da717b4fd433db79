#pragma once

#include <optional>
#include <string>

#include "engine/passes/pass.h"

namespace engine {

/// What passes ask of a graph, with the answers in one place.
class Pattern {
public:
    Pattern(const TypedGraph& typed, const Uses& uses) : typed_(typed), uses_(uses) {}

    const Graph& graph() const { return *typed_.graph; }
    const Node& node(NodeId id) const { return typed_.graph->node(id); }

    /// Whether the node is that operator of ai.onnx (any version we have a definition for).
    bool is(NodeId id, const char* operatorType) const;
    bool is(NodeId id, const char* domain, const char* operatorType) const;

    /// The node that makes the value, or an invalid id.
    NodeId producer(ValueId value) const { return value.isValid() ? uses_.producer[value.index] : NodeId(); }
    /// The only reader of the value; invalid if there are none or several, or if the value is a graph output.
    NodeId onlyReader(ValueId value) const;
    /// The value's constant tensor, or null.
    const Tensor* constant(ValueId value) const;
    /// The single element of a constant, as double.
    std::optional<double> scalar(ValueId value) const;
    const Type& type(ValueId value) const { return typed_.types[value.index]; }
    /// Input `index`, or an invalid id.
    ValueId input(NodeId id, size_t index) const;
    /// Of a node of two inputs: the one that is not `value`; invalid if both are.
    ValueId otherInput(NodeId id, ValueId value) const;
    bool isGraphOutput(ValueId value) const { return uses_.isOutput[value.index] != 0; }
    const TypedGraph& typed() const { return typed_; }
    const Uses& uses() const { return uses_; }

private:
    const TypedGraph& typed_;
    const Uses& uses_;
};

/// A constant of float type as doubles.
std::optional<std::vector<double>> floatValues(const Tensor* tensor);

/// A tensor of that float type with those values.
Tensor floatTensor(DataType element, const Dims& dims, const std::vector<double>& values);

}  // namespace engine
