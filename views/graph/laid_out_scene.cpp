#include "views/graph/laid_out_scene.h"

#include <limits>
#include <span>

#include <QPainterPathStroker>

namespace views {

namespace {

QPainterPath pathOf(std::span<const layout::Point> points) {
    QPainterPath path;
    if (points.size() < 2) return path;
    const auto at = [&](size_t index) { return QPointF(points[index].x, points[index].y); };
    path.moveTo(at(0));
    if (points.size() == 2) path.lineTo(at(1));
    for (size_t index = 1; index + 2 < points.size(); index += 3)
        path.cubicTo(at(index), at(index + 1), at(index + 2));
    return path;
}

/// How far the point is from the path, looking at some points along it.
double distanceTo(const QPainterPath& path, const QPointF& point) {
    double nearest = std::numeric_limits<double>::max();
    const QList<QPolygonF> lines = path.toSubpathPolygons();
    for (const QPolygonF& line : lines) {
        for (qsizetype index = 0; index + 1 < line.size(); ++index) {
            const QPointF along = line[index + 1] - line[index];
            const double length = QPointF::dotProduct(along, along);
            const double t =
                length <= 0 ? 0
                            : std::clamp(QPointF::dotProduct(point - line[index], along) / length, 0.0, 1.0);
            const QPointF offset = point - (line[index] + t * along);
            nearest = std::min(nearest, std::hypot(offset.x(), offset.y()));
        }
    }
    return nearest;
}

}  // namespace

QRectF LaidOutScene::rectOf(engine::OriginId origin) const {
    const int node = scene->find(origin);
    if (node < 0) return {};
    const int group = scene->hiddenBy(node);
    return group < 0 ? nodeRects[static_cast<size_t>(node)] : groupRects[static_cast<size_t>(group)];
}

int LaidOutScene::nodeAt(const QPointF& point) const {
    const std::vector<int> found = nodes.query(QRectF(point, QSizeF(0.01, 0.01)));
    return found.empty() ? -1 : found.back();
}

int LaidOutScene::groupAt(const QPointF& point) const {
    const std::vector<int> found = groups.query(QRectF(point, QSizeF(0.01, 0.01)));
    return found.empty() ? -1 : found.back();
}

int LaidOutScene::edgeAt(const QPointF& point, double distance) const {
    const QRectF area(point.x() - distance, point.y() - distance, 2 * distance, 2 * distance);
    int best = -1;
    double nearest = distance;
    for (const int edge : ownEdges.query(area)) {
        const double found = distanceTo(ownPaths[static_cast<size_t>(edge)], point);
        if (found > nearest) continue;
        nearest = found;
        best = edge;
    }
    return best;
}

layout::Request layoutRequest(const Scene& scene) {
    layout::Request request;
    for (size_t index = 0; index < scene.nodes.size(); ++index) {
        const SceneNode& node = scene.nodes[index];
        request.nodes.push_back({.id = static_cast<int>(index),
                                 .w = node.size.width(),
                                 .h = node.size.height(),
                                 .group = node.group});
    }
    for (const SceneEdge& edge : scene.edges) {
        request.edges.push_back(
            {.from = edge.from, .to = edge.to, .fromPort = edge.fromPort, .toPort = edge.toPort});
    }
    for (size_t index = 0; index < scene.groups.size(); ++index) {
        const SceneGroup& group = scene.groups[index];
        request.groups.push_back({.id = static_cast<int>(index),
                                  .parent = group.parent,
                                  .collapsed = group.isCollapsed,
                                  .w = group.size.width(),
                                  .h = group.size.height(),
                                  .header = NodeMetrics::groupHeader});
    }
    return request;
}

std::shared_ptr<const LaidOutScene> placeScene(std::shared_ptr<const Scene> scene,
                                               const layout::Response& response) {
    auto result = std::make_shared<LaidOutScene>();
    result->bounds = QRectF(0, 0, response.width, response.height);
    result->nodeRects.resize(scene->nodes.size());
    result->groupRects.resize(scene->groups.size());
    result->edgePaths.resize(scene->edges.size());
    result->ownPaths.resize(scene->edges.size());
    for (const layout::Response::Node& node : response.nodes) {
        const auto index = static_cast<size_t>(node.id);
        if (index < scene->nodes.size())
            result->nodeRects[index] = QRectF({node.x, node.y}, scene->nodes[index].size);
    }
    for (const layout::Response::Group& group : response.groups) {
        const auto index = static_cast<size_t>(group.id);
        if (index < scene->groups.size())
            result->groupRects[index] = QRectF(group.x, group.y, group.w, group.h);
    }
    std::vector<QRectF> edgeRects(scene->edges.size());
    std::vector<QRectF> ownRects(scene->edges.size());
    const auto around = [](const QPainterPath& path) {
        return path.controlPointRect().adjusted(-2, -2, 2, 2);
    };
    for (const layout::Response::Edge& edge : response.edges) {
        const auto index = static_cast<size_t>(edge.index);
        if (index >= scene->edges.size()) continue;
        result->edgePaths[index] = pathOf(edge.points);
        edgeRects[index] = around(result->edgePaths[index]);
        const auto own = std::min(static_cast<size_t>(edge.own), edge.points.size());
        result->ownPaths[index] =
            own == 0 ? result->edgePaths[index] : pathOf(std::span(edge.points).subspan(own));
        if (!result->ownPaths[index].isEmpty()) ownRects[index] = around(result->ownPaths[index]);
    }
    result->nodes = SpatialIndex(result->nodeRects);
    result->groups = SpatialIndex(result->groupRects);
    result->edges = SpatialIndex(edgeRects);
    result->ownEdges = SpatialIndex(ownRects);
    result->scene = std::move(scene);
    return result;
}

}  // namespace views
