#pragma once

#include <vector>

namespace layout {

/// A place in the scene, in pixels; y grows downwards.
struct Point {
    double x = 0;
    double y = 0;
};

/// Waypoints of an edge. The curve passes each of them upright; two waypoints of equal height are a U-turn.
using Path = std::vector<Point>;

/// Adds a waypoint, dropping what does not change the curve.
void extend(Path& path, Point point);

/// Adds all waypoints of a tail shifted by an offset.
void extend(Path& path, const Path& tail, Point offset);

/// The curve through the waypoints: two points are a straight line, otherwise 3k + 1 points are k cubic
/// Béziers.
std::vector<Point> curve(const Path& path);

}  // namespace layout
