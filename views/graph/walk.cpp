#include "views/graph/walk.h"

#include <cmath>
#include <limits>

namespace views {

namespace {

int alongEdges(const LaidOutScene& scene, int from, bool isDown) {
    const QRectF& start = scene.nodeRects[static_cast<size_t>(from)];
    int best = -1;
    double nearest = std::numeric_limits<double>::max();
    for (const SceneEdge& edge : scene.scene->edges) {
        if ((isDown ? edge.from : edge.to) != from) continue;
        const int other = isDown ? edge.to : edge.from;
        const QRectF& rect = scene.nodeRects[static_cast<size_t>(other)];
        if (rect.isNull()) continue;
        const double distance =
            std::hypot(rect.center().x() - start.center().x(), rect.center().y() - start.center().y());
        if (distance >= nearest) continue;
        nearest = distance;
        best = other;
    }
    return best;
}

int besides(const LaidOutScene& scene, int from, bool isRight) {
    const QRectF& start = scene.nodeRects[static_cast<size_t>(from)];
    int best = -1;
    double nearest = std::numeric_limits<double>::max();
    for (size_t index = 0; index < scene.nodeRects.size(); ++index) {
        const QRectF& rect = scene.nodeRects[index];
        if (rect.isNull() || static_cast<int>(index) == from) continue;
        const double across = isRight ? rect.left() - start.right() : start.left() - rect.right();
        if (across < 0) continue;
        const double distance = across + 3 * std::abs(rect.center().y() - start.center().y());
        if (distance >= nearest) continue;
        nearest = distance;
        best = static_cast<int>(index);
    }
    return best;
}

}  // namespace

int walk(const LaidOutScene& scene, int from, Step step) {
    if (from < 0 || scene.nodeRects[static_cast<size_t>(from)].isNull()) return firstNode(scene);
    switch (step) {
        case Step::up:
            return alongEdges(scene, from, false);
        case Step::down:
            return alongEdges(scene, from, true);
        case Step::left:
            return besides(scene, from, false);
        case Step::right:
            return besides(scene, from, true);
    }
    return -1;
}

int firstNode(const LaidOutScene& scene) {
    int best = -1;
    for (size_t index = 0; index < scene.nodeRects.size(); ++index) {
        if (scene.nodeRects[index].isNull()) continue;
        if (best < 0 || scene.nodeRects[index].top() < scene.nodeRects[static_cast<size_t>(best)].top()) {
            best = static_cast<int>(index);
        }
    }
    return best;
}

int nodeOfValue(const Scene& scene, engine::ValueId value) {
    for (size_t index = 0; index < scene.nodes.size(); ++index) {
        const SceneNode& node = scene.nodes[index];
        if (node.kind != SceneNode::Kind::operation && node.value == value) return static_cast<int>(index);
    }
    for (const SceneEdge& edge : scene.edges) {
        if (edge.value == value) return edge.from;
    }
    return -1;
}

}  // namespace views
