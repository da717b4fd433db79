#include "views/profile/latency_chart.h"

#include <algorithm>
#include <cmath>

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QLineSeries>
#include <QScatterSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include "views/format.h"
#include "views/theme.h"

namespace views {

namespace {

constexpr size_t mostPoints = 1500;
constexpr int redrawMs = 100;
constexpr int mostTicks = 7;
constexpr size_t fewRuns = 200;

struct TimeUnit {
    double factor;
    const char* name;
};

TimeUnit unitFor(double ns) {
    if (ns >= 1e9) return {1e-9, "s"};
    if (ns >= 1e6) return {1e-6, "ms"};
    if (ns >= 1e3) return {1e-3, "µs"};
    return {1, "ns"};
}

/// The axis makes an item of each tick at every change: never with a fine step over a wide range.
void setTicks(QValueAxis* axis, double low, double high, double step) {
    if (step > axis->tickInterval()) axis->setTickInterval(step);
    axis->setRange(low, high);
    axis->setTickInterval(step);
}

}  // namespace

QList<QPointF> thinned(const std::vector<double>& samples, size_t most, double factor) {
    QList<QPointF> points;
    const size_t stretch = samples.size() <= most ? 1 : (2 * samples.size() + most - 1) / most;
    for (size_t start = 0; start < samples.size(); start += stretch) {
        const size_t end = std::min(samples.size(), start + stretch);
        const auto begin = samples.begin();
        const auto [low, high] = std::minmax_element(begin + static_cast<std::ptrdiff_t>(start),
                                                     begin + static_cast<std::ptrdiff_t>(end));
        const auto point = [&](auto place) {
            return QPointF(static_cast<double>(place - begin), *place * factor);
        };
        points << point(std::min(low, high));
        if (low != high) points << point(std::max(low, high));
    }
    return points;
}

LatencyChart::LatencyChart(QWidget* parent) : QWidget(parent) {
    chart_ = new QChart;
    points_ = new QScatterSeries(chart_);
    median_ = new QLineSeries(chart_);
    low_ = new QLineSeries(chart_);
    high_ = new QLineSeries(chart_);
    runs_ = new QValueAxis(chart_);
    time_ = new QValueAxis(chart_);
    runs_->setLabelFormat("%d");
    for (QValueAxis* axis : {runs_, time_}) axis->setTickType(QValueAxis::TicksDynamic);
    runs_->setTitleText(tr("run"));
    chart_->addAxis(runs_, Qt::AlignBottom);
    chart_->addAxis(time_, Qt::AlignLeft);
    for (QXYSeries* series : {static_cast<QXYSeries*>(points_), static_cast<QXYSeries*>(low_),
                              static_cast<QXYSeries*>(high_), static_cast<QXYSeries*>(median_)}) {
        chart_->addSeries(series);
        series->attachAxis(runs_);
        series->attachAxis(time_);
    }
    chart_->legend()->setVisible(false);
    chart_->setMargins(QMargins(4, 4, 8, 4));
    chart_->setBackgroundRoundness(0);
    view_ = new QChartView(chart_, this);
    view_->setRenderHint(QPainter::Antialiasing);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAccessibleName(tr("Latency of each run"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    redraw_.setSingleShot(true);
    redraw_.setInterval(redrawMs);
    connect(&redraw_, &QTimer::timeout, this, &LatencyChart::redraw);
    paintTheme();
}

void LatencyChart::setDocument(Document* document) {
    if (document_ != nullptr) document_->disconnect(this);
    document_ = document;
    if (document_ != nullptr) {
        connect(document_, &Document::latenciesArrived, this, [this] {
            if (!redraw_.isActive()) redraw_.start();
        });
        connect(document_, &Document::profileChanged, this, &LatencyChart::redraw);
        connect(document_, &Document::opened, this, &LatencyChart::redraw);
    }
    redraw();
}

int LatencyChart::pointCount() const { return points_->count(); }

void LatencyChart::redraw() {
    const std::vector<double> none;
    const std::vector<double>& samples = document_ == nullptr ? none : document_->latenciesNs();
    if (samples.empty()) {
        points_->clear();
        for (QLineSeries* series : {median_, low_, high_}) series->clear();
        return;
    }
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    const TimeUnit unit = unitFor(sorted[sorted.size() / 2]);
    points_->setMarkerSize(samples.size() < fewRuns ? 8 : 4.5);
    points_->replace(thinned(samples, mostPoints, unit.factor));
    const auto runs = static_cast<int>(samples.size());
    // A few slow runs must not press all others against the axis; what is above is counted in the title.
    const double usual = std::max(sorted[sorted.size() * 95 / 100] * 1.25, sorted[sorted.size() / 2] * 1.3);
    const double highest = std::min(sorted.back(), usual) * unit.factor;
    const double lowest = sorted.front() * unit.factor;
    const double step = tickStep(std::max(highest - lowest, highest * 0.01), mostTicks);
    const double bottom = std::floor(lowest / step) * step;
    const double top = std::max(bottom + step, std::ceil(highest / step) * step);
    const auto beyond =
        sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), top / unit.factor * (1 + 1e-9));
    setTicks(time_, bottom, top, step);
    time_->setLabelFormat(QString("%.%1f").arg(digitsFor(step)));
    time_->setTitleText(beyond > 0 ? tr("latency, %1 (%2 runs above)").arg(unit.name).arg(beyond)
                                   : tr("latency, %1").arg(unit.name));
    setTicks(runs_, 0, std::max(1, runs - 1), std::max(1.0, tickStep(runs, mostTicks)));
    const bool isDone = document_->profile() && !document_->activity(Task::profile).isRunning;
    drawInterval(isDone ? document_->profile()->latencyNs : engine::estimate(samples), unit.factor, runs);
}

void LatencyChart::drawInterval(const engine::Estimate& latency, double factor, int runs) {
    const auto across = [&](QLineSeries* series, double ns) {
        series->replace(
            QList<QPointF>{{0, ns * factor}, {static_cast<double>(std::max(1, runs - 1)), ns * factor}});
    };
    across(median_, latency.median);
    across(low_, latency.low);
    across(high_, latency.high);
}

void LatencyChart::paintTheme() {
    const Colours& colours = coloursOf(this);
    chart_->setBackgroundBrush(colours.surface);
    QColor point = colours.accent;
    point.setAlphaF(0.55F);
    points_->setColor(point);
    points_->setBorderColor(Qt::transparent);
    median_->setPen(QPen(colours.text, 1.5));
    for (QLineSeries* series : {low_, high_}) series->setPen(QPen(colours.muted, 1, Qt::DashLine));
    for (QValueAxis* axis : {runs_, time_}) {
        axis->setLabelsColor(colours.muted);
        axis->setTitleBrush(colours.muted);
        axis->setGridLineColor(Colours::mix(colours.surface, colours.border, 0.6));
        axis->setLinePenColor(colours.border);
        QFont font = this->font();
        axis->setLabelsFont(font);
        axis->setTitleFont(font);
    }
}

void LatencyChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) paintTheme();
    QWidget::changeEvent(event);
}

}  // namespace views
