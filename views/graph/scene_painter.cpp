#include "views/graph/scene_painter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <QFontMetricsF>
#include <QGuiApplication>

#include "views/format.h"

namespace views {

namespace {

using M = NodeMetrics;

constexpr double radius = 4;
constexpr double hullMargin = 11;
constexpr double smallestText = 7;  // screen pixels

QFont fontOf(double pixels, QFont::Weight weight = QFont::Normal) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

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
    paintEdges(painter, area);
    paintGroupTitles(painter, area);
    paintNodes(painter, area);
    if (detail_ == Detail::near) paintLabels(painter, area);
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
    for (const int index : placed_.edges.query(around)) {
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
    painter.setFont(fontOf(size, QFont::DemiBold));
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
            painter.setFont(fontOf(M::titlePixels, QFont::DemiBold));
            painter.setPen(colours_.text);
            const QFontMetricsF metrics(painter.font());
            const QRectF title(rect.left() + 10, rect.top() + 3, rect.width() - 20, 20);
            painter.drawText(
                title, Qt::AlignVCenter,
                metrics.elidedText("▸ " + group.title + repeats, Qt::ElideMiddle, title.width()));
            painter.setFont(fontOf(M::linePixels));
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

void ScenePainter::paintEdges(QPainter& painter, const QRectF& area) const {
    std::vector<int> loud;
    std::set<std::pair<int, int>> drawnFar;
    for (const int index : placed_.edges.query(area)) {
        const SceneEdge& edge = scene_.edges[static_cast<size_t>(index)];
        const bool touchesCurrent = look_.current.isValid() &&
                                    (scene_.nodes[static_cast<size_t>(edge.from)].origin == look_.current ||
                                     scene_.nodes[static_cast<size_t>(edge.to)].origin == look_.current);
        if (touchesCurrent || edge.value == look_.value) {
            loud.push_back(index);
        } else {
            paintEdge(painter, edge, placed_.edgePaths[static_cast<size_t>(index)]);
        }
    }
    for (const int index : loud) {
        const QPainterPath& path = placed_.edgePaths[static_cast<size_t>(index)];
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colours_.accent, std::max(2.0, pixels(2))));
        painter.drawPath(path);
        paintArrow(painter, path, colours_.accent);
    }
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

void ScenePainter::paintLabels(QPainter& painter, const QRectF& area) const {
    std::set<std::pair<int, int>> done;
    painter.setFont(fontOf(M::linePixels - 1));
    const QFontMetricsF metrics(painter.font());
    for (const int index : placed_.edges.query(area)) {
        const SceneEdge& edge = scene_.edges[static_cast<size_t>(index)];
        const QPainterPath& path = placed_.edgePaths[static_cast<size_t>(index)];
        const SceneNode& from = scene_.nodes[static_cast<size_t>(edge.from)];
        if (from.kind != SceneNode::Kind::operation || path.isEmpty() || edge.label.isEmpty() ||
            !done.insert({edge.from, edge.fromPort}).second)
            continue;
        const QPointF start = path.elementAt(0);
        const QString text = metrics.elidedText(edge.label, Qt::ElideMiddle, 180);
        const QRectF box(start.x() + 5, start.y() + 3, metrics.horizontalAdvance(text) + 4, metrics.height());
        if (!placed_.nodes.query(box).empty()) continue;
        painter.setPen(stepsBack(from) ? soften(colours_.muted) : colours_.muted);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void ScenePainter::paintNodes(QPainter& painter, const QRectF& area) const {
    for (const int index : placed_.groups.query(area)) {
        const SceneGroup& group = scene_.groups[static_cast<size_t>(index)];
        if (group.isCollapsed)
            paintClosedGroup(painter, group, placed_.groupRects[static_cast<size_t>(index)]);
    }
    for (const int index : placed_.nodes.query(area)) {
        const SceneNode& node = scene_.nodes[static_cast<size_t>(index)];
        const QRectF& rect = placed_.nodeRects[static_cast<size_t>(index)];
        painter.setOpacity(stepsBack(node) ? 0.35 : 1);
        if (node.kind == SceneNode::Kind::operation) {
            paintOperation(painter, node, rect);
        } else {
            paintTerminal(painter, node, rect);
        }
        painter.setOpacity(1);
        if (look_.isSearching && look_.found.count(node.origin) > 0)
            paintOutline(painter, rect, colours_.warning, 2);
        if (isSelected(node))
            paintOutline(painter, rect, colours_.accent, node.origin == look_.current ? 3 : 2);
    }
}

void ScenePainter::paintTerminal(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    const double round = std::min(rect.height() / 2, 12.0);
    QPen pen(colours_.nodeBorder, std::max(1.0, pixels(1)));
    if (node.kind == SceneNode::Kind::capture) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(colours_.raised);
    painter.drawRoundedRect(rect, round, round);
    if (detail_ == Detail::middle) paintMiddleTitle(painter, node.title, rect, colours_.text);
    if (detail_ != Detail::near) return;
    painter.setFont(fontOf(M::titlePixels, QFont::DemiBold));
    painter.setPen(colours_.text);
    painter.drawText(QRectF(rect.left(), rect.top() + 2, rect.width(), M::header - 2), Qt::AlignCenter,
                     node.title);
    painter.setFont(fontOf(M::linePixels));
    painter.setPen(colours_.muted);
    double top = rect.top() + M::header;
    for (const QString& line : node.lines) {
        painter.drawText(QRectF(rect.left(), top, rect.width(), M::line), Qt::AlignCenter, line);
        top += M::line;
    }
}

void ScenePainter::paintOperation(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    const bool isGone = isRemoved(node);
    const QColor header = isGone ? colours_.node : headerColour(node);
    QPen pen(colours_.nodeBorder, std::max(1.0, pixels(1)));
    if (isGone) pen.setDashPattern({3, 3});
    if (node.hasProblem) pen.setColor(colours_.error);
    if (detail_ == Detail::far) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(farColour(node));
        painter.drawRoundedRect(rect, radius, radius);
        return;
    }
    painter.setPen(pen);
    painter.setBrush(colours_.node);
    if (node.hasBody) painter.drawRoundedRect(rect.translated(3, 3), radius, radius);
    if (detail_ == Detail::middle) {
        const QColor fill = look_.colourBy == ColourBy::provider ? colours_.node : header;
        painter.setBrush(fill);
        painter.drawRoundedRect(rect, radius, radius);
        paintMiddleTitle(painter, node.title, rect.adjusted(5, 0, 0, 0),
                         isGone ? colours_.faint : Colours::textOn(fill));
    } else {
        painter.drawRoundedRect(rect, radius, radius);
        paintHeader(painter, node, rect, header);
        paintLines(painter, node, rect);
        paintBadges(painter, node, rect);
    }
    if (look_.placement && !isGone) {
        QPainterPath stripe;
        stripe.addRoundedRect(rect, radius, radius);
        painter.save();
        painter.setClipRect(QRectF(rect.left() - 1, rect.top() - 1, 5, rect.height() + 2), Qt::IntersectClip);
        painter.fillPath(stripe, colours_.provider(look_.placement->provider(node.origin)));
        painter.restore();
    }
    paintBar(painter, node, rect);
}

void ScenePainter::paintHeader(QPainter& painter, const SceneNode& node, const QRectF& rect,
                               const QColor& fill) const {
    const bool isGone = isRemoved(node);
    const QRectF header(rect.left(), rect.top(), rect.width(), std::min(M::header, rect.height()));
    if (!isGone) {
        QPainterPath shape;
        shape.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        painter.save();
        painter.setClipRect(header, Qt::IntersectClip);
        painter.fillPath(shape, fill);
        painter.restore();
    }
    double left = rect.left() + M::padding;
    if (look_.placement && !isGone) {
        const std::string provider = look_.placement->provider(node.origin);
        const QColor colour = colours_.provider(provider);
        const QRectF chip(left, header.top() + (M::header - M::chip) / 2, M::chip, M::chip);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(chip, 3, 3);
        painter.setPen(Colours::textOn(colour));
        painter.setFont(fontOf(10, QFont::Bold));
        painter.drawText(chip, Qt::AlignCenter, letterOf(provider));
        left += M::chip + 6;
    }
    const QColor text = isGone ? colours_.faint : Colours::textOn(fill);
    painter.setPen(text);
    painter.setFont(fontOf(M::titlePixels, QFont::DemiBold));
    painter.drawText(QRectF(left, header.top(), header.right() - left, M::header), Qt::AlignVCenter,
                     node.title);
    const QString figure = figureOf(node);
    if (figure.isEmpty()) return;
    painter.setFont(fontOf(M::linePixels));
    painter.drawText(header.adjusted(0, 0, -7, 0), Qt::AlignVCenter | Qt::AlignRight, figure);
}

QString ScenePainter::figureOf(const SceneNode& node) const {
    if (isRemoved(node)) return {};
    if (!look_.overlay) return {};
    const Overlay::Entry* entry = look_.overlay->find(node.origin);
    if (entry == nullptr) return {};
    return std::isnan(entry->value) ? QString("▣") : numberText(entry->value, look_.overlay->unit);
}

void ScenePainter::paintLines(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    painter.setFont(fontOf(M::linePixels));
    painter.setPen(isRemoved(node) ? colours_.faint : colours_.muted);
    double top = rect.top() + M::header + 2;
    for (const QString& line : node.lines) {
        painter.drawText(QRectF(rect.left() + M::padding, top, rect.width() - 2 * M::padding, M::line),
                         Qt::AlignVCenter, line);
        top += M::line;
    }
}

void ScenePainter::paintBadges(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    QString badges;
    if (node.hasProblem) badges += "!";
    if (node.hasBody) badges += "⤵";
    if (node.isDynamic && node.hasProblem) badges += "~";
    if (badges.isEmpty()) return;
    painter.setFont(fontOf(M::linePixels, QFont::Bold));
    painter.setPen(node.hasProblem ? colours_.error : colours_.muted);
    const double top = node.lines.isEmpty() ? rect.top() : rect.bottom() - M::line - 3;
    painter.drawText(QRectF(rect.left(), top, rect.width() - 7, node.lines.isEmpty() ? M::header : M::line),
                     Qt::AlignRight | Qt::AlignVCenter, badges);
}

void ScenePainter::paintBar(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    if (!look_.overlay || isRemoved(node)) return;
    const Overlay::Entry* entry = look_.overlay->find(node.origin);
    if (entry == nullptr || std::isnan(entry->value) || look_.overlay->largest <= 0) return;
    const double share = std::clamp(entry->value / look_.overlay->largest, 0.0, 1.0);
    const QRectF full(rect.left() + 5, rect.bottom() - 3.5, rect.width() - 8, 2.5);
    painter.fillRect(QRectF(full.left(), full.top(), std::max(1.0, full.width() * share), full.height()),
                     colours_.heat(look_.overlay->heat(node.origin)));
}

void ScenePainter::paintMiddleTitle(QPainter& painter, const QString& title, const QRectF& rect,
                                    const QColor& text) const {
    const double size =
        std::min(std::max(static_cast<double>(M::titlePixels), pixels(9)), rect.height() * 0.95);
    if (size * scale_ < smallestText) return;
    painter.setFont(fontOf(size, QFont::DemiBold));
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
    painter.drawRoundedRect(rect.adjusted(-margin, -margin, margin, margin), radius + margin,
                            radius + margin);
}

}  // namespace views
