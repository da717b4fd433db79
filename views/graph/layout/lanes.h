#pragma once

#include <optional>
#include <vector>

#include "views/graph/layout/problem.h"

namespace layout {

/// How far things reach from the axis at each of a row of places; a lane raises the reach of the places it
/// passes. Each call costs the logarithm of the number of places.
class Reach {
public:
    explicit Reach(const std::vector<double>& start);

    /// The farthest reach in [first, last].
    double most(int first, int last) const { return most(1, 0, size_ - 1, first, last); }
    void raise(int first, int last, double reach) { raise(1, 0, size_ - 1, first, last, reach); }

private:
    double most(int node, int low, int high, int first, int last) const;
    void raise(int node, int low, int high, int first, int last, double reach);

    int size_;
    std::vector<double> best_;  ///< The most below each node of the tree.
    std::vector<double> all_;   ///< What holds for all places below a node.
};

/// A value led beside the blocks of a chain, from the end of one block to the begin of others.
struct Lane {
    int from = 0;  ///< Item.
    int fromPort = 0;
    std::optional<double> shift{};  ///< As `Link::fromShift`.
    bool back = false;
    bool fixed = false;  ///< Its side is not ours to choose.
    int exit = 0;        ///< The block at whose lower end it leaves.
    int first = 0;       ///< The blocks it is beside, from `first` to `last`.
    int last = 0;
    Side side = Side::right;
    int order = 0;  ///< Among all lanes of the side: shorter lanes run nearer to the axis.
    double x = 0;
};

/// Gives each lane a side, so that both sides carry alike at each place, and its order.
void chooseSides(std::vector<Lane>& lanes);

}  // namespace layout
