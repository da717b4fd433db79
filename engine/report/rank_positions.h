#pragma once

#include <cstddef>
#include <vector>

namespace engine {

/// What the steps of layeredLayout hand on.
struct RankedGraph {
    struct Item {
        size_t rank = 0;
        double width = 0;
        bool isPoint = false;  ///< where an edge passes a rank
        std::vector<size_t> above = {};
        std::vector<size_t> below = {};
        double center = 0;
    };
    std::vector<Item> items;                  ///< the boxes first, in their order
    std::vector<std::vector<size_t>> ranks;   ///< items from left to right
    std::vector<std::vector<size_t>> chains;  ///< per edge: its ends and the points between
};

/// Sets every item's centre: near its neighbours, in order, and `gap` apart.
void placeInRanks(RankedGraph& graph, double gap);

}  // namespace engine
