#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "engine/session.h"

namespace views {

/// One run on a time axis: a track per thread, steps of bodies below their If or Loop. W and S zoom, A and D
/// pan, F frames the selection; drag pans, Shift+drag measures a stretch.
class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Null: nothing to show.
    void setProfile(std::shared_ptr<const engine::ProfileResult> profile);
    void setSelection(std::vector<engine::OriginId> selected);

    /// What is shown, in nanoseconds since the run began.
    double startNs() const { return startNs_; }
    double spanNs() const { return spanNs_; }
    void showAll();
    void zoom(double factor, double anchorX);
    void pan(double fraction);
    void frameSelection();
    /// The event at that point, or nothing.
    std::optional<size_t> eventAt(const QPointF& point) const;
    QRectF rectOf(size_t event) const;

    QSize sizeHint() const override { return {700, 200}; }

Q_SIGNALS:
    void stepClicked(int step);
    void groundClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Where an event lies: its row, counted over all tracks.
    struct Track {
        uint32_t thread = 0;
        int firstRow = 0;
        int rows = 1;
    };
    void arrange();
    void clampView();
    double xOf(double ns) const;
    double nsAt(double x) const;
    void paintAxis(QPainter& painter) const;
    void paintEvents(QPainter& painter) const;
    void paintEventBox(QPainter& painter, size_t event, const QRectF& rect) const;
    void paintMeasure(QPainter& painter) const;
    bool isSelected(const engine::StepInfo& step) const;
    QString tipOf(size_t event) const;

    std::shared_ptr<const engine::ProfileResult> profile_;
    std::vector<engine::OriginId> selected_;
    std::vector<Track> tracks_;
    std::vector<int> rows_;  ///< by event
    double startNs_ = 0;
    double spanNs_ = 1;
    std::optional<QPointF> pressed_;
    QPointF last_;
    bool isDragged_ = false;
    std::optional<std::pair<double, double>> measured_;  ///< nanoseconds
    bool isMeasuring_ = false;
};

}  // namespace views
