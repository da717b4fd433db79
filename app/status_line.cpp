#include "app/status_line.h"

#include <algorithm>
#include <map>

#include <QLayout>
#include <QPainter>

#include "views/format.h"
#include "views/theme.h"

namespace app {

using views::Document;
using views::estimateText;
using views::numberText;
using views::qstring;
using views::shareText;
using views::Task;
using views::Unit;

namespace {

constexpr int barWidth = 110;
constexpr int gap = 8;

}  // namespace

ProviderShareBar::ProviderShareBar(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Shares by provider"));
}

void ProviderShareBar::setParts(std::vector<Part> parts, const QString& tip) {
    parts_ = std::move(parts);
    setToolTip(tip);
    setAccessibleDescription(text());
    setVisible(!parts_.empty());
    updateGeometry();
    update();
}

QString ProviderShareBar::text() const {
    QStringList words;
    for (const Part& part : parts_) {
        const QString name = part.provider.empty() ? tr("nobody") : qstring(part.provider);
        words << name + ' ' + shareText(part.share);
    }
    return words.join("   ");
}

QSize ProviderShareBar::sizeHint() const {
    return {barWidth + gap + fontMetrics().horizontalAdvance(text()) + 4, fontMetrics().height() + 4};
}

void ProviderShareBar::paintEvent(QPaintEvent*) {
    const views::Colours& colours = views::coloursOf(this);
    QPainter painter(this);
    double left = 0;
    const double top = height() / 2.0 - 5;
    for (const Part& part : parts_) {
        const double width = barWidth * part.share;
        painter.fillRect(QRectF(left, top, width, 10), colours.provider(part.provider));
        left += width;
    }
    painter.setPen(colours.text);
    painter.drawText(QRectF(barWidth + gap, 0, width() - barWidth - gap, height()), Qt::AlignVCenter, text());
}

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent) {
    setSizeGripEnabled(false);
    model_ = new QLabel(this);
    shares_ = new ProviderShareBar(this);
    latency_ = new QLabel(this);
    progress_ = new views::ProgressCard(this);
    progress_->layout()->setContentsMargins(4, 0, 4, 0);
    model_->setContentsMargins(6, 0, 6, 0);
    latency_->setContentsMargins(6, 0, 6, 0);
    addWidget(model_);
    addWidget(progress_, 1);
    addPermanentWidget(shares_);
    addPermanentWidget(latency_);
    connect(progress_, &views::ProgressCard::cancelled, this, [this] {
        if (document_ != nullptr) document_->cancel(shownTask_);
    });
    refresh();
}

void StatusLine::setDocument(Document* document) {
    if (document_ != nullptr) document_->disconnect(this);
    document_ = document;
    progress_->end();
    if (document_ != nullptr) {
        for (const auto signal : {&Document::opened, &Document::typesChanged, &Document::placementChanged,
                                  &Document::profileChanged, &Document::settingsChanged}) {
            connect(document_, signal, this, &StatusLine::refresh);
        }
        connect(document_, &Document::activityChanged, this, &StatusLine::showActivity);
        connect(document_, &QObject::destroyed, this, [this] {
            document_ = nullptr;
            refresh();
        });
        for (size_t task = 0; task < views::taskCount; ++task) showActivity(static_cast<Task>(task));
    }
    refresh();
}

void StatusLine::showActivity(Task task) {
    const views::Activity& activity = document_->activity(task);
    if (activity.isRunning) {
        if (!progress_->isActive()) progress_->begin(activity.what);
        shownTask_ = task;
        progress_->report(activity.fraction, activity.what);
    } else if (task == shownTask_) {
        progress_->end();
    }
}

QString StatusLine::modelText() const {
    if (document_ == nullptr) return tr("No model is open");
    const auto& model = document_->model();
    if (!model) return document_->title();
    QStringList parts{document_->title()};
    for (const engine::OpsetImport& opset : model->opsets) {
        if (!opset.domain.empty() && opset.domain != "ai.onnx") continue;
        parts << tr("opset %1").arg(opset.version);
        break;
    }
    QString nodes = tr("%1 nodes").arg(model->origins.size());
    if (document_->session()) nodes += tr(" → %1 to run").arg(document_->session()->placement().nodes.size());
    parts << nodes;
    if (document_->summary()) {
        parts << numberText(static_cast<double>(document_->summary()->parameters), Unit::count) +
                     tr(" params");
    }
    QStringList bound;
    for (const auto& [symbol, value] : document_->settings().bindings) {
        bound << qstring(symbol) + '=' + QString::number(value);
    }
    if (!bound.isEmpty()) parts << bound.join(' ');
    return views::clipped(parts.join(" · "));
}

// By time once that is measured, by count before.
void StatusLine::fillShares() {
    std::vector<ProviderShareBar::Part> parts;
    if (document_ == nullptr || !document_->placement()) return shares_->setParts({}, {});
    if (document_->profile()) {
        // A step that holds a body answers for what its own steps leave.
        std::map<std::string, double> sums;
        const std::vector<engine::ProfileRow>& steps = document_->profile()->steps;
        for (const engine::ProfileRow& row : steps) {
            sums[row.info.provider] += row.share;
            if (row.info.parent >= 0)
                sums[steps[static_cast<size_t>(row.info.parent)].info.provider] -= row.share;
        }
        for (auto& [provider, share] : sums) share = std::clamp(share, 0.0, 1.0);
        for (const auto& [provider, share] : sums) parts.push_back({provider, share});
    } else {
        const double all =
            std::max<double>(1, static_cast<double>(document_->session()->placement().nodes.size()));
        for (const auto& share : document_->placement()->shares()) {
            parts.push_back({share.provider, static_cast<double>(share.nodes) / all});
        }
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.share > b.share; });
    shares_->setParts(std::move(parts), document_->profile()
                                            ? tr("share of the measured time in steps, by provider")
                                            : tr("share of the nodes that run, by provider"));
}

void StatusLine::refresh() {
    model_->setText(modelText());
    fillShares();
    latency_->clear();
    if (document_ == nullptr || !document_->profile()) return;
    const engine::Estimate& latency = document_->profile()->latencyNs;
    latency_->setText(estimateText(latency, Unit::nanoseconds) +
                      QString(" (p50, L2, n %1)").arg(latency.count));
    latency_->setToolTip(tr("One run, from call to results in host memory: %1")
                             .arg(views::describe(latency, Unit::nanoseconds)));
}

}  // namespace app
