#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "views/format.h"
#include "views/graph/paint_font.h"
#include "views/graph/scene_painter.h"

namespace views {

namespace {

using M = NodeMetrics;

}  // namespace

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
    painter.setFont(sceneFont(M::titlePixels, QFont::DemiBold));
    painter.setPen(colours_.text);
    painter.drawText(QRectF(rect.left(), rect.top() + 2, rect.width(), M::header - 2), Qt::AlignCenter,
                     node.title);
    painter.setFont(sceneFont(M::linePixels));
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
        painter.drawRoundedRect(rect, nodeRadius, nodeRadius);
        return;
    }
    painter.setPen(pen);
    painter.setBrush(colours_.node);
    if (node.hasBody) painter.drawRoundedRect(rect.translated(3, 3), nodeRadius, nodeRadius);
    if (detail_ == Detail::middle) {
        const QColor fill = look_.colourBy == ColourBy::provider ? colours_.node : header;
        painter.setBrush(fill);
        painter.drawRoundedRect(rect, nodeRadius, nodeRadius);
        paintMiddleTitle(painter, node.title, rect.adjusted(5, 0, 0, 0),
                         isGone ? colours_.faint : Colours::textOn(fill));
    } else {
        painter.drawRoundedRect(rect, nodeRadius, nodeRadius);
        paintHeader(painter, node, rect, header);
        paintLines(painter, node, rect);
        paintBadges(painter, node, rect);
    }
    if (look_.placement && !isGone) {
        QPainterPath stripe;
        stripe.addRoundedRect(rect, nodeRadius, nodeRadius);
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
        shape.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), nodeRadius, nodeRadius);
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
        painter.setFont(sceneFont(10, QFont::Bold));
        painter.drawText(chip, Qt::AlignCenter, letterOf(provider));
        left += M::chip + 6;
    }
    const QColor text = isGone ? colours_.faint : Colours::textOn(fill);
    painter.setPen(text);
    painter.setFont(sceneFont(M::titlePixels, QFont::DemiBold));
    painter.drawText(QRectF(left, header.top(), header.right() - left, M::header), Qt::AlignVCenter,
                     node.title);
    const QString figure = figureOf(node);
    if (figure.isEmpty()) return;
    painter.setFont(sceneFont(M::linePixels));
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
    painter.setFont(sceneFont(M::linePixels));
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
    painter.setFont(sceneFont(M::linePixels, QFont::Bold));
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

}  // namespace views
