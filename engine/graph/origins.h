#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace engine {

/// Where in the model a node stands: for breadcrumbs and for going from an OriginId to what it names.
struct OriginPlace {
    std::shared_ptr<const Graph> graph;
    NodeId node;
    OriginId parent;        ///< the node whose subgraph this is; invalid: top level or a function's body
    std::string graphName;  ///< "then_branch", "body", the function's name, or "" for the main graph
};

/// Gives each node of the graph, and of its subgraphs, itself as its origin, counting on from `places`, to
/// which it adds where each of them stands.
std::shared_ptr<const Graph> numberNodes(Graph graph, const std::string& graphName,
                                         std::vector<OriginPlace>& places);

}  // namespace engine
