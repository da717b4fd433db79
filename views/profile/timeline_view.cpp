#include "views/profile/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "views/format.h"
#include "views/theme.h"

namespace views {

namespace {

constexpr double axisHeight = 24;
constexpr double labelWidth = 74;
constexpr double rowHeight = 24;
constexpr double trackGap = 6;
constexpr double smallestSpanNs = 50;
constexpr double zoomStep = 1.3;
constexpr double panStep = 0.15;
constexpr double clickDistance = 4;

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline of one run"));
}

void TimelineView::setProfile(std::shared_ptr<const engine::ProfileResult> profile) {
    profile_ = std::move(profile);
    measured_.reset();
    arrange();
    showAll();
}

// Events of one thread come by start; one that begins before the last has ended lies inside it.
void TimelineView::arrange() {
    tracks_.clear();
    rows_.clear();
    if (!profile_) return;
    const std::vector<engine::StepEvent>& events = profile_->trace.events;
    std::map<uint32_t, std::vector<int64_t>> open;  // ends of the events around, by thread
    std::map<uint32_t, int> depth;
    rows_.assign(events.size(), 0);
    for (size_t index = 0; index < events.size(); ++index) {
        std::vector<int64_t>& ends = open[events[index].thread];
        while (!ends.empty() && ends.back() <= events[index].startNs) ends.pop_back();
        rows_[index] = static_cast<int>(ends.size());
        ends.push_back(events[index].endNs);
        int& deepest = depth[events[index].thread];
        deepest = std::max(deepest, static_cast<int>(ends.size()));
    }
    int first = 0;
    std::map<uint32_t, int> firstRow;
    for (const auto& [thread, rows] : depth) {
        tracks_.push_back({.thread = thread, .firstRow = first, .rows = rows});
        firstRow[thread] = first;
        first += rows;
    }
    for (size_t index = 0; index < events.size(); ++index) rows_[index] += firstRow[events[index].thread];
    setMinimumHeight(
        static_cast<int>(axisHeight + first * rowHeight + static_cast<double>(tracks_.size()) * trackGap));
}

void TimelineView::setSelection(std::vector<engine::OriginId> selected) {
    selected_ = std::move(selected);
    update();
}

double TimelineView::xOf(double ns) const {
    return labelWidth + (ns - startNs_) / spanNs_ * std::max(1.0, width() - labelWidth);
}

double TimelineView::nsAt(double x) const {
    return startNs_ + (x - labelWidth) / std::max(1.0, width() - labelWidth) * spanNs_;
}

void TimelineView::showAll() {
    startNs_ = 0;
    spanNs_ = profile_ ? std::max<double>(1, static_cast<double>(profile_->trace.elapsedNs)) : 1;
    update();
}

void TimelineView::clampView() {
    const double whole = profile_ ? static_cast<double>(profile_->trace.elapsedNs) : 1;
    spanNs_ = std::clamp(spanNs_, std::min(smallestSpanNs, whole), std::max(1.0, whole));
    startNs_ = std::clamp(startNs_, 0.0, std::max(0.0, whole - spanNs_));
    update();
}

void TimelineView::zoom(double factor, double anchorX) {
    const double fixed = nsAt(anchorX);
    const double share = (fixed - startNs_) / spanNs_;
    spanNs_ /= factor;
    const double whole = profile_ ? static_cast<double>(profile_->trace.elapsedNs) : 1;
    spanNs_ = std::clamp(spanNs_, std::min(smallestSpanNs, whole), std::max(1.0, whole));
    startNs_ = fixed - share * spanNs_;
    clampView();
}

void TimelineView::pan(double fraction) {
    startNs_ += fraction * spanNs_;
    clampView();
}

void TimelineView::frameSelection() {
    if (!profile_) return;
    double low = std::numeric_limits<double>::max();
    double high = 0;
    for (const engine::StepEvent& event : profile_->trace.events) {
        if (!isSelected((*profile_->trace.steps)[event.step])) continue;
        low = std::min(low, static_cast<double>(event.startNs));
        high = std::max(high, static_cast<double>(event.endNs));
    }
    if (high <= low) return;
    const double space = (high - low) * 0.2;
    startNs_ = low - space;
    spanNs_ = high - low + 2 * space;
    clampView();
}

bool TimelineView::isSelected(const engine::StepInfo& step) const {
    return std::any_of(step.origins.begin(), step.origins.end(), [&](engine::OriginId origin) {
        return std::find(selected_.begin(), selected_.end(), origin) != selected_.end();
    });
}

QRectF TimelineView::rectOf(size_t index) const {
    const engine::StepEvent& event = profile_->trace.events[index];
    const int row = rows_[index];
    double gaps = 0;
    for (const Track& track : tracks_) gaps += track.firstRow <= row && track.firstRow > 0 ? trackGap : 0;
    const double left = xOf(static_cast<double>(event.startNs));
    const double right = xOf(static_cast<double>(event.endNs));
    return {left, axisHeight + row * rowHeight + gaps + 2, right - left, rowHeight - 3};
}

std::optional<size_t> TimelineView::eventAt(const QPointF& point) const {
    if (!profile_ || point.x() < labelWidth) return std::nullopt;
    std::optional<size_t> found;
    for (size_t index = 0; index < rows_.size(); ++index) {
        if (rectOf(index).adjusted(-1, 0, 1, 0).contains(point)) found = index;
    }
    return found;
}

void TimelineView::paintEvent(QPaintEvent*) {
    const Colours& colours = coloursOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), colours.surface);
    if (!profile_) {
        painter.setPen(colours.faint);
        painter.drawText(rect(), Qt::AlignCenter,
                         tr("Run the model to see one run on a time axis  (Ctrl+R)"));
        return;
    }
    paintAxis(painter);
    paintEvents(painter);
    paintMeasure(painter);
    painter.setPen(colours.muted);
    for (const Track& track : tracks_) {
        const double top = axisHeight + track.firstRow * rowHeight + (track.firstRow > 0 ? trackGap : 0);
        painter.drawText(QRectF(8, top, labelWidth - 12, rowHeight), Qt::AlignVCenter,
                         tr("thread %1").arg(track.thread));
    }
}

void TimelineView::paintAxis(QPainter& painter) const {
    const Colours& colours = coloursOf(this);
    const double step = tickStep(spanNs_, std::max(1, static_cast<int>(width() - labelWidth) / 100));
    for (double tick = std::ceil(startNs_ / step) * step; tick <= startNs_ + spanNs_; tick += step) {
        const double x = xOf(tick);
        painter.setPen(Colours::mix(colours.surface, colours.border, 0.7));
        painter.drawLine(QPointF(x, axisHeight - 4), QPointF(x, height()));
        painter.setPen(colours.muted);
        painter.drawText(QRectF(x + 3, 2, 96, axisHeight - 4), Qt::AlignVCenter,
                         numberText(tick, Unit::nanoseconds));
    }
}

// What is narrower than a pixel is drawn as part of one line with its neighbours.
void TimelineView::paintEvents(QPainter& painter) const {
    const Colours& colours = coloursOf(this);
    painter.save();
    painter.setClipRect(QRectF(labelWidth, 0, width() - labelWidth, height()));
    std::map<int, int> lastPixel;
    for (size_t index = 0; index < rows_.size(); ++index) {
        QRectF rect = rectOf(index);
        if (rect.right() < labelWidth || rect.left() > width()) continue;
        const auto& step = (*profile_->trace.steps)[profile_->trace.events[index].step];
        if (rect.width() < 1.5 && !isSelected(step)) {
            const int pixel = static_cast<int>(rect.left());
            const auto found = lastPixel.find(rows_[index]);
            if (found != lastPixel.end() && found->second == pixel) continue;
            lastPixel[rows_[index]] = pixel;
            rect.setWidth(1);
            painter.fillRect(rect, colours.provider(step.provider));
            continue;
        }
        paintEventBox(painter, index, rect);
    }
    painter.restore();
}

void TimelineView::paintEventBox(QPainter& painter, size_t index, const QRectF& rect) const {
    const Colours& colours = coloursOf(this);
    const engine::StepInfo& step = (*profile_->trace.steps)[profile_->trace.events[index].step];
    const QColor provider = colours.provider(step.provider);
    const QColor fill =
        Colours::mix(colours.family(familyOf({}, step.operatorType.substr(0, step.operatorType.find('+')))),
                     provider, 0.25);
    painter.fillRect(rect.adjusted(0, 0, -0.6, 0), fill);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 3, rect.width() - 0.6, 3), provider);
    if (isSelected(step)) {
        painter.setPen(QPen(colours.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    }
    const QRectF visible =
        rect.intersected(QRectF(labelWidth, 0, width() - labelWidth, height())).adjusted(4, 0, -3, -2);
    if (visible.width() < 22) return;
    painter.setPen(Colours::textOn(fill));
    QString text = letterOf(step.provider) + ' ' + qstring(step.operatorType);
    painter.drawText(
        visible, Qt::AlignVCenter,
        painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(visible.width())));
}

void TimelineView::paintMeasure(QPainter& painter) const {
    if (!measured_) return;
    const Colours& colours = coloursOf(this);
    const double low = std::min(measured_->first, measured_->second);
    const double high = std::max(measured_->first, measured_->second);
    QColor fill = colours.accent;
    fill.setAlphaF(0.13F);
    const QRectF area(xOf(low), axisHeight, xOf(high) - xOf(low), height() - axisHeight);
    painter.fillRect(area, fill);
    size_t steps = 0;
    double busy = 0;
    for (const engine::StepEvent& event : profile_->trace.events) {
        const double begin = std::max(low, static_cast<double>(event.startNs));
        const double end = std::min(high, static_cast<double>(event.endNs));
        if (end <= begin || (*profile_->trace.steps)[event.step].parent >= 0) continue;
        ++steps;
        busy += end - begin;
    }
    const QString text = tr("ΔT %1 · %2 steps · %3 in them")
                             .arg(numberText(high - low, Unit::nanoseconds))
                             .arg(steps)
                             .arg(numberText(busy, Unit::nanoseconds));
    QRectF bubble(area.center().x() - 130, height() - 30, 260, 22);
    bubble.moveLeft(
        std::clamp(bubble.left(), labelWidth, std::max(labelWidth, width() - bubble.width() - 4)));
    painter.setPen(colours.border);
    painter.setBrush(colours.raised);
    painter.drawRoundedRect(bubble, 4, 4);
    painter.setPen(colours.text);
    painter.drawText(bubble, Qt::AlignCenter, text);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const double middle = measured_ && rect().contains(mapFromGlobal(QCursor::pos()))
                              ? mapFromGlobal(QCursor::pos()).x()
                              : (labelWidth + width()) / 2;
    switch (event->key()) {
        case Qt::Key_W:
            return zoom(zoomStep, middle);
        case Qt::Key_S:
            return zoom(1 / zoomStep, middle);
        case Qt::Key_A:
            return pan(-panStep);
        case Qt::Key_D:
            return pan(panStep);
        case Qt::Key_F:
            return frameSelection();
        case Qt::Key_0:
        case Qt::Key_Space:
            return showAll();
        default:
            QWidget::keyPressEvent(event);
    }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        zoom(std::pow(zoomStep, event->angleDelta().y() / 120.0), event->position().x());
    } else {
        const QPoint delta = event->angleDelta();
        pan(-(delta.x() != 0 ? delta.x() : delta.y()) / 120.0 * panStep);
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton) return;
    pressed_ = event->position();
    last_ = event->position();
    isDragged_ = false;
    isMeasuring_ = (event->modifiers() & Qt::ShiftModifier) != 0;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_ || !profile_) return;
    if ((event->position() - *pressed_).manhattanLength() >= clickDistance) isDragged_ = true;
    if (!isDragged_) return;
    if (isMeasuring_) {
        measured_ = {nsAt(pressed_->x()), nsAt(event->position().x())};
        update();
    } else {
        startNs_ -= nsAt(event->position().x()) - nsAt(last_.x());
        clampView();
    }
    last_ = event->position();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (!pressed_ || event->button() != Qt::LeftButton) return;
    pressed_.reset();
    if (isDragged_) return;
    measured_.reset();
    update();
    if (const auto found = eventAt(event->position())) {
        Q_EMIT stepClicked(static_cast<int>(profile_->trace.events[*found].step));
    } else {
        Q_EMIT groundClicked();
    }
}

QString TimelineView::tipOf(size_t index) const {
    const engine::StepEvent& event = profile_->trace.events[index];
    const engine::StepInfo& step = (*profile_->trace.steps)[event.step];
    return QString("%1  %2\n%3 on %4, thread %5\nfrom %6 to %7")
               .arg(qstring(step.operatorType), qstring(step.name),
                    numberText(static_cast<double>(event.endNs - event.startNs), Unit::nanoseconds),
                    qstring(step.provider))
               .arg(event.thread)
               .arg(numberText(static_cast<double>(event.startNs), Unit::nanoseconds),
                    numberText(static_cast<double>(event.endNs), Unit::nanoseconds)) +
           (step.kernel.empty() ? QString() : "\n" + qstring(step.kernel));
}

bool TimelineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto found = eventAt(help->pos());
    if (found) {
        QToolTip::showText(help->globalPos(), tipOf(*found), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

}  // namespace views
