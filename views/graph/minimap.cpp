#include "views/graph/minimap.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include "views/graph/canvas.h"
#include "views/graph/scene_painter.h"

namespace views {

namespace {

constexpr int distance = 12;
constexpr int padding = 6;
constexpr int smallestCanvas = 480;

}  // namespace

Minimap::Minimap(Canvas* canvas) : QWidget(canvas->viewport()), canvas_(canvas) {
    setAccessibleName(tr("Overview"));
    setCursor(Qt::PointingHandCursor);
    canvas->viewport()->installEventFilter(this);
    connect(canvas, &Canvas::viewChanged, this, [this] {
        arrange();
        update();
    });
    arrange();
}

void Minimap::refresh() {
    arrange();
    picture_ = QPixmap();
    update();
}

void Minimap::arrange() {
    const QSize whole = canvas_->viewport()->size();
    QSizeF bounds = canvas_->scene() ? canvas_->scene()->bounds.size() : QSizeF();
    const bool isUseful = !bounds.isEmpty() && whole.width() >= smallestCanvas &&
                          whole.height() >= smallestCanvas / 2 &&
                          !canvas_->visibleArea().contains(canvas_->scene()->bounds);
    setVisible(isUseful);
    if (!isUseful) return;
    bounds.scale(QSizeF(180, std::min(260.0, whole.height() * 0.4)), Qt::KeepAspectRatio);
    const QSize size(std::max(60, static_cast<int>(bounds.width())) + 2 * padding,
                     std::max(40, static_cast<int>(bounds.height())) + 2 * padding);
    setGeometry(QRect(
        QPoint(whole.width() - size.width() - distance, whole.height() - size.height() - distance), size));
}

double Minimap::scale() const {
    const QRectF& bounds = canvas_->scene()->bounds;
    return std::min((width() - 2.0 * padding) / bounds.width(), (height() - 2.0 * padding) / bounds.height());
}

QPointF Minimap::corner() const {
    const QRectF& bounds = canvas_->scene()->bounds;
    return QRectF(rect()).center() - scale() * bounds.center();
}

void Minimap::paintEvent(QPaintEvent*) {
    if (!canvas_->scene()) return;
    const Colours& colours = coloursOf(this);
    if (picture_.isNull()) {
        picture_ = QPixmap(size() * devicePixelRatioF());
        picture_.setDevicePixelRatio(devicePixelRatioF());
        picture_.fill(Qt::transparent);
        QPainter painter(&picture_);
        constexpr size_t mostSmooth = 20000;
        painter.setRenderHint(QPainter::Antialiasing, canvas_->scene()->nodeRects.size() <= mostSmooth);
        painter.translate(corner());
        painter.scale(scale(), scale());
        const LaidOutScene& scene = *canvas_->scene();
        const ScenePainter look(scene, canvas_->look(), colours);
        painter.setPen(Qt::NoPen);
        const double grow = 0.4 / scale();
        for (size_t index = 0; index < scene.groupRects.size(); ++index) {
            if (scene.groupRects[index].isNull() || !scene.scene->groups[index].isCollapsed) continue;
            painter.fillRect(scene.groupRects[index], look.farColour(scene.scene->groups[index]));
        }
        for (size_t index = 0; index < scene.nodeRects.size(); ++index) {
            if (scene.nodeRects[index].isNull()) continue;
            painter.fillRect(scene.nodeRects[index].adjusted(-grow, -grow, grow, grow),
                             look.farColour(scene.scene->nodes[index]));
        }
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = colours.surface;
    ground.setAlphaF(0.92F);
    painter.setPen(colours.border);
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.drawPixmap(0, 0, picture_);
    const QRectF shown = canvas_->visibleArea();
    const QRectF view = QRectF(corner() + scale() * shown.topLeft(), corner() + scale() * shown.bottomRight())
                            .intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor fill = colours.accent;
    fill.setAlphaF(0.10F);
    painter.setPen(QPen(colours.accent, 1.5));
    painter.setBrush(fill);
    painter.drawRoundedRect(view, 2, 2);
}

void Minimap::moveView(const QPointF& point) { canvas_->centerOn((point - corner()) / scale()); }

void Minimap::mousePressEvent(QMouseEvent* event) { moveView(event->position()); }

void Minimap::mouseMoveEvent(QMouseEvent* event) { moveView(event->position()); }

bool Minimap::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize) refresh();
    return false;
}

void Minimap::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace views
