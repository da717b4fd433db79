#pragma once

#include <string>
#include <vector>

#include "engine/providers/provider.h"

namespace engine {

/// One provider passed over for a node, and why.
struct Refusal {
    std::string provider;
    std::string reason;
};

/// The provider chosen for a node (null: nobody takes it), and why the ones before it in the list are not.
struct Choice {
    const Provider* provider = nullptr;
    std::vector<Refusal> refusals = {};
};

/// The supporting provider of highest preference; ties go to the one named first.
Choice choose(const NodeView& node, const std::vector<const Provider*>& providers);

/// Nodes that one provider compiles together.
struct Partition {
    const Provider* provider = nullptr;
    std::vector<NodeId> nodes = {};  ///< in graph order
};

/// Groups nodes (given in topological order) so that no partition depends on itself through another, with as
/// few groups as the levels of provider changes allow; the partitions come in an order in which they can run.
std::vector<Partition> partition(const Graph& graph, const std::vector<NodeId>& nodes,
                                 const std::vector<const Provider*>& providerOfNode);

/// Splits partitions into connected parts: what a person sees as one region.
std::vector<Partition> connectedParts(const Graph& graph, const std::vector<Partition>& partitions);

}  // namespace engine
