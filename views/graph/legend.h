#pragma once

#include <vector>

#include <QStringList>
#include <QWidget>

#include "views/graph/scene_look.h"
#include "views/theme.h"

namespace views {

class Canvas;
struct Scene;

/// What the colours on the canvas mean. Lies over the canvas, at its lower left.
class Legend : public QWidget {
    Q_OBJECT

public:
    explicit Legend(Canvas* canvas);

    /// Shows what the look uses on this scene.
    void refresh();

    /// What it says, a line each.
    QStringList texts() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        QString text;
        QString letter = {};  ///< in the chip; empty: a plain chip
        std::string provider = {};
        Family family = Family::unknown;
        bool isCopy = false;
        bool isRemoved = false;
    };
    std::vector<Row> rows(const Scene& scene) const;
    void paintRow(QPainter& painter, const Row& row, const QRectF& place, const Colours& colours) const;
    void paintRamp(QPainter& painter, const Colours& colours) const;
    void arrange();

    Canvas* canvas_;
    std::vector<Row> rows_;
    ColourBy colourBy_ = ColourBy::provider;
    QString title_;
    QString highest_;
};

}  // namespace views
