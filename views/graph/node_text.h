#pragma once

#include <QString>
#include <QStringList>

#include "engine/graph/graph.h"
#include "engine/schema.h"

namespace views {

/// The operator's name, as titles have it; also of a node that names none.
QString operatorTitle(const engine::Node& node);

/// An attribute's value on one line: "[1, 1]", "NOTSET", "float 3×3 tensor".
QString attributeText(const engine::AttributeValue& value);

/// A constant on one line: its number if it has one or a few, else its shape.
QString constantText(const engine::Tensor& tensor);

/// What distinguishes this use of the operator from others, shortest first: "3×3 s2 p1", "axis −1".
/// Attributes at their default are left out. `schema` may be null.
QStringList distinguishingAttributes(const engine::Node& node, const engine::OperatorSchema* schema);

/// The formal name of an input ("W"), or its number.
QString inputName(size_t index, const engine::OperatorSchema* schema);
QString outputName(size_t index, const engine::OperatorSchema* schema);

}  // namespace views
