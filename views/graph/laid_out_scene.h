#pragma once

#include <memory>
#include <vector>

#include <QPainterPath>
#include <QRectF>

#include "views/graph/layout/protocol.h"
#include "views/graph/scene.h"
#include "views/graph/spatial_index.h"

namespace views {

/// A scene in which everything has its place. Immutable; what the canvas paints from.
struct LaidOutScene {
    std::shared_ptr<const Scene> scene;
    QRectF bounds;
    std::vector<QRectF> nodeRects;        ///< by node; null: hidden in a closed group
    std::vector<QRectF> groupRects;       ///< by group; null: hidden in a closed group
    std::vector<QPainterPath> edgePaths;  ///< by edge; empty: inside a closed group
    /// By edge, without what it shares with another of its value: all of them together make the whole
    /// picture, and nothing is in it twice, however many edges one value has.
    std::vector<QPainterPath> ownPaths;
    SpatialIndex nodes;
    SpatialIndex groups;
    SpatialIndex edges;     ///< of edgePaths
    SpatialIndex ownEdges;  ///< of ownPaths

    /// Where the node is, or the closed group that hides it; null if it is not in this graph.
    QRectF rectOf(engine::OriginId origin) const;
    /// The node at that point, or -1; likewise the innermost group, and the nearest edge within `distance`,
    /// on a line that several share one of them.
    int nodeAt(const QPointF& point) const;
    int groupAt(const QPointF& point) const;
    int edgeAt(const QPointF& point, double distance) const;
};

/// What the helper process is asked for.
layout::Request layoutRequest(const Scene& scene);

/// The scene with the helper's answer.
std::shared_ptr<const LaidOutScene> placeScene(std::shared_ptr<const Scene> scene,
                                               const layout::Response& response);

}  // namespace views
