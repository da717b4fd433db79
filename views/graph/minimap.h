#pragma once

#include <QPixmap>
#include <QWidget>

namespace views {

class Canvas;

/// The whole scene, small, with the canvas's view on it. Click or drag moves the view.
class Minimap : public QWidget {
    Q_OBJECT

public:
    /// Lies over the canvas, at its lower right.
    explicit Minimap(Canvas* canvas);

    /// Paints the picture anew: after another scene or another look.
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    double scale() const;
    QPointF corner() const;
    void moveView(const QPointF& point);

    Canvas* canvas_;
    QPixmap picture_;
};

}  // namespace views
