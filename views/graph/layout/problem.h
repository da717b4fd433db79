#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "views/graph/layout/geometry.h"

namespace layout {

/// What an item stands for. Entries are points on the upper border, exits on the lower; terminals are points
/// where a part hangs on its surroundings.
enum class Role : std::uint8_t { node, entry, exit, terminal };

/// The side of the axis an entry or exit is bound to.
enum class Side : std::int8_t { left = -1, none = 0, right = 1 };

/// A box to place. Its x is the x of its axis, which need not be its middle.
struct Item {
    double left = 0;
    double right = 0;
    double height = 0;
    Role role = Role::node;
    Side side = Side::none;
    int order = 0;  ///< Distance rank from the axis among entries or exits of one side.
};

/// A line to draw from the lower border of one item to the upper border of another.
struct Link {
    int from = 0;
    int to = 0;
    int fromPort = 0;
    int toPort = 0;
    std::optional<double>
        fromShift;  ///< Where it leaves, from the item's axis; chosen by the layout if absent.
    std::optional<double> toShift;
    bool back = false;  ///< Runs against the direction of the drawing, to break a cycle.
};

/// A graph to lay out; acyclic without its back links. `top` and `bottom`, where not negative, are items that
/// stand alone in the first and the last row, both on the axis x = 0.
struct Problem {
    std::vector<Item> items;
    std::vector<Link> links;
    int top = -1;
    int bottom = -1;
};

/// Where everything went: centres of items (x of the axis), waypoints of links; y starts at 0, x = 0 is the
/// axis.
struct Placement {
    std::vector<Point> items;
    std::vector<Path> links;
    double left = 0;   ///< Smallest x (not above 0).
    double right = 0;  ///< Largest x.
    double height = 0;
};

/// Distances in pixels.
struct Spacing {
    double node = 24;  ///< Between neighbours in a row.
    double rank = 34;  ///< Between rows.
    double edge = 12;  ///< Between parallel edges.
};

}  // namespace layout
