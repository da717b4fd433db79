#include "views/profile/profile_view.h"

#include <QVBoxLayout>

#include "views/format.h"

namespace views {

ProfileView::ProfileView(Document* document, QWidget* parent) : QWidget(parent), document_(document) {
    latency_ = new QLabel(this);
    QFont font = latency_->font();
    font.setPointSizeF(font.pointSizeF() * 2.2);
    font.setWeight(QFont::DemiBold);
    latency_->setFont(font);
    certainty_ = new QLabel(this);
    details_ = new QLabel(this);
    details_->setForegroundRole(QPalette::PlaceholderText);
    details_->setWordWrap(true);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    invitation_ =
        new QLabel(tr("Run the model to see how long it takes and where the time goes  (Ctrl+R)"), this);
    invitation_->setAlignment(Qt::AlignCenter);
    invitation_->setForegroundRole(QPalette::PlaceholderText);
    chart_ = new LatencyChart(this);
    chart_->setDocument(document);
    error_ = new ErrorCard(this);

    auto* result = new QWidget(this);
    auto* head = new QHBoxLayout;
    head->addWidget(latency_);
    head->addSpacing(10);
    head->addWidget(certainty_, 1, Qt::AlignBottom);
    auto* column = new QVBoxLayout(result);
    column->setContentsMargins(16, 10, 10, 6);
    column->addLayout(head);
    column->addWidget(details_);
    column->addWidget(chart_, 1);
    stack_ = new QStackedLayout(this);
    stack_->addWidget(invitation_);
    stack_->addWidget(result);
    stack_->addWidget(error_);
    connect(error_, &ErrorCard::actionClicked, document, &Document::startProfile);
    connect(document, &Document::opened, this, &ProfileView::refresh);
    connect(document, &Document::latenciesArrived, this, &ProfileView::refresh);
    connect(document, &Document::profileChanged, this, &ProfileView::refresh);
    connect(document, &Document::activityChanged, this, [this](Task task) {
        if (task == Task::profile) refresh();
    });
    refresh();
}

void ProfileView::refresh() {
    const Activity& activity = document_->activity(Task::profile);
    if (activity.failure && !activity.isRunning) {
        error_->show(tr("The model did not run"), *activity.failure,
                     tr("Check the inputs and sizes at the left, or choose other providers."),
                     tr("Try again"));
        stack_->setCurrentIndex(2);
        return;
    }
    if (!activity.isRunning && document_->latenciesNs().empty()) return stack_->setCurrentIndex(0);
    stack_->setCurrentIndex(1);
    if (document_->profile() && !activity.isRunning) {
        showResult(*document_->profile());
    } else {
        showLive();
    }
}

void ProfileView::showLive() {
    const std::vector<double>& samples = document_->latenciesNs();
    const Activity& activity = document_->activity(Task::profile);
    details_->setText(activity.isRunning ? activity.what : tr("stopped before the end"));
    if (samples.empty()) {
        latency_->setText("…");
        return certainty_->clear();
    }
    const engine::Estimate soFar = engine::estimate(samples);
    latency_->setText(estimateText(soFar, Unit::nanoseconds));
    certainty_->setText(tr("median so far of %1 runs").arg(soFar.count));
}

void ProfileView::showResult(const engine::ProfileResult& profile) {
    const engine::Estimate& latency = profile.latencyNs;
    latency_->setText(estimateText(latency, Unit::nanoseconds));
    latency_->setToolTip(describe(latency, Unit::nanoseconds));
    QString certainty = tr("median ± half the 95 % interval, n = %1").arg(latency.count);
    if (const auto slow = engine::boundedQuantile(profile.latenciesNs, 0.99)) {
        certainty += tr("   p99 %1").arg(numberText(*slow, Unit::nanoseconds));
    }
    if (latency.isUnstable) certainty += tr("   unstable");
    certainty_->setText(certainty);
    certainty_->setToolTip(
        latency.isUnstable
            ? tr("Runs that follow each other resemble each other, so the interval is too narrow.")
            : QString());
    const auto time = [](int64_t ns) { return numberText(static_cast<double>(ns), Unit::nanoseconds); };
    QStringList lines;
    lines << tr("Cold: open %1, optimise %2, compile %3, first run %4")
                 .arg(time(profile.cold.openNs), time(profile.cold.optimizeNs), time(profile.cold.compileNs),
                      time(profile.cold.firstRunNs));
    const auto bytes = [](size_t count) { return numberText(static_cast<double>(count), Unit::bytes); };
    lines << tr("Memory: intermediates %1 (no plan can do with less than %2), packed constants %3")
                 .arg(bytes(profile.memory.slabBytes), bytes(profile.memory.lowerBoundBytes),
                      bytes(profile.memory.packedBytes));
    lines << tr("Outside of steps: %1 of the time. Tracing costs %2. Stopped: %3.")
                 .arg(shareText(profile.unattributedShare),
                      shareText(std::max(0.0, profile.tracedToUntraced - 1)), qstring(profile.stopReason));
    lines << tr("Machine: %1").arg(qstring(profile.environment));
    details_->setText(lines.join('\n'));
}

}  // namespace views
