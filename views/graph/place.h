#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "engine/model.h"

namespace views {

/// A graph that can be looked at: the main one, the body of an If, Loop or Scan, or that of a function.
struct GraphPlace {
    std::shared_ptr<const engine::Graph> graph;
    std::shared_ptr<const engine::TypedGraph> types;  ///< of the same values; may be null
    QString title;                                    ///< for the breadcrumb
    engine::OriginId holder = {};                     ///< the node whose body it is

    /// As inferred, or else as the file declares it.
    const engine::Type& type(engine::ValueId value) const;
};

/// The graphs around each other, outermost first.
using GraphPath = std::vector<GraphPlace>;

/// The path to the main graph.
GraphPath mainPath(const engine::Model& model, const std::shared_ptr<const engine::TypedGraph>& types);

/// The graphs that a node holds: bodies in the order of engine::subgraphs, or the function that it calls.
std::vector<GraphPlace> bodiesOf(const engine::Model& model, const GraphPlace& place, engine::NodeId node);

/// The path to the graph in which a node stands.
GraphPath pathTo(const engine::Model& model, const std::shared_ptr<const engine::TypedGraph>& types,
                 engine::OriginId origin);

/// The tensor of a value that the file fixes: an initializer, or what a Constant node holds. Null for others.
const engine::Tensor* constantTensor(const engine::Graph& graph, const engine::Uses& uses,
                                     engine::ValueId value);

}  // namespace views
