#pragma once

#include <span>
#include <utility>
#include <vector>

#include "views/graph/layout/problem.h"
#include "views/graph/layout/work.h"

namespace layout {

/// For each edge whether it closes a cycle, found by a walk along the edges in the order given. Without those
/// edges the graph is acyclic. A graph without cycles loses nothing.
std::vector<bool> closingEdges(int count, std::span<const std::pair<int, int>> edges);

/// The connected components of `count` things, each ascending, ordered by their first member.
std::vector<std::vector<int>> components(int count, std::span<const std::pair<int, int>> edges);

/// The items in an order in which every link but the back links leads forward. Stable.
std::vector<int> flowOrder(const Problem& problem);

/// A problem cut into blocks that follow one another. Between block i and i + 1 stands waist i: the only item
/// of the upper blocks that the lower ones use, long links apart; or -1 where only long links pass. A waist
/// belongs to both blocks, as bottom and as top, and `block` has the upper one for it.
struct Chain {
    std::vector<int> waists;
    std::vector<int> block;  ///< Per item.
};

/// Finds the cuts. Links much longer than their surroundings do not hinder a cut where that pays.
Chain cutIntoChain(const Problem& problem, Work& work);

}  // namespace layout
