#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "views/graph/layout/decompose.h"
#include "views/graph/layout/lanes.h"
#include "views/graph/layout/problem.h"
#include "views/graph/layout/work.h"

namespace layout {

/// One block of a chain: its share of the whole, and its own problem and placement.
struct Block {
    std::vector<int> members;  ///< Items without waists.
    std::vector<int> links;    ///< Those that end here; those inside begin here too.
    std::map<int, int> exits;  ///< From lanes that leave here to items of `problem`.
    std::map<int, int> entries;
    std::map<int, int> exitLink;   ///< From lanes that leave here to links of `problem`.
    std::map<int, int> entryLink;  ///< From links that end here and come in a lane to links of `problem`.
    Problem problem;
    std::shared_ptr<const Placement> placement;
    double y = 0;
    double left = 0;
    double right = 0;
};

/// The place beside a waist (or between two blocks without one) where lanes begin and end.
struct Band {
    double centre = 0;
    double height = 20;
    std::vector<std::pair<int, int>> leaving;  ///< Order and lane, from top to bottom.
    std::vector<std::pair<int, int>> entering;

    double top() const { return centre - height / 2; }
    double step() const { return height / static_cast<double>(leaving.size() + entering.size() + 1); }
};

/// A chain on its way to a placement.
struct Stack {
    const Problem& problem;
    const Chain& chain;
    std::vector<Block> blocks;
    std::vector<Band> bands;  ///< Band i is above block i.
    std::vector<Lane> lanes;
    std::vector<int> laneOf;   ///< Per link, or -1.
    std::vector<int> blockOf;  ///< Per item; a waist stands in the block it ends.
    Placement placement;

    int topOf(int block) const { return block == 0 ? -1 : chain.waists[block - 1]; }
    int bottomOf(int block) const {
        return block < static_cast<int>(chain.waists.size()) ? chain.waists[block] : problem.bottom;
    }
    bool isWaist(int item) const { return item == problem.bottom || bottomOf(blockOf[item]) == item; }
    /// The block in which links from an item begin: below it, if it is a waist.
    int leavesFrom(int item) const {
        return blockOf[item] + (item != problem.bottom && isWaist(item) ? 1 : 0);
    }
};

/// Deals items and links out to the blocks, and finds the lanes.
Stack planStack(const Problem& problem, const Chain& chain);

/// Gives the lanes their places beside the stacked blocks, and the links in lanes their ways.
void layLanes(Stack& stack, const Spacing& spacing);

}  // namespace layout
