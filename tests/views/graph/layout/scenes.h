#pragma once

#include <string>
#include <vector>

#include "views/graph/layout/protocol.h"

/// Scenes to lay out, and what must hold of every layout.
namespace layout::scenes {

/// Nodes without edges: `count` of 80 × 30.
Request nodes(int count);

/// A scene of nodes 0, 1, … and the edges between them; an edge's toPort counts the edges to its target.
Request graph(int count, const std::vector<std::pair<int, int>>& edges);

/// Transformer blocks as exporters write them, about 70 nodes a block, with one mask that all blocks use.
Request decoder(int blocks);

/// Every node has one to three predecessors among the `window` before it; the same for the same seed.
Request random(int count, int window, unsigned seed);

/// A list of complaints, at most ten: nodes that overlap, edges that run through nodes they do not belong to
/// or do not begin and end at their own, anything outside of the bounds or of its group. Empty is good.
std::string faults(const Request& request, const Response& response);

const Response::Node& nodeOf(const Response& response, int id);

}  // namespace layout::scenes
