#include "views/graph/canvas.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "views/format.h"
#include "views/graph/node_text.h"
#include "views/graph/scene_painter.h"

namespace views {

namespace {

constexpr double smallestScale = 0.005;
constexpr double largestScale = 4;
constexpr double margin = 28;
constexpr double zoomStep = 1.2;
constexpr double readableScale = 0.85;
constexpr double clickDistance = 5;

}  // namespace

Canvas::Canvas(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    setAccessibleDescription(tr("The model as a drawing. Arrow keys walk along its edges."));
}

void Canvas::setScene(std::shared_ptr<const LaidOutScene> scene) {
    const bool isFirst = !scene_;
    scene_ = std::move(scene);
    updateScrollBars();
    if (isFirst) isFitPending_ = true;
    if (isFitPending_ && isVisible()) fitForReading();
    viewport()->update();
    Q_EMIT viewChanged();
}

void Canvas::setLook(SceneLook look) {
    look_ = std::move(look);
    viewport()->update();
}

QPointF Canvas::toScene(const QPointF& point) const {
    return (point + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value())) / scale_;
}

QPointF Canvas::toViewport(const QPointF& point) const {
    return point * scale_ - QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

QRectF Canvas::visibleArea() const {
    return {toScene({0, 0}),
            toScene({static_cast<double>(viewport()->width()), static_cast<double>(viewport()->height())})};
}

// One can scroll until only a third of the view still shows something.
void Canvas::updateScrollBars() {
    const QRectF bounds = scene_ ? scene_->bounds : QRectF();
    const auto set = [](QScrollBar* bar, double low, double high, int page) {
        const int beyond = page * 2 / 3;
        bar->setRange(static_cast<int>(std::floor(low)) - beyond,
                      static_cast<int>(std::ceil(high)) - page + beyond);
        bar->setPageStep(page);
        bar->setSingleStep(40);
    };
    set(horizontalScrollBar(), bounds.left() * scale_, bounds.right() * scale_, viewport()->width());
    set(verticalScrollBar(), bounds.top() * scale_, bounds.bottom() * scale_, viewport()->height());
}

void Canvas::setOffset(const QPointF& offset) {
    horizontalScrollBar()->setValue(static_cast<int>(std::lround(offset.x())));
    verticalScrollBar()->setValue(static_cast<int>(std::lround(offset.y())));
    viewport()->update();
    Q_EMIT viewChanged();
}

void Canvas::moveTo(const QPointF& scenePoint, const QPointF& viewportPoint) {
    setOffset(scenePoint * scale_ - viewportPoint);
}

void Canvas::setScale(double scale, const QPointF& anchor) {
    const QPointF fixed = toScene(anchor);
    scale_ = std::clamp(scale, smallestScale, largestScale);
    updateScrollBars();
    moveTo(fixed, anchor);
}

void Canvas::zoomBy(double factor) { setScale(scale_ * factor, QRectF(viewport()->rect()).center()); }

double Canvas::fittingScale(const QRectF& area) const {
    const double width = std::max(1.0, viewport()->width() - 2 * margin);
    const double height = std::max(1.0, viewport()->height() - 2 * margin);
    return std::min({width / std::max(1.0, area.width()), height / std::max(1.0, area.height()), 1.0});
}

void Canvas::fitTo(const QRectF& area) {
    isFitPending_ = false;
    scale_ = std::clamp(fittingScale(area), smallestScale, largestScale);
    updateScrollBars();
    centerOn(area.center());
}

void Canvas::fit() {
    if (scene_) fitTo(scene_->bounds);
}

void Canvas::fitForReading() {
    if (!scene_) return;
    fit();
    if (scale_ >= readableScale) return;
    const QRectF bounds = scene_->bounds;
    const double width = std::max(1.0, viewport()->width() - 2 * margin) / std::max(1.0, bounds.width());
    scale_ = std::clamp(std::max(scale_, width), readableScale, 1.0);
    updateScrollBars();
    // The middle of what stands at the top is where reading starts.
    QRectF top;
    for (const QRectF& rect : scene_->nodeRects) {
        if (!rect.isNull() && (top.isNull() || rect.top() < top.top())) top = rect;
    }
    const double x = bounds.width() * scale_ < viewport()->width() || top.isNull() ? bounds.center().x()
                                                                                   : top.center().x();
    moveTo({x, bounds.top()}, {viewport()->width() / 2.0, margin});
}

void Canvas::centerOn(const QPointF& scenePoint) { moveTo(scenePoint, QRectF(viewport()->rect()).center()); }

void Canvas::reveal(const QRectF& area) {
    if (area.isNull()) return;
    const QRectF shown = visibleArea();
    const double space = 40 / scale_;
    const QRectF wanted = area.adjusted(-space, -space, space, space);
    if (shown.contains(wanted)) return;
    if (!shown.intersects(area)) return centerOn(area.center());
    QPointF move;
    if (wanted.left() < shown.left()) move.setX(wanted.left() - shown.left());
    if (wanted.right() > shown.right()) move.setX(wanted.right() - shown.right());
    if (wanted.top() < shown.top()) move.setY(wanted.top() - shown.top());
    if (wanted.bottom() > shown.bottom()) move.setY(wanted.bottom() - shown.bottom());
    moveTo(shown.topLeft() + move, {0, 0});
}

void Canvas::paintEvent(QPaintEvent* event) {
    const Colours& colours = coloursOf(this);
    QPainter painter(viewport());
    painter.fillRect(event->rect(), colours.canvas);
    if (!scene_) return;
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    painter.scale(scale_, scale_);
    ScenePainter(*scene_, look_, colours).paint(painter, visibleArea(), scale_);
    if (drag_ != Drag::band) return;
    painter.resetTransform();
    QColor fill = colours.accent;
    fill.setAlphaF(0.12F);
    painter.setPen(colours.accent);
    painter.setBrush(fill);
    painter.drawRect(QRectF(pressed_, band_).normalized());
}

void Canvas::resizeEvent(QResizeEvent*) {
    updateScrollBars();
    if (isFitPending_ && scene_) fitForReading();
    Q_EMIT viewChanged();
}

void Canvas::scrollContentsBy(int, int) {
    viewport()->update();
    Q_EMIT viewChanged();
}

void Canvas::wheelEvent(QWheelEvent* event) {
    isFitPending_ = false;
    const bool isModified = (event->modifiers() & Qt::ControlModifier) != 0;
    if (isModified != wheelZooms_) {
        setScale(scale_ * std::pow(zoomStep, event->angleDelta().y() / 120.0), event->position());
    } else {
        QPointF delta =
            event->pixelDelta().isNull() ? QPointF(event->angleDelta()) : QPointF(event->pixelDelta());
        if ((event->modifiers() & Qt::ShiftModifier) != 0) delta = {delta.y(), delta.x()};
        setOffset(QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value()) - delta);
    }
    event->accept();
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    isFitPending_ = false;
    drag_ = Drag::pressed;
    pressed_ = event->position();
    last_ = pressed_;
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    if (drag_ == Drag::none) return;
    if (drag_ == Drag::pressed) {
        const QPointF moved = event->position() - pressed_;
        if (moved.manhattanLength() < clickDistance) return;
        drag_ = (event->modifiers() & Qt::ShiftModifier) != 0 ? Drag::band : Drag::pan;
        viewport()->setCursor(drag_ == Drag::pan ? Qt::ClosedHandCursor : Qt::CrossCursor);
    }
    if (drag_ == Drag::pan) {
        setOffset(QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value()) -
                  (event->position() - last_));
    } else {
        band_ = event->position();
        viewport()->update();
    }
    last_ = event->position();
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(drag_, Drag::none);
    viewport()->unsetCursor();
    if (!scene_ || event->button() != Qt::LeftButton) return;
    if (drag == Drag::pressed) click(event->position(), (event->modifiers() & Qt::ShiftModifier) != 0);
    if (drag == Drag::band) {
        Q_EMIT bandSelected(scene_->nodes.query(QRectF(toScene(pressed_), toScene(band_)).normalized()));
        viewport()->update();
    }
}

void Canvas::click(const QPointF& point, bool isAdding) {
    const QPointF place = toScene(point);
    if (const int node = scene_->nodeAt(place); node >= 0) {
        Q_EMIT nodeClicked(node, isAdding);
        return;
    }
    const int group = scene_->groupAt(place);
    if (group >= 0 && scene_->scene->groups[static_cast<size_t>(group)].isCollapsed) {
        Q_EMIT groupClicked(group);
        return;
    }
    if (const int edge = scene_->edgeAt(place, clickDistance / scale_); edge >= 0) {
        Q_EMIT edgeClicked(edge);
        return;
    }
    Q_EMIT groundClicked();
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!scene_ || event->button() != Qt::LeftButton) return;
    const QPointF place = toScene(event->position());
    if (const int node = scene_->nodeAt(place); node >= 0) {
        Q_EMIT nodeOpened(node);
    } else if (const int group = scene_->groupAt(place); group >= 0) {
        const QRectF& rect = scene_->groupRects[static_cast<size_t>(group)];
        const bool isClosed = scene_->scene->groups[static_cast<size_t>(group)].isCollapsed;
        if (isClosed || place.y() < rect.top() + NodeMetrics::groupHeader) Q_EMIT groupOpened(group);
    }
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomBy(zoomStep);
        case Qt::Key_Minus:
            return zoomBy(1 / zoomStep);
        case Qt::Key_0:
            return setScale(1, QRectF(viewport()->rect()).center());
        case Qt::Key_Space:
            return fit();
        case Qt::Key_Up:
            Q_EMIT stepped(Step::up);
            return;
        case Qt::Key_Down:
            Q_EMIT stepped(Step::down);
            return;
        case Qt::Key_Left:
            Q_EMIT stepped(Step::left);
            return;
        case Qt::Key_Right:
            Q_EMIT stepped(Step::right);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT enterPressed();
            return;
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

bool Canvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        showTip(help->pos(), help->globalPos());
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            setScale(scale_ * (1 + gesture->value()), gesture->position());
            return true;
        }
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void Canvas::showTip(const QPoint& position, const QPoint& globalPosition) {
    QString text;
    if (scene_) {
        const QPointF place = toScene(position);
        const Scene& scene = *scene_->scene;
        if (const int node = scene_->nodeAt(place); node >= 0) {
            text = nodeTip(scene.nodes[static_cast<size_t>(node)]);
        } else if (const int edge = scene_->edgeAt(place, clickDistance / scale_); edge >= 0) {
            text = edgeTip(scene.edges[static_cast<size_t>(edge)]);
        } else if (const int group = scene_->groupAt(place); group >= 0) {
            text = groupTip(scene.groups[static_cast<size_t>(group)]);
        }
    }
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(globalPosition, text, viewport());
    }
}

QString Canvas::nodeTip(const SceneNode& sceneNode) const {
    const GraphPlace& place = scene_->scene->place;
    if (sceneNode.kind != SceneNode::Kind::operation) {
        return qstring(place.graph->value(sceneNode.value).name) + "\n" +
               typeLabel(place.type(sceneNode.value));
    }
    const engine::Node& node = place.graph->node(sceneNode.node);
    QStringList lines{operatorTitle(node) + (node.name.empty() ? QString() : "  " + qstring(node.name))};
    for (const engine::ValueId output : node.outputs) {
        if (output.isValid())
            lines << "→ " + qstring(place.graph->value(output).name) + "  " + typeLabel(place.type(output));
    }
    if (look_.placement) {
        const engine::Placement* placement = look_.placement->of(sceneNode.origin);
        if (placement == nullptr) {
            lines << look_.placement->whyRemoved(sceneNode.origin);
        } else {
            lines << (placement->provider.empty() ? tr("no provider runs it")
                                                  : tr("runs on %1").arg(qstring(placement->provider)));
            if (placement->origins.size() > 1)
                lines << tr("as part of %1").arg(qstring(placement->operatorType));
        }
    }
    const Overlay::Entry* entry = look_.overlay ? look_.overlay->find(sceneNode.origin) : nullptr;
    if (entry != nullptr && !std::isnan(entry->value)) {
        lines << QString("%1: %2 (%3)")
                     .arg(look_.overlay->name, numberText(entry->value, look_.overlay->unit),
                          shareText(look_.overlay->share(sceneNode.origin)));
    }
    return lines.join('\n');
}

QString Canvas::edgeTip(const SceneEdge& edge) const {
    const GraphPlace& place = scene_->scene->place;
    QString text = qstring(place.graph->value(edge.value).name) + "\n" + typeLabel(place.type(edge.value));
    if (edge.bytes >= 0) text += "\n" + numberText(edge.bytes, Unit::bytes);
    return text;
}

QString Canvas::groupTip(const SceneGroup& group) const {
    QString text = group.path + "\n" + tr("%1 nodes").arg(group.nodes.size());
    if (group.repeats > 1) text += "\n" + tr("%1 groups are built like this").arg(group.repeats);
    return text + "\n" + tr("double click opens or closes it");
}

}  // namespace views
