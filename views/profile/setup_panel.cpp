#include "views/profile/setup_panel.h"

#include <algorithm>
#include <array>

#include <QFileDialog>
#include <QFileInfo>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QThread>
#include <QVBoxLayout>

#include "views/format.h"
#include "views/usual_sizes.h"

namespace views {

namespace {

constexpr Choice durations[] = {{0, "until it is sure"}, {1, "1 s"}, {5, "5 s"}, {20, "20 s"}, {60, "60 s"}};
constexpr Choice timeLimits[] = {{0, "none"}, {1, "1 s"}, {10, "10 s"}, {60, "60 s"}, {600, "10 min"}};
constexpr double gibibyte = 1 << 30;

constexpr auto memoryChoices(const char* unbound) {
    return std::to_array<Choice>({{0, unbound},
                                  {gibibyte, "1 GiB"},
                                  {4 * gibibyte, "4 GiB"},
                                  {16 * gibibyte, "16 GiB"},
                                  {64 * gibibyte, "64 GiB"}});
}
constexpr auto runMemoryLimits = memoryChoices("what the machine has");
constexpr auto nodeMemoryLimits = memoryChoices("none");
constexpr Choice elementLimits[] = {{0, "none"}, {1e6, "1 M"}, {1e8, "100 M"}, {1e9, "1 G"}};

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

}  // namespace

SetupPanel::SetupPanel(QWidget* parent) : Panel(parent) {
    content_ = new QWidget(this);
    form_ = new QFormLayout(content_);
    form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* area = new QScrollArea(this);
    area->setWidget(content_);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    run_ = new QPushButton(tr("▶ Run"), this);
    run_->setDefault(true);
    connect(run_, &QPushButton::clicked, this, [this] {
        if (document_ == nullptr) return;
        if (document_->activity(Task::profile).isRunning) {
            document_->cancel(Task::profile);
        } else {
            document_->startProfile();
        }
    });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 8);
    column->addWidget(area, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->addWidget(run_);
    column->addLayout(row);
    refresh();
}

void SetupPanel::setDocument(Document* document) {
    if (document_ != nullptr) document_->disconnect(this);
    document_ = document;
    if (document_ != nullptr) {
        connect(document_, &Document::opened, this, &SetupPanel::rebuild);
        connect(document_, &Document::settingsChanged, this, &SetupPanel::refresh);
        connect(document_, &Document::placementChanged, this, &SetupPanel::refresh);
        connect(document_, &Document::activityChanged, this, &SetupPanel::refresh);
    }
    rebuild();
}

void SetupPanel::change(const std::function<void(RunSettings&)>& edit) {
    RunSettings settings = document_->settings();
    edit(settings);
    document_->setSettings(settings);
}

void SetupPanel::rebuild() {
    while (form_->rowCount() > 0) form_->removeRow(0);
    symbols_.clear();
    files_.clear();
    threads_ = nullptr;
    choices_.clear();
    isBuilt_ = isVisible();  // making the rows takes long: only for somebody who sees them
    if (isBuilt_ && document_ != nullptr && document_->model()) {
        addSymbols();
        addInputs();
        form_->addRow(heading(tr("Measurement"), content_));
        threads_ = new QSpinBox(content_);
        threads_->setRange(1, std::max(1, QThread::idealThreadCount()));
        threads_->setKeyboardTracking(false);
        connect(threads_, &QSpinBox::valueChanged, this,
                [this](int count) { change([&](RunSettings& settings) { settings.threads = count; }); });
        form_->addRow(tr("Threads"), threads_);
        addChoice<double>(tr("Measure"), durations, [](RunSettings& to) -> double& { return to.seconds; });
        addLimits();
    }
    refresh();
}

void SetupPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    if (!isBuilt_) rebuild();
}

void SetupPanel::addSymbols() {
    const FormSymbols symbols(*document_->model());
    if (symbols.shown.empty()) return;
    form_->addRow(heading(tr("Sizes"), content_));
    for (const std::string& symbol : symbols.shown) {
        auto* box = new QSpinBox(content_);
        box->setRange(1, 1 << 20);
        box->setKeyboardTracking(false);
        box->setAccessibleName(qstring(symbol));
        connect(box, &QSpinBox::valueChanged, this, [this, symbol](int size) {
            change([&](RunSettings& settings) { settings.bindings[symbol] = size; });
        });
        auto* label = new QLabel(briefSymbol(qstring(symbol)), content_);
        label->setToolTip(qstring(symbol));
        form_->addRow(label, box);
        symbols_[symbol] = box;
    }
    addRest(symbols.rest);
}

void SetupPanel::addInputs() {
    form_->addRow(heading(tr("Inputs"), content_));
    const auto& inputs = document_->model()->graph->inputs;
    const size_t shown = std::min(inputs.size(), mostFormRows);
    for (const engine::ValueId id : std::span(inputs).first(shown)) {
        const engine::Value& value = document_->model()->graph->value(id);
        auto* label = new QLabel(qstring(value.name), content_);
        label->setToolTip(typeLabel(value.type));
        auto* file = new QPushButton(content_);
        file->setToolTip(tr("Values from a .npy, .npz or .pb file; otherwise random, the same every time"));
        connect(file, &QPushButton::clicked, this, [this, name = value.name] { chooseFile(name); });
        form_->addRow(label, file);
        files_[value.name] = file;
    }
    addRest(inputs.size() - shown);
}

void SetupPanel::addRest(size_t count) {
    if (count == 0) return;
    auto* label = new QLabel(tr("and %1 more, for opscope-cli to set").arg(count), content_);
    label->setForegroundRole(QPalette::PlaceholderText);
    form_->addRow(label);
}

template <class T>
void SetupPanel::addChoice(const QString& label, std::span<const Choice> choices,
                           const std::function<T&(RunSettings&)>& into) {
    auto* box = new QComboBox(content_);
    box->setAccessibleName(label);
    for (const Choice& choice : choices) box->addItem(tr(choice.text), choice.number);
    connect(box, &QComboBox::activated, this, [this, box, into] {
        change(
            [&](RunSettings& settings) { into(settings) = static_cast<T>(box->currentData().toDouble()); });
    });
    form_->addRow(label, box);
    choices_.push_back({box, [into](RunSettings settings) { return static_cast<double>(into(settings)); }});
}

void SetupPanel::addLimits() {
    form_->addRow(heading(tr("Limits"), content_));
    addChoice<double>(tr("Time of a run"), timeLimits,
                      [](RunSettings& to) -> double& { return to.limits.seconds; });
    addChoice<double>(tr("Time of a node"), timeLimits,
                      [](RunSettings& to) -> double& { return to.limits.nodeSeconds; });
    addChoice<size_t>(tr("Memory of a run"), runMemoryLimits,
                      [](RunSettings& to) -> size_t& { return to.limits.memoryBytes; });
    addChoice<size_t>(tr("Memory of a node"), nodeMemoryLimits,
                      [](RunSettings& to) -> size_t& { return to.limits.nodeMemoryBytes; });
    addChoice<int64_t>(tr("Elements of a tensor"), elementLimits,
                       [](RunSettings& to) -> int64_t& { return to.limits.elements; });
}

void SetupPanel::chooseFile(const std::string& input) {
    const QString path = QFileDialog::getOpenFileName(this, tr("Values for %1").arg(qstring(input)), {},
                                                      tr("Tensors (*.npy *.npz *.pb);;All files (*)"));
    change([&](RunSettings& settings) {
        if (path.isEmpty()) {
            settings.inputFiles.erase(input);
        } else {
            settings.inputFiles[input] = path;
        }
    });
}

void SetupPanel::refresh() {
    const bool isRunning = document_ != nullptr && document_->activity(Task::profile).isRunning;
    run_->setText(isRunning ? tr("■ Stop") : tr("▶ Run"));
    run_->setEnabled(isRunning || (document_ != nullptr && document_->session()));
    if (document_ == nullptr || threads_ == nullptr) return;
    const RunSettings& settings = document_->settings();
    const engine::Bindings sizes = document_->sizes();
    for (const auto& [symbol, box] : symbols_) {
        const QSignalBlocker blocker(box);
        const auto found = sizes.find(symbol);
        box->setValue(found == sizes.end() ? 1 : static_cast<int>(found->second));
    }
    for (const auto& [input, button] : files_) {
        const auto found = settings.inputFiles.find(input);
        button->setText(found == settings.inputFiles.end() ? tr("random")
                                                           : QFileInfo(found->second).fileName());
    }
    const QSignalBlocker blocker(threads_);
    threads_->setValue(settings.threads);
    for (const ChoiceBox& choice : choices_) {
        choice.box->setCurrentIndex(choice.box->findData(choice.shown(settings)));
    }
}

QSpinBox* SetupPanel::symbolBox(const std::string& symbol) const {
    const auto found = symbols_.find(symbol);
    return found == symbols_.end() ? nullptr : found->second;
}

}  // namespace views
