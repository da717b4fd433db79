#include "views/graph/layout/geometry.h"

#include <algorithm>
#include <cmath>

namespace layout {
namespace {

constexpr double same = 0.05;
constexpr double cornerRadius = 12;
constexpr double turnDepth = 14;
constexpr double steepest = 2.5;

bool isSame(double a, double b) { return std::abs(a - b) < same; }

void addCubic(std::vector<Point>& out, Point a, Point b, Point end) {
    out.push_back(a);
    out.push_back(b);
    out.push_back(end);
}

void addLine(std::vector<Point>& out, Point end) {
    const Point start = out.back();
    if (std::abs(start.x - end.x) < same && std::abs(start.y - end.y) < same) return;
    const Point step{.x = (end.x - start.x) / 3, .y = (end.y - start.y) / 3};
    addCubic(out, {.x = start.x + step.x, .y = start.y + step.y}, {.x = end.x - step.x, .y = end.y - step.y},
             end);
}

void addElbow(std::vector<Point>& out, Point end) {
    const Point start = out.back();
    const double down = end.y > start.y ? 1 : -1;
    const double across = end.x > start.x ? 1 : -1;
    const double middle = (start.y + end.y) / 2;
    const double radius =
        std::min({cornerRadius, std::abs(end.y - start.y) / 2, std::abs(end.x - start.x) / 2});
    const double inner = radius * 0.45;
    addLine(out, {.x = start.x, .y = middle - down * radius});
    addCubic(out, {.x = start.x, .y = middle - down * inner}, {.x = start.x + across * inner, .y = middle},
             {.x = start.x + across * radius, .y = middle});
    addLine(out, {.x = end.x - across * radius, .y = middle});
    addCubic(out, {.x = end.x - across * inner, .y = middle}, {.x = end.x, .y = middle + down * inner},
             {.x = end.x, .y = middle + down * radius});
    addLine(out, end);
}

void addSwing(std::vector<Point>& out, Point end) {
    const Point start = out.back();
    const double half = (end.y - start.y) / 2;
    addCubic(out, {.x = start.x, .y = start.y + half}, {.x = end.x, .y = end.y - half}, end);
}

}  // namespace

void extend(Path& path, Point point) {
    const size_t n = path.size();
    if (n > 0 && std::abs(path[n - 1].x - point.x) < same && std::abs(path[n - 1].y - point.y) < same) return;
    const bool upright =
        n > 1 && std::abs(path[n - 1].x - point.x) < same && std::abs(path[n - 2].x - point.x) < same;
    if (upright && (path[n - 1].y > path[n - 2].y) == (point.y > path[n - 1].y)) {
        path[n - 1].y = point.y;
        return;
    }
    path.push_back(point);
}

void extend(Path& path, const Path& tail, Point offset) {
    for (const Point point : tail) extend(path, {.x = point.x + offset.x, .y = point.y + offset.y});
}

Curve curveWithWaypoints(const Path& path) {
    if (path.size() < 2) return {.points = path, .waypoints = std::vector<size_t>(path.size(), 0)};
    if (path.size() == 2 && isSame(path[0].x, path[1].x)) return {.points = path, .waypoints = {0, 1}};
    std::vector<Point> out{path[0]};
    std::vector<size_t> waypoints{0};
    double down = 1;
    for (size_t i = 1; i < path.size(); ++i) {
        const Point start = path[i - 1];
        const Point end = path[i];
        const double dx = std::abs(end.x - start.x);
        const double dy = std::abs(end.y - start.y);
        if (dy < same) {
            const double depth = down * turnDepth;
            addCubic(out, {.x = start.x, .y = start.y + depth}, {.x = end.x, .y = end.y + depth}, end);
            down = -down;
        } else {
            down = end.y > start.y ? 1 : -1;
            if (dx < same) {
                addLine(out, end);
            } else if (dx > steepest * dy) {
                addElbow(out, end);
            } else {
                addSwing(out, end);
            }
        }
        waypoints.push_back(out.size() - 1);
    }
    return {.points = std::move(out), .waypoints = std::move(waypoints)};
}

std::vector<Point> curve(const Path& path) { return curveWithWaypoints(path).points; }

size_t splitFrom(Path& path, const Path& other) {
    size_t next = 0;  // waypoint of the path
    Point at = path[0];
    for (const Point theirs : other) {
        if (next == path.size()) break;
        const Point mine = path[next];
        if (isSame(mine.x, theirs.x) && isSame(mine.y, theirs.y)) {
            at = mine;
            ++next;
            continue;
        }
        if (next == 0) return 0;
        const bool upright = isSame(mine.x, at.x) && isSame(theirs.x, at.x);
        if (!upright || (mine.y > at.y) != (theirs.y > at.y)) break;
        at.y = std::abs(theirs.y - at.y) < std::abs(mine.y - at.y) ? theirs.y : mine.y;
        if (at.y == mine.y) {
            ++next;
            break;
        }
    }
    if (next == 0 || isSame(path[next - 1].y, at.y)) return next == 0 ? 0 : next - 1;
    path.insert(path.begin() + static_cast<std::ptrdiff_t>(next), at);
    return next;
}

}  // namespace layout
