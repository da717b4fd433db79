#pragma once

#include <cstddef>
#include <vector>

namespace engine {

/// A directed graph to be drawn from top to bottom. Edges must lead from a lower index to a higher one.
struct LayoutProblem {
    struct Box {
        double width = 0;
        double height = 0;
    };
    struct Edge {
        size_t from = 0;
        size_t to = 0;
    };
    std::vector<Box> boxes;
    std::vector<Edge> edges;
    double boxGap = 16;
    double rankGap = 26;
    double columnGap = 44;
    double aspect = 1.7;  ///< width to height that the whole should have at least: a tall drawing goes on in
                          ///< the next column, as a newspaper does
};

struct LayoutPoint {
    double x = 0;
    double y = 0;
};

/// Where things are. All coordinates are positive.
struct Layout {
    std::vector<LayoutPoint> boxes;  ///< upper left corners
    /// Per edge the ways it takes: pieces within a column, each point by point from top to bottom, and
    /// between two pieces the way round from the foot of a column to the head of the next.
    struct Route {
        std::vector<std::vector<LayoutPoint>> pieces = {};
        std::vector<std::vector<LayoutPoint>> bridges = {};  ///< with right angles
    };
    std::vector<Route> edges;
    double width = 0;
    double height = 0;
    size_t columns = 0;
};

/// Lays out by ranks: longest paths, few crossings by barycentres, boxes near their neighbours.
/// Deterministic; about n log n for what models look like.
Layout layeredLayout(const LayoutProblem& problem);

}  // namespace engine
