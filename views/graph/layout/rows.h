#pragma once

#include <utility>
#include <vector>

#include "views/graph/layout/problem.h"
#include "views/graph/layout/work.h"

namespace layout {

/// A part in rows: each item in one, and a bend in each row that a value passes on its way. Bends follow the
/// items in the numbering of vertices. Links of one value share their bends.
struct Rows {
    struct Segment {
        int from = 0;
        int to = 0;
        int weight = 1;  ///< How much it should be straight.
    };

    int items = 0;
    std::vector<double> left;  ///< Per vertex, its size beside its axis.
    std::vector<double> right;
    std::vector<int> row;
    std::vector<int> slot;  ///< Per vertex: negative at the left end of its row, positive at the right end.
    std::vector<double> x;
    std::vector<std::vector<int>> rows;  ///< Vertices from left to right.
    std::vector<Segment> segments;       ///< From each row to the next.
    std::vector<int> bend;               ///< Per link its first bend, or -1.
    std::vector<bool> loose;             ///< Per link: too long for bends, led around everything.
    std::vector<int> spine;              ///< A longest way from top to bottom.

    bool isBend(int vertex) const { return vertex >= items; }
};

/// Gives every item a row and every link its bends.
Rows makeRows(const Problem& problem, Work& work);

/// Orders each row for few crossings.
void orderRows(Rows& rows, Work& work);

/// Gives every vertex of ordered rows an x, with links as straight as may be.
void placeRows(Rows& rows, const Spacing& spacing, Work& work);

/// Orders and places rows with Graphviz's dot; false if it could not.
bool placeWithDot(Rows& rows, const Spacing& spacing, Work& work);

/// The least distance of two neighbours' axes.
double separation(const Rows& rows, const Spacing& spacing, int leftVertex, int rightVertex);

/// Moves vertices apart where they are too close, away from one that stays.
void separate(Rows& rows, const Spacing& spacing, int row, int fixedVertex);

/// Positions and waypoints from placed rows.
Placement finishRows(const Problem& problem, Rows& rows, const Spacing& spacing);

/// Lays out a part in rows, with dot if it is small enough.
Placement layoutRows(const Problem& problem, Work& work);

}  // namespace layout
