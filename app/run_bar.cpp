#include "app/run_bar.h"

#include <algorithm>

#include <QActionGroup>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QSpinBox>
#include <QThread>
#include <QWidgetAction>

#include "views/format.h"
#include "views/usual_sizes.h"

namespace app {

using views::Document;
using views::qstring;
using views::RunSettings;
using views::Task;

namespace {

constexpr qsizetype longestSizes = 26;

QToolButton* menuButton(QWidget* parent, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setMenu(new QMenu(button));
    return button;
}

QString withArrow(const QString& text) { return text + " ▾"; }

}  // namespace

RunBar::RunBar(QWidget* parent) : QWidget(parent) {
    run_ = new QToolButton(this);
    run_->setToolTip(tr("Measure the model (Ctrl+R)"));
    connect(run_, &QToolButton::clicked, this, &RunBar::toggleRun);
    providers_ = menuButton(this, tr("Providers, in the order in which they are asked"));
    symbols_ = menuButton(this, tr("Sizes of the symbolic dimensions"));
    threads_ = menuButton(this, tr("Threads"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    for (QToolButton* button : {run_, providers_, symbols_, threads_}) row->addWidget(button);
    connect(providers_->menu(), &QMenu::aboutToShow, this, &RunBar::fillProviders);
    connect(symbols_->menu(), &QMenu::aboutToShow, this, &RunBar::fillSymbols);
    connect(threads_->menu(), &QMenu::aboutToShow, this, &RunBar::fillThreads);
    refresh();
}

void RunBar::setDocument(Document* document) {
    if (document_ != nullptr) document_->disconnect(this);
    document_ = document;
    if (document_ != nullptr) {
        connect(document_, &Document::opened, this, &RunBar::refresh);
        connect(document_, &Document::settingsChanged, this, &RunBar::refresh);
        connect(document_, &Document::placementChanged, this, &RunBar::refresh);
        connect(document_, &Document::activityChanged, this, &RunBar::refresh);
        connect(document_, &QObject::destroyed, this, [this] { document_ = nullptr; });
    }
    refresh();
}

void RunBar::toggleRun() {
    if (document_ == nullptr) return;
    if (document_->activity(Task::profile).isRunning) {
        document_->cancel(Task::profile);
    } else {
        document_->startProfile();
    }
}

void RunBar::refresh() {
    const bool isReady = document_ != nullptr && document_->session() != nullptr;
    const bool isRunning = document_ != nullptr && document_->activity(Task::profile).isRunning;
    run_->setText(isRunning ? tr("■ Stop") : tr("▶ Run"));
    run_->setEnabled(isReady || isRunning);
    const RunSettings settings = document_ == nullptr ? RunSettings{} : document_->settings();
    QStringList names;
    for (const std::string& name : settings.providers) names << qstring(name);
    providers_->setText(withArrow(names.join(", ")));
    QStringList bound;
    if (document_ != nullptr && document_->model()) {
        const engine::Bindings sizes = document_->sizes();
        for (const std::string& symbol : views::FormSymbols(*document_->model()).shown) {
            const auto found = sizes.find(symbol);
            bound << views::briefSymbol(qstring(symbol)) + "=" +
                         QString::number(found == sizes.end() ? 1 : found->second);
        }
    }
    symbols_->setVisible(!bound.isEmpty());
    const QString all = bound.join(", ");
    symbols_->setText(withArrow(all.size() > longestSizes ? all.left(longestSizes - 1) + "…" : all));
    threads_->setText(
        withArrow(settings.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(settings.threads)));
    for (QToolButton* button : {providers_, symbols_, threads_}) button->setEnabled(document_ != nullptr);
}

void RunBar::fillProviders() {
    QMenu* menu = providers_->menu();
    menu->clear();
    menu->setToolTipsVisible(true);
    for (const engine::ProviderInfo& info : engine::availableProviders()) {
        QAction* action =
            menu->addAction(qstring(info.name) + (info.device.empty() ? "" : "    " + qstring(info.device)));
        action->setCheckable(true);
        const auto& chosen = document_->settings().providers;
        action->setChecked(std::find(chosen.begin(), chosen.end(), info.name) != chosen.end());
        action->setEnabled(info.whyUnavailable.empty());
        action->setToolTip(qstring(info.whyUnavailable.empty() ? info.device : info.whyUnavailable));
        connect(action, &QAction::toggled, this,
                [this, name = info.name](bool isOn) { setProviders(name, isOn); });
    }
}

void RunBar::setProviders(const std::string& name, bool isOn) {
    RunSettings settings = document_->settings();
    auto& chosen = settings.providers;
    chosen.erase(std::remove(chosen.begin(), chosen.end(), name), chosen.end());
    if (isOn) {
        // The reference takes everything, so it is asked last.
        const auto reference = std::find(chosen.begin(), chosen.end(), "reference");
        chosen.insert(name == "reference" ? chosen.end() : reference, name);
    }
    if (chosen.empty()) chosen = {"reference"};
    document_->setSettings(settings);
}

void RunBar::fillSymbols() {
    QMenu* menu = symbols_->menu();
    menu->clear();
    auto* form = new QWidget(menu);
    auto* layout = new QFormLayout(form);
    const engine::Bindings sizes = document_->sizes();
    for (const std::string& symbol : views::FormSymbols(*document_->model()).shown) {
        auto* box = new QSpinBox(form);
        box->setRange(1, 1 << 20);
        box->setKeyboardTracking(false);
        const auto found = sizes.find(symbol);
        box->setValue(found == sizes.end() ? 1 : static_cast<int>(found->second));
        box->setAccessibleName(qstring(symbol));
        connect(box, &QSpinBox::valueChanged, this, [this, symbol](int value) {
            RunSettings settings = document_->settings();
            settings.bindings[symbol] = value;
            document_->setSettings(settings);
        });
        layout->addRow(qstring(symbol), box);
    }
    auto* action = new QWidgetAction(menu);
    action->setDefaultWidget(form);
    menu->addAction(action);
}

void RunBar::fillThreads() {
    QMenu* menu = threads_->menu();
    menu->clear();
    auto* group = new QActionGroup(menu);
    const int most = std::max(1, QThread::idealThreadCount());
    for (int count = 1; count <= most; count = count < most ? std::min(2 * count, most) : most + 1) {
        QAction* action = menu->addAction(count == 1 ? tr("1 thread") : tr("%1 threads").arg(count));
        action->setCheckable(true);
        action->setChecked(document_->settings().threads == count);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, count] {
            RunSettings settings = document_->settings();
            settings.threads = count;
            document_->setSettings(settings);
        });
    }
}

}  // namespace app
