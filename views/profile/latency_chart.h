#pragma once

#include <QTimer>
#include <QWidget>

#include "engine/profile/statistics.h"
#include "views/document.h"

class QChart;
class QChartView;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace views {

/// The latencies of the profile that runs or ran last, one point a run, with the median and its interval.
/// Follows at ten frames a second; of very many runs it shows a thinned picture that keeps extremes.
class LatencyChart : public QWidget {
    Q_OBJECT

public:
    explicit LatencyChart(QWidget* parent = nullptr);
    void setDocument(Document* document);
    /// How many points are drawn now.
    int pointCount() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void redraw();
    void paintTheme();
    void drawInterval(const engine::Estimate& latency, double factor, int runs);

    Document* document_ = nullptr;
    QTimer redraw_;
    QChart* chart_;
    QChartView* view_;
    QScatterSeries* points_;
    QLineSeries* median_;
    QLineSeries* low_;
    QLineSeries* high_;
    QValueAxis* runs_;
    QValueAxis* time_;
};

/// At most about `most` of the samples: of each stretch its smallest and largest, in order. (index, value)
/// pairs.
QList<QPointF> thinned(const std::vector<double>& samples, size_t most, double factor);

}  // namespace views
