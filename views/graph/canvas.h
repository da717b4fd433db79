#pragma once

#include <memory>

#include <QAbstractScrollArea>

#include "views/graph/laid_out_scene.h"
#include "views/graph/scene_look.h"

namespace views {

/// Which way along the edges.
enum class Step : uint8_t { up, down, left, right };

/// Shows a laid-out scene: zooms about the pointer, pans, selects. Knows nothing of documents; what happens
/// on it goes out by signals, with indices into the scene.
class Canvas : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit Canvas(QWidget* parent = nullptr);

    /// Shows another scene; fits it if there was none.
    void setScene(std::shared_ptr<const LaidOutScene> scene);
    const std::shared_ptr<const LaidOutScene>& scene() const { return scene_; }
    void setLook(SceneLook look);
    const SceneLook& look() const { return look_; }

    double scale() const { return scale_; }
    QPointF toScene(const QPointF& viewportPoint) const;
    QPointF toViewport(const QPointF& scenePoint) const;
    /// What of the scene can be seen.
    QRectF visibleArea() const;

    /// Zooms so that `anchor` (in the viewport) stays where it is.
    void setScale(double scale, const QPointF& anchor);
    void zoomBy(double factor);
    void fit();
    /// Fits the width if the whole would be too small to read, from the top.
    void fitForReading();
    void fitTo(const QRectF& area);
    void centerOn(const QPointF& scenePoint);
    /// Moves as little as needed, without zooming.
    void reveal(const QRectF& area);
    /// Moves so that the scene point is at that place of the viewport.
    void moveTo(const QPointF& scenePoint, const QPointF& viewportPoint);

    /// Wheel zooms and Ctrl+wheel scrolls, instead of the other way round.
    void setWheelZooms(bool wheelZooms) { wheelZooms_ = wheelZooms; }

    QSize sizeHint() const override { return {800, 600}; }

Q_SIGNALS:
    void nodeClicked(int node, bool isAdding);
    void nodeOpened(int node);
    void edgeClicked(int edge);
    void groupClicked(int group);
    void groupOpened(int group);
    void groundClicked();
    void bandSelected(const std::vector<int>& nodes);
    void stepped(views::Step step);
    void enterPressed();
    void viewChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    enum class Drag : uint8_t { none, pressed, pan, band };

    void updateScrollBars();
    void setOffset(const QPointF& offset);
    void click(const QPointF& point, bool isAdding);
    void showTip(const QPoint& position, const QPoint& globalPosition);
    QString nodeTip(const SceneNode& node) const;
    QString edgeTip(const SceneEdge& edge) const;
    QString groupTip(const SceneGroup& group) const;
    double fittingScale(const QRectF& area) const;

    std::shared_ptr<const LaidOutScene> scene_;
    SceneLook look_;
    double scale_ = 1;
    bool wheelZooms_ = false;
    bool isFitPending_ = false;
    Drag drag_ = Drag::none;
    QPointF pressed_;
    QPointF last_;
    QPointF band_;
};

}  // namespace views
