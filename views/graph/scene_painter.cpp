#include "views/graph/scene_painter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <QFontMetricsF>
#include <QGuiApplication>

#include "views/format.h"
#include "views/graph/paint_font.h"

namespace views {

namespace {

using M = NodeMetrics;

constexpr double smallestText = 7;  // screen pixels
constexpr double longestLabel = 300;

}  // namespace

Detail detailAt(double scale) {
    if (scale * M::linePixels >= smallestText) return Detail::near;
    return scale * M::header >= smallestText ? Detail::middle : Detail::far;
}

void ScenePainter::paint(QPainter& painter, const QRectF& area, double scale) const {
    scale_ = scale;
    detail_ = detailAt(scale);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    if (look_.colourBy == ColourBy::provider && look_.placement) paintHulls(painter, area);
    paintGroups(painter, area);
    const std::vector<int> edges = placed_.ownEdges.query(area);
    const bool isCrowded = edges.size() > mostEdges;
    isCrowded ? paintHairlines(painter, edges) : paintEdges(painter, edges);
    paintLoudEdges(painter);
    paintGroupTitles(painter, area);
    paintNodes(painter, area);
    if (detail_ == Detail::near && !isCrowded) paintLabels(painter, area);
}

std::string ScenePainter::providerOf(int node) const {
    if (!look_.placement) return {};
    return look_.placement->provider(scene_.nodes[static_cast<size_t>(node)].origin);
}

int ScenePainter::partitionOf(int node) const {
    const engine::Placement* placement = look_.placement->of(scene_.nodes[static_cast<size_t>(node)].origin);
    return placement == nullptr ? -1 : static_cast<int>(placement->partition);
}

bool ScenePainter::isRemoved(const SceneNode& node) const {
    return node.kind == SceneNode::Kind::operation && look_.placement &&
           look_.placement->isRemoved(node.origin);
}

bool ScenePainter::isSelected(const SceneNode& node) const {
    if (node.kind == SceneNode::Kind::operation) return look_.selected.count(node.origin) > 0;
    return look_.value.isValid() && node.value == look_.value;
}

bool ScenePainter::stepsBack(const SceneNode& node) const {
    return look_.isSearching && look_.found.count(node.origin) == 0;
}

QColor ScenePainter::soften(const QColor& colour) const { return Colours::mix(colour, colours_.canvas, 0.6); }

QColor ScenePainter::headerColour(const SceneNode& node) const {
    if (look_.colourBy == ColourBy::family) return colours_.family(node.family);
    if (look_.colourBy == ColourBy::heat && look_.overlay) {
        const double heat = look_.overlay->heat(node.origin);
        return std::isnan(heat) ? colours_.nodeHeader : colours_.heat(heat);
    }
    return colours_.nodeHeader;
}

QColor ScenePainter::farColour(const SceneNode& node) const {
    if (node.kind != SceneNode::Kind::operation) return colours_.faint;
    if (isRemoved(node)) return colours_.border;
    if (look_.colourBy == ColourBy::provider) {
        return look_.placement ? colours_.provider(look_.placement->provider(node.origin))
                               : colours_.nodeBorder;
    }
    return headerColour(node);
}

QColor ScenePainter::farColour(const SceneGroup& group) const {
    return group.nodes.empty() ? colours_.faint
                               : farColour(scene_.nodes[static_cast<size_t>(group.nodes.front())]);
}

void ScenePainter::paintGroups(QPainter& painter, const QRectF& area) const {
    for (const int index : placed_.groups.query(area)) {
        const SceneGroup& group = scene_.groups[static_cast<size_t>(index)];
        if (!group.isCollapsed) paintOpenGroup(painter, placed_.groupRects[static_cast<size_t>(index)]);
    }
}

void ScenePainter::paintOpenGroup(QPainter& painter, const QRectF& rect) const {
    QColor ground = colours_.groupBorder;
    ground.setAlphaF(0.10F);
    painter.setPen(QPen(colours_.groupBorder, std::max(1.0, pixels(1))));
    painter.setBrush(ground);
    painter.drawRoundedRect(rect, 8, 8);
}

void ScenePainter::paintGroupTitles(QPainter& painter, const QRectF& area) const {
    const double size = std::max(static_cast<double>(M::linePixels), pixels(9));
    if (detail_ == Detail::far) return;
    painter.setFont(sceneFont(size, QFont::DemiBold));
    const QFontMetricsF metrics(painter.font());
    for (const int index : placed_.groups.query(area)) {
        const SceneGroup& group = scene_.groups[static_cast<size_t>(index)];
        if (group.isCollapsed) continue;
        const QRectF& rect = placed_.groupRects[static_cast<size_t>(index)];
        const QString repeats = group.repeats > 1 ? QString("  ×%1").arg(group.repeats) : QString();
        const QString text =
            metrics.elidedText("▾ " + group.title + repeats, Qt::ElideRight, rect.width() - 16);
        if (text.size() <= 3) continue;
        const QRectF strip(rect.left() + 8, rect.top() + 2, metrics.horizontalAdvance(text) + 4,
                           M::groupHeader - 4);
        QColor ground = colours_.canvas;
        ground.setAlphaF(0.75F);
        painter.fillRect(strip, ground);
        painter.setPen(colours_.groupText);
        painter.drawText(strip, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void ScenePainter::paintClosedGroup(QPainter& painter, const SceneGroup& group, const QRectF& rect) const {
    const bool holdsCurrent = std::any_of(group.nodes.begin(), group.nodes.end(), [&](int node) {
        return isSelected(scene_.nodes[static_cast<size_t>(node)]);
    });
    painter.setPen(QPen(colours_.groupBorder, std::max(1.0, pixels(1))));
    painter.setBrush(colours_.group);
    if (detail_ != Detail::far) painter.drawRoundedRect(rect.translated(4, 4), 6, 6);
    painter.drawRoundedRect(rect, 6, 6);
    if (detail_ == Detail::far) {
        painter.fillRect(rect.adjusted(2, 2, -2, -2), farColour(group));
    } else {
        const QString repeats = group.repeats > 1 ? QString("  ×%1").arg(group.repeats) : QString();
        if (detail_ == Detail::middle) {
            paintMiddleTitle(painter, group.title, rect.adjusted(0, 0, 0, -8), colours_.text);
        } else {
            painter.setFont(sceneFont(M::titlePixels, QFont::DemiBold));
            painter.setPen(colours_.text);
            const QFontMetricsF metrics(painter.font());
            const QRectF title(rect.left() + 10, rect.top() + 3, rect.width() - 20, 20);
            painter.drawText(
                title, Qt::AlignVCenter,
                metrics.elidedText("▸ " + group.title + repeats, Qt::ElideMiddle, title.width()));
            painter.setFont(sceneFont(M::linePixels));
            painter.setPen(colours_.muted);
            QString detail = QString("%1 nodes").arg(group.nodes.size());
            if (look_.overlay) {
                double sum = 0;
                for (const int node : group.nodes) {
                    const auto* entry = look_.overlay->find(scene_.nodes[static_cast<size_t>(node)].origin);
                    if (entry != nullptr && !std::isnan(entry->value)) sum += entry->value;
                }
                detail += "  ·  " + numberText(sum, look_.overlay->unit);
            }
            painter.drawText(QRectF(rect.left() + 10, rect.top() + 21, rect.width() - 20, 17),
                             Qt::AlignVCenter, detail);
        }
        paintProviderBar(painter, group, QRectF(rect.left() + 10, rect.bottom() - 9, rect.width() - 20, 4));
    }
    if (holdsCurrent) paintOutline(painter, rect, colours_.accent, 2);
}

void ScenePainter::paintProviderBar(QPainter& painter, const SceneGroup& group, const QRectF& bar) const {
    std::vector<std::pair<QColor, int>> parts;
    for (const int node : group.nodes) {
        const QColor colour = farColour(scene_.nodes[static_cast<size_t>(node)]);
        const auto same =
            std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.first == colour; });
        if (same == parts.end()) {
            parts.emplace_back(colour, 1);
        } else {
            ++same->second;
        }
    }
    double left = bar.left();
    for (const auto& [colour, count] : parts) {
        const double width = bar.width() * count / static_cast<double>(group.nodes.size());
        painter.fillRect(QRectF(left, bar.top(), width, bar.height()), colour);
        left += width;
    }
}

bool ScenePainter::isCopy(const SceneEdge& edge) const {
    if (!look_.placement) return false;
    const SceneNode& from = scene_.nodes[static_cast<size_t>(edge.from)];
    const SceneNode& to = scene_.nodes[static_cast<size_t>(edge.to)];
    if (from.kind != SceneNode::Kind::operation || to.kind != SceneNode::Kind::operation) return false;
    if (isRemoved(from) || isRemoved(to)) return false;
    return look_.placement->provider(from.origin) != look_.placement->provider(to.origin);
}

void ScenePainter::paintEdges(QPainter& painter, const std::vector<int>& edges) const {
    for (const int index : edges) {
        paintEdge(painter, scene_.edges[static_cast<size_t>(index)],
                  placed_.ownPaths[static_cast<size_t>(index)]);
    }
}

void ScenePainter::paintHairlines(QPainter& painter, const std::vector<int>& edges) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    for (const int index : edges) {
        const bool isOfCopy = isCopy(scene_.edges[static_cast<size_t>(index)]);
        const QColor colour = isOfCopy ? colours_.copy : colours_.edge;
        painter.setPen(QPen(look_.isSearching ? soften(colour) : colour, 0));
        painter.drawPath(placed_.ownPaths[static_cast<size_t>(index)]);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void ScenePainter::paintLoudEdges(QPainter& painter) const {
    for (const size_t index : loudEdges()) {
        const QPainterPath& path = placed_.edgePaths[index];
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours_.accent, std::max(2.0, pixels(2))));
        painter.drawPath(path);
        paintArrow(painter, path, colours_.accent);
    }
}

/// Those of the chosen value, else those of the chosen node; of very many the first.
std::vector<size_t> ScenePainter::loudEdges() const {
    constexpr size_t most = 500;
    std::vector<size_t> result;
    const int current = look_.current.isValid() ? scene_.find(look_.current) : -1;
    if (current < 0 && !look_.value.isValid()) return result;
    for (size_t index = 0; index < scene_.edges.size() && result.size() < most; ++index) {
        const SceneEdge& edge = scene_.edges[index];
        const bool touchesCurrent = current >= 0 && (edge.from == current || edge.to == current);
        if (touchesCurrent || (look_.value.isValid() && edge.value == look_.value)) result.push_back(index);
    }
    return result;
}

void ScenePainter::paintEdge(QPainter& painter, const SceneEdge& edge, const QPainterPath& path) const {
    const bool isBack = look_.isSearching;
    painter.setBrush(Qt::NoBrush);
    if (isCopy(edge)) {
        const QColor colour = isBack ? soften(colours_.copy) : colours_.copy;
        painter.setPen(QPen(colour, std::max(4.5, pixels(3))));
        painter.drawPath(path);
        painter.setPen(QPen(colours_.canvas, std::max(1.5, pixels(1))));
        painter.drawPath(path);
        paintArrow(painter, path, colour);
        return;
    }
    double width = 1.2;
    if (edge.bytes > 0) width = std::clamp(0.9 + 0.32 * (std::log10(edge.bytes) - 3), 0.9, 3.2);
    QColor colour = isBack ? soften(colours_.edge) : colours_.edge;
    QPen pen(colour, std::max(width, pixels(detail_ == Detail::far ? 0.6 : 0.8)));
    if (edge.isShapeArithmetic) {
        pen.setWidthF(std::max(0.8, pixels(0.6)));
        pen.setDashPattern({4, 3});
        colour = soften(colours_.edge);
        pen.setColor(colour);
    }
    painter.setPen(pen);
    painter.drawPath(path);
    if (detail_ != Detail::far) paintArrow(painter, path, colour);
}

void ScenePainter::paintArrow(QPainter& painter, const QPainterPath& path, const QColor& colour) const {
    const int count = path.elementCount();
    if (count < 2) return;
    const QPointF tip = path.elementAt(count - 1);
    QPointF along = tip - QPointF(path.elementAt(count - 2));
    const double length = std::hypot(along.x(), along.y());
    if (length < 0.01) return;
    along /= length;
    const QPointF across(-along.y(), along.x());
    constexpr double size = 6;
    const QPointF points[] = {tip, tip - size * along + 0.5 * size * across,
                              tip - size * along - 0.5 * size * across};
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(points, 3);
}

// Where values leave side by side, the label of the last stands at its right and the others at their left.
void ScenePainter::paintLabels(QPainter& painter, const QRectF& area) const {
    const std::vector<int> edges = placed_.edges.query(area);
    const auto startOf = [&](int edge) {
        const QPainterPath& path = placed_.edgePaths[static_cast<size_t>(edge)];
        return path.isEmpty() ? QPointF() : QPointF(path.elementAt(0));
    };
    std::map<int, double> last;
    for (const int index : edges) {
        double& x = last[scene_.edges[static_cast<size_t>(index)].from];
        x = std::max(x, startOf(index).x());
    }
    std::set<std::pair<int, int>> done;
    painter.setFont(sceneFont(M::linePixels - 1));
    const QFontMetricsF metrics(painter.font());
    QColor ground = colours_.canvas;
    ground.setAlphaF(0.78F);
    for (const int index : edges) {
        const SceneEdge& edge = scene_.edges[static_cast<size_t>(index)];
        const SceneNode& from = scene_.nodes[static_cast<size_t>(edge.from)];
        if (from.kind != SceneNode::Kind::operation || edge.label.isEmpty() ||
            placed_.edgePaths[static_cast<size_t>(index)].isEmpty() ||
            !done.insert({edge.from, edge.fromPort}).second)
            continue;
        const QPointF start = startOf(index);
        const QString text = metrics.elidedText(edge.label, Qt::ElideMiddle, longestLabel);
        const double width = metrics.horizontalAdvance(text) + 4;
        const bool isLast = start.x() >= last[edge.from] - 0.5;
        const QRectF box(isLast ? start.x() + 4 : start.x() - 4 - width, start.y() + 3, width,
                         metrics.height());
        if (!placed_.nodes.query(box).empty()) continue;
        painter.fillRect(box.adjusted(0, 1, 0, -1), ground);
        painter.setPen(stepsBack(from) ? soften(colours_.muted) : colours_.muted);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

void ScenePainter::paintMiddleTitle(QPainter& painter, const QString& title, const QRectF& rect,
                                    const QColor& text) const {
    const double size =
        std::min(std::max(static_cast<double>(M::titlePixels), pixels(9)), rect.height() * 0.95);
    if (size * scale_ < smallestText) return;
    painter.setFont(sceneFont(size, QFont::DemiBold));
    const QFontMetricsF metrics(painter.font());
    const QString fitted = metrics.elidedText(title, Qt::ElideRight, rect.width() - 6);
    if (fitted.size() < 3 && fitted != title) return;
    painter.setPen(text);
    painter.drawText(rect, Qt::AlignCenter, fitted);
}

void ScenePainter::paintOutline(QPainter& painter, const QRectF& rect, const QColor& colour,
                                double width) const {
    const double margin = std::max(1.5, pixels(1.5));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, std::max(width, pixels(width))));
    painter.drawRoundedRect(rect.adjusted(-margin, -margin, margin, margin), nodeRadius + margin,
                            nodeRadius + margin);
}

}  // namespace views
