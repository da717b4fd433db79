#pragma once

#include <vector>

#include <QWidget>

#include "engine/session.h"

class QChart;
class QChartView;

namespace views {

/// The cells of a sweep as lines over the dimension that varies (or as points over the cells), with their 95
/// % intervals. A line is one combination of providers and threads, in the provider's colour; dashed for more
/// threads.
class SweepChart : public QWidget {
    Q_OBJECT

public:
    explicit SweepChart(QWidget* parent = nullptr);
    void setCells(std::vector<engine::SweepCell> cells);
    /// Logarithmic time axis.
    void setLogarithmic(bool isLogarithmic);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Line;
    void rebuild();
    std::vector<Line> lines() const;
    void addLine(const Line& line, double factor);
    void addAxes(const std::vector<Line>& lines, const QString& unit, double factor);
    QString axisSymbol() const;

    std::vector<engine::SweepCell> cells_;
    bool isLogarithmic_ = true;
    QChart* chart_;
    QChartView* view_;
};

}  // namespace views
