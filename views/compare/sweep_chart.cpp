#include "views/compare/sweep_chart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include "views/format.h"
#include "views/theme.h"

namespace views {

namespace {

QString namesOf(const std::vector<std::string>& providers) {
    QStringList names;
    for (const std::string& provider : providers) names << qstring(provider);
    return names.join("+");
}

/// What all cells but the dimension on the axis have apart: one line each.
struct LineKey {
    std::vector<std::string> providers;
    int threads = 1;
    std::map<std::string, int64_t> otherDims;
    friend auto operator<=>(const LineKey&, const LineKey&) = default;
};

}  // namespace

struct SweepChart::Line {
    QString name;
    std::string provider;
    int threads = 1;
    std::vector<std::pair<double, engine::Estimate>> points;  ///< place on the axis, latency
};

SweepChart::SweepChart(QWidget* parent) : QWidget(parent) {
    chart_ = new QChart;
    chart_->setMargins(QMargins(4, 4, 8, 4));
    chart_->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    chart_->setBackgroundRoundness(0);
    chart_->legend()->setAlignment(Qt::AlignTop);
    view_ = new QChartView(chart_, this);
    view_->setRenderHint(QPainter::Antialiasing);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAccessibleName(tr("Latency of the combinations"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    rebuild();
}

void SweepChart::setCells(std::vector<engine::SweepCell> cells) {
    cells_ = std::move(cells);
    rebuild();
}

void SweepChart::setLogarithmic(bool isLogarithmic) {
    isLogarithmic_ = isLogarithmic;
    rebuild();
}

/// The symbol with the most different sizes; empty if no dimension varies.
QString SweepChart::axisSymbol() const {
    std::map<std::string, std::set<int64_t>> sizes;
    for (const engine::SweepCell& cell : cells_) {
        for (const auto& [symbol, size] : cell.dims) sizes[symbol].insert(size);
    }
    QString best;
    size_t most = 1;
    for (const auto& [symbol, values] : sizes) {
        if (values.size() <= most) continue;
        most = values.size();
        best = qstring(symbol);
    }
    return best;
}

std::vector<SweepChart::Line> SweepChart::lines() const {
    const std::string symbol = axisSymbol().toStdString();
    std::map<LineKey, Line> byKey;
    for (const engine::SweepCell& cell : cells_) {
        if (!cell.latencyNs) continue;
        LineKey key{.providers = cell.providers, .threads = cell.threads, .otherDims = cell.dims};
        key.otherDims.erase(symbol);
        Line& line = byKey[key];
        line.name = namesOf(cell.providers) +
                    (cell.threads == 1 ? tr(", 1 thread") : tr(", %1 threads").arg(cell.threads));
        for (const auto& [other, size] : key.otherDims)
            line.name += QString(", %1=%2").arg(briefSymbol(qstring(other))).arg(size);
        line.provider = cell.providers.empty() ? std::string() : cell.providers.front();
        line.threads = cell.threads;
        const auto found = cell.dims.find(symbol);
        line.points.emplace_back(found == cell.dims.end() ? 1.0 : static_cast<double>(found->second),
                                 *cell.latencyNs);
    }
    std::vector<Line> result;
    for (auto& [key, line] : byKey) {
        std::sort(line.points.begin(), line.points.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        result.push_back(std::move(line));
    }
    return result;
}

void SweepChart::rebuild() {
    chart_->removeAllSeries();
    for (QAbstractAxis* axis : chart_->axes()) chart_->removeAxis(axis);
    const Colours& colours = coloursOf(this);
    chart_->setBackgroundBrush(colours.surface);
    chart_->legend()->setLabelColor(colours.text);
    const std::vector<Line> all = lines();
    if (all.empty()) return;
    double largest = 0;
    for (const Line& line : all) {
        for (const auto& point : line.points) largest = std::max(largest, point.second.median);
    }
    const double factor = largest >= 1e9 ? 1e-9 : largest >= 1e6 ? 1e-6 : 1e-3;
    const QString unit = largest >= 1e9 ? "s" : largest >= 1e6 ? "ms" : "µs";
    for (const Line& line : all) addLine(line, factor);
    addAxes(all, unit, factor);
}

void SweepChart::addLine(const Line& line, double factor) {
    const Colours& colours = coloursOf(this);
    const QColor colour = colours.provider(line.provider);
    auto* series = new QLineSeries(chart_);
    auto* marks = new QScatterSeries(chart_);
    marks->setName(line.name);
    QPen pen(colour, 2);
    if (line.threads > 1) pen.setDashPattern({static_cast<double>(std::min(12, 2 + line.threads)), 3});
    series->setPen(pen);
    marks->setMarkerSize(9);
    marks->setMarkerShape(line.threads == 1   ? QScatterSeries::MarkerShapeCircle
                          : line.threads == 2 ? QScatterSeries::MarkerShapeRectangle
                          : line.threads <= 4 ? QScatterSeries::MarkerShapeTriangle
                                              : QScatterSeries::MarkerShapeStar);
    marks->setColor(colour);
    marks->setBorderColor(colours.surface);
    for (const auto& [place, latency] : line.points) {
        series->append(place, latency.median * factor);
        marks->append(place, latency.median * factor);
        auto* whisker = new QLineSeries(chart_);
        whisker->setPen(QPen(colour, 1.5));
        whisker->append(place, std::max(latency.low, 1.0) * factor);
        whisker->append(place, std::max(latency.high, 1.0) * factor);
        chart_->addSeries(whisker);
        for (QLegendMarker* marker : chart_->legend()->markers(whisker)) marker->setVisible(false);
    }
    chart_->addSeries(series);
    chart_->addSeries(marks);
    for (QLegendMarker* marker : chart_->legend()->markers(series)) marker->setVisible(false);
}

void SweepChart::addAxes(const std::vector<Line>& all, const QString& unit, double factor) {
    const Colours& colours = coloursOf(this);
    double left = std::numeric_limits<double>::max();
    double right = 0;
    double low = std::numeric_limits<double>::max();
    double high = 0;
    for (const Line& line : all) {
        for (const auto& [place, latency] : line.points) {
            left = std::min(left, place);
            right = std::max(right, place);
            low = std::min(low, std::max(1.0, latency.low) * factor);
            high = std::max(high, latency.high * factor);
        }
    }
    const QString symbol = axisSymbol();
    QAbstractAxis* across = nullptr;
    if (!symbol.isEmpty() && right >= 4 * left) {
        auto* axis = new QLogValueAxis(chart_);
        axis->setBase(2);
        axis->setLabelFormat("%g");
        axis->setRange(left / 1.15, right * 1.15);
        across = axis;
    } else {
        auto* axis = new QValueAxis(chart_);
        axis->setLabelFormat("%g");
        axis->setRange(left - 0.5, right + 0.5);
        axis->setLabelsVisible(!symbol.isEmpty());
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickInterval(std::max(1.0, std::round((right - left) / 8)));
        across = axis;
    }
    across->setTitleText(symbol);
    QAbstractAxis* up = nullptr;
    if (isLogarithmic_ && high > 3 * low) {
        auto* axis = new QLogValueAxis(chart_);
        axis->setBase(10);
        axis->setMinorTickCount(8);
        axis->setLabelFormat("%g");
        axis->setRange(low / 1.3, high * 1.3);
        up = axis;
    } else {
        auto* axis = new QValueAxis(chart_);
        axis->setRange(0, high * 1.12);
        axis->applyNiceNumbers();
        axis->setLabelFormat("%g");
        up = axis;
    }
    up->setTitleText(tr("latency, %1 (median, 95 % interval)").arg(unit));
    for (QAbstractAxis* axis : {across, up}) {
        axis->setLabelsColor(colours.muted);
        axis->setTitleBrush(colours.muted);
        axis->setGridLineColor(Colours::mix(colours.surface, colours.border, 0.7));
        axis->setMinorGridLineColor(Colours::mix(colours.surface, colours.border, 0.3));
        axis->setLinePenColor(colours.border);
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
    }
    chart_->addAxis(across, Qt::AlignBottom);
    chart_->addAxis(up, Qt::AlignLeft);
    for (QAbstractSeries* series : chart_->series()) {
        series->attachAxis(across);
        series->attachAxis(up);
    }
}

void SweepChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) rebuild();
    QWidget::changeEvent(event);
}

}  // namespace views
