#pragma once

#include <cstddef>
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

/// A curve, and where in its points each waypoint is.
struct Curve {
    std::vector<Point> points;
    std::vector<size_t> waypoints;
};
Curve curveWithWaypoints(const Path& path);

/// How many waypoints a path has in common with another from the start, less one: the place where its own way
/// begins. Where both part on an upright stretch, the path gets a waypoint there.
size_t splitFrom(Path& path, const Path& other);

}  // namespace layout
