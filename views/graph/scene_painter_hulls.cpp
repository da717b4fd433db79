#include <algorithm>
#include <map>

#include <QPixmap>

#include "views/graph/scene_painter.h"

namespace views {

namespace {

constexpr double hullMargin = 11;

/// Small dots of a colour on another: the second cue of what the reference provider runs.
QBrush dotted(const QColor& dots, const QColor& ground) {
    QPixmap tile(5, 5);
    tile.fill(ground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(dots);
    painter.drawEllipse(QRectF(1, 1, 2.6, 2.6));
    return QBrush(tile);
}

}  // namespace

// A hull is the union of its nodes' and edges' surroundings. Painting all of them in the colour of the rim,
// then all a little smaller in the colour of the ground, gives the outline of the union without computing it.
void ScenePainter::paintHulls(QPainter& painter, const QRectF& area) const {
    struct Hull {
        std::vector<QRectF> rects;
        std::vector<const QPainterPath*> paths;
        std::string provider;
    };
    const QRectF around = area.adjusted(-hullMargin, -hullMargin, hullMargin, hullMargin);
    std::map<int, Hull> hulls;
    for (const int index : placed_.nodes.query(around)) {
        if (scene_.nodes[static_cast<size_t>(index)].kind != SceneNode::Kind::operation) continue;
        const int partition = partitionOf(index);
        if (partition < 0) continue;
        Hull& hull = hulls[partition];
        hull.rects.push_back(placed_.nodeRects[static_cast<size_t>(index)]);
        hull.provider = providerOf(index);
    }
    std::vector<int> edges = placed_.edges.query(around);
    if (edges.size() > mostEdges) edges.clear();
    for (const int index : edges) {
        const SceneEdge& edge = scene_.edges[static_cast<size_t>(index)];
        const int from = partitionOf(edge.from);
        if (from < 0 || from != partitionOf(edge.to)) continue;
        if (scene_.hiddenBy(edge.from) >= 0 || scene_.hiddenBy(edge.to) >= 0) continue;
        hulls[from].paths.push_back(&placed_.edgePaths[static_cast<size_t>(index)]);
        hulls[from].provider = providerOf(edge.from);
    }
    for (const auto& [partition, hull] : hulls) {
        const QColor colour = colours_.provider(hull.provider);
        const QColor ground = Colours::mix(colours_.canvas, colour, colours_.isDark ? 0.16 : 0.11);
        const QColor rimColour = Colours::mix(colours_.canvas, colour, 0.5);
        const bool isDotted = hull.provider == "reference" || hull.provider.empty();
        const auto fill = [&](double margin, const QBrush& brush) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(brush, 2 * margin * 0.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            for (const QPainterPath* path : hull.paths) painter.drawPath(*path);
            painter.setPen(Qt::NoPen);
            painter.setBrush(brush);
            for (const QRectF& rect : hull.rects) {
                painter.drawRoundedRect(rect.adjusted(-margin, -margin, margin, margin), margin, margin);
            }
        };
        const double rim = isDotted ? 4 : std::max(1.0, pixels(1));
        fill(hullMargin, isDotted ? dotted(rimColour, ground) : QBrush(rimColour));
        fill(hullMargin - rim, ground);
    }
}

}  // namespace views
