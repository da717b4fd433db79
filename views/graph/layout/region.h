#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "views/graph/layout/problem.h"
#include "views/graph/layout/work.h"

namespace layout {

/// The inside of an open group, or of the whole scene. Values that enter or leave do so at points on its
/// border, which are items of its problem too.
struct Region {
    int parent = -1;  ///< Region.
    int itemInParent = -1;
    double header = 0;
    Problem problem{};
    std::vector<int> child{};                      ///< Per item the region inside, or -1.
    std::map<std::pair<int, int>, int> entries{};  ///< From values (source and port) to items.
    std::map<std::pair<int, int>, int> exits{};
    std::map<std::tuple<int, int, int, int>, int> known{};  ///< From item, port, to item, port: the link.
    Placement placement{};
    Point origin{};  ///< Of the placement, in the scene.
};

/// Lays out one region whose child regions have their sizes: cycles opened, unconnected components side by
/// side.
void layoutRegion(Region& region, Work& work);

}  // namespace layout
