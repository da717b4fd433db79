#include "views/compare/compare_view.h"

#include <algorithm>

#include <QSplitter>
#include <QThread>
#include <QVBoxLayout>

#include "views/compare/number_list.h"
#include "views/format.h"
#include "views/usual_sizes.h"

namespace views {

namespace {

constexpr int setupWidth = 260;

QString namesOf(const std::vector<std::string>& providers) {
    QStringList names;
    for (const std::string& provider : providers) names << qstring(provider);
    return names.join(" + ");
}

/// The fastest cell among those of the same dims: what others are compared with.
const engine::SweepCell* fastest(const std::vector<engine::SweepCell>& cells, const engine::Bindings& dims) {
    const engine::SweepCell* best = nullptr;
    for (const engine::SweepCell& cell : cells) {
        if (cell.dims != dims || !cell.latencyNs) continue;
        if (best == nullptr || cell.latencyNs->median < best->latencyNs->median) best = &cell;
    }
    return best;
}

std::vector<int> usualThreads() {
    const int most = std::max(1, QThread::idealThreadCount());
    return most == 1 ? std::vector{1} : std::vector{1, most};
}

}  // namespace

CompareView::CompareView(Document* document, QWidget* parent) : QWidget(parent), document_(document) {
    chart_ = new SweepChart(this);
    table_ = new DataTable(tr("Combinations"), this);
    table_->setEmptyText(tr("Nothing has been measured yet"));
    invitation_ = new QLabel(tr("Choose what to compare at the left, then press Compare"), this);
    invitation_->setAlignment(Qt::AlignCenter);
    invitation_->setForegroundRole(QPalette::PlaceholderText);
    error_ = new ErrorCard(this);
    auto* results = new QSplitter(Qt::Vertical, this);
    results->addWidget(chart_);
    results->addWidget(table_);
    results->setStretchFactor(0, 3);
    results->setStretchFactor(1, 2);
    results->setChildrenCollapsible(false);
    results->setSizes({580, 420});
    auto* holder = new QWidget(this);
    stack_ = new QStackedLayout(holder);
    stack_->addWidget(invitation_);
    stack_->addWidget(results);
    stack_->addWidget(error_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(buildSetup());
    row->addWidget(holder, 1);
    connect(error_, &ErrorCard::actionClicked, this, &CompareView::toggle);
    connect(document, &Document::opened, this, &CompareView::rebuild);
    connect(document, &Document::sweepChanged, this, &CompareView::refresh);
    connect(document, &Document::activityChanged, this, [this](Task task) {
        if (task == Task::sweep) refresh();
    });
    rebuild();
}

QWidget* CompareView::buildSetup() {
    auto* panel = new QWidget(this);
    panel->setFixedWidth(setupWidth);
    auto* column = new QVBoxLayout(panel);
    form_ = new QFormLayout;
    form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
    column->addLayout(form_);
    count_ = new QLabel(panel);
    count_->setWordWrap(true);
    count_->setForegroundRole(QPalette::PlaceholderText);
    column->addSpacing(6);
    column->addWidget(count_);
    start_ = new QPushButton(tr("Compare"), panel);
    start_->setDefault(true);
    connect(start_, &QPushButton::clicked, this, &CompareView::toggle);
    column->addWidget(start_);
    auto* logarithmic = new QCheckBox(tr("Logarithmic time"), panel);
    logarithmic->setChecked(true);
    connect(logarithmic, &QCheckBox::toggled, chart_, &SweepChart::setLogarithmic);
    column->addSpacing(10);
    column->addWidget(logarithmic);
    column->addStretch();
    return panel;
}

void CompareView::rebuild() {
    while (form_->rowCount() > 0) form_->removeRow(0);
    providers_.clear();
    dims_.clear();
    for (const engine::ProviderInfo& info : engine::availableProviders()) {
        auto* box = new QCheckBox(qstring(info.name), this);
        box->setEnabled(info.whyUnavailable.empty());
        box->setChecked(info.whyUnavailable.empty());
        box->setToolTip(qstring(info.whyUnavailable.empty() ? info.device : info.whyUnavailable));
        connect(box, &QCheckBox::toggled, this, &CompareView::check);
        form_->addRow(providers_.empty() ? tr("Providers") : QString(), box);
        providers_[info.name] = box;
    }
    const auto addLine = [&](const QString& label, const QString& text, const QString& tip) {
        auto* line = new QLineEdit(text, this);
        line->setToolTip(tip);
        line->setAccessibleName(label);
        connect(line, &QLineEdit::textChanged, this, &CompareView::check);
        form_->addRow(label, line);
        return line;
    };
    if (document_->model()) {
        const engine::Bindings usual = document_->sizes();
        for (const std::string& symbol : FormSymbols(*document_->model()).shown) {
            const auto bound = usual.find(symbol);
            const int64_t size = bound == usual.end() ? 1 : bound->second;
            // The first symbol is most often the batch.
            const std::vector<int64_t> sizes =
                dims_.empty() && size == 1 ? std::vector<int64_t>{1, 2, 4, 8} : std::vector<int64_t>{size};
            dims_[symbol] = addLine(briefSymbol(qstring(symbol)), numberListText(sizes),
                                    tr("Sizes of %1: numbers with commas, or 1-4").arg(qstring(symbol)));
        }
    }
    const std::vector<int> threads = usualThreads();
    threads_ = addLine(tr("Threads"), numberListText({threads.begin(), threads.end()}),
                       tr("Numbers of threads: numbers with commas, or 1-4"));
    check();
    refresh();
}

std::optional<engine::SweepOptions> CompareView::options() const {
    engine::SweepOptions options;
    options.providers.clear();
    for (const auto& [name, box] : providers_) {
        if (box->isChecked()) options.providers.push_back({name});
    }
    for (const auto& [symbol, line] : dims_) {
        const auto sizes = parseNumberList(line->text());
        if (!sizes) return std::nullopt;
        options.dims[symbol] = *sizes;
    }
    const auto threads = parseNumberList(threads_->text());
    if (!threads || options.providers.empty()) return std::nullopt;
    options.threads.assign(threads->begin(), threads->end());
    options.shapes = document_->settings().shapes;
    options.seed = document_->settings().seed;
    return options;
}

void CompareView::check() {
    const auto sweep = options();
    const bool isRunning = document_->activity(Task::sweep).isRunning;
    start_->setText(isRunning ? tr("■ Stop") : tr("Compare"));
    start_->setEnabled(isRunning || (sweep && document_->model()));
    if (!sweep)
        return count_->setText(
            tr("Sizes and threads are numbers from 1 on, as in 1, 2, 4; at least one provider is needed."));
    size_t cells = sweep->providers.size() * sweep->threads.size();
    for (const auto& [symbol, sizes] : sweep->dims) cells *= sizes.size();
    count_->setText(tr("%1 combinations, about %2 s. Measured in turn, so that drift falls on all alike.")
                        .arg(cells)
                        .arg(std::max(1.0, static_cast<double>(cells) * sweep->secondsPerCell), 0, 'f', 0));
}

void CompareView::toggle() {
    if (document_->activity(Task::sweep).isRunning) return document_->cancel(Task::sweep);
    if (const auto sweep = options()) document_->startSweep(*sweep);
}

void CompareView::refresh() {
    check();
    const Activity& activity = document_->activity(Task::sweep);
    if (activity.failure && !activity.isRunning) {
        error_->show(tr("The comparison did not run"), *activity.failure,
                     tr("Check sizes and providers at the left."), tr("Try again"));
        return stack_->setCurrentIndex(2);
    }
    const auto& cells = document_->sweepCells();
    const bool hasNone = !cells.empty() && std::none_of(cells.begin(), cells.end(), [](const auto& cell) {
        return cell.latencyNs.has_value();
    });
    if (hasNone && !activity.isRunning) {
        error_->show(tr("None of the combinations ran"), qstring(cells.front().problem),
                     tr("Check sizes and providers at the left."), tr("Try again"));
        return stack_->setCurrentIndex(2);
    }
    stack_->setCurrentIndex(cells.empty() ? 0 : 1);
    chart_->setCells(document_->sweepCells());
    fillTable();
}

void CompareView::fillTable() {
    const auto cells = std::make_shared<const std::vector<engine::SweepCell>>(document_->sweepCells());
    const auto cell = [cells](int row) -> const engine::SweepCell& {
        return (*cells)[static_cast<size_t>(row)];
    };
    std::vector<Column> columns{{.title = tr("Providers"),
                                 .text = [cell](int row) { return namesOf(cell(row).providers); },
                                 .provider =
                                     [cell](int row) {
                                         return cell(row).providers.empty() ? std::string()
                                                                            : cell(row).providers.front();
                                     },
                                 .width = 140}};
    for (const auto& [symbol, line] : dims_) {
        const auto size = [cell, name = symbol](int row) {
            const auto found = cell(row).dims.find(name);
            return found == cell(row).dims.end() ? 1.0 : static_cast<double>(found->second);
        };
        columns.push_back({.title = briefSymbol(qstring(symbol)),
                           .text = [size](int row) { return QString::number(size(row)); },
                           .number = size,
                           .width = 70});
    }
    columns.push_back({.title = tr("Threads"),
                       .text = [cell](int row) { return QString::number(cell(row).threads); },
                       .number = [cell](int row) { return cell(row).threads; },
                       .width = 70});
    const auto latency = [cell](int row) { return cell(row).latencyNs ? cell(row).latencyNs->median : -1.0; };
    columns.push_back({.title = tr("Latency"),
                       .tip = tr("median ± half the 95 % interval"),
                       .text =
                           [cell](int row) {
                               return cell(row).latencyNs
                                          ? estimateText(*cell(row).latencyNs, Unit::nanoseconds)
                                          : QString("n/a");
                           },
                       .number = latency,
                       .cellTip =
                           [cell](int row) {
                               return cell(row).latencyNs ? describe(*cell(row).latencyNs, Unit::nanoseconds)
                                                          : qstring(cell(row).problem);
                           },
                       .width = 140});
    const auto ratio = [cells, cell](int row) {
        const engine::SweepCell* best = fastest(*cells, cell(row).dims);
        return best == nullptr || !cell(row).latencyNs
                   ? -1.0
                   : cell(row).latencyNs->median / best->latencyNs->median;
    };
    columns.push_back({.title = tr("To the fastest"),
                       .tip = tr("latency over that of the fastest combination of the same sizes"),
                       .text =
                           [ratio](int row) {
                               return ratio(row) < 0 ? QString("n/a")
                                                     : QString::number(ratio(row), 'f',
                                                                       ratio(row) < 10    ? 2
                                                                       : ratio(row) < 100 ? 1
                                                                                          : 0) +
                                                           " ×";
                           },
                       .number = ratio,
                       .width = 110});
    columns.push_back(
        {.title = tr("Runs"),
         .text =
             [cell](int row) {
                 return cell(row).latencyNs ? QString::number(cell(row).latencyNs->count) : QString("0");
             },
         .number =
             [cell](int row) {
                 return cell(row).latencyNs ? static_cast<double>(cell(row).latencyNs->count) : 0.0;
             },
         .width = 60});
    columns.push_back({.title = tr("Intermediates"),
                       .tip = tr("bytes of the memory plan"),
                       .text =
                           [cell](int row) {
                               return cell(row).latencyNs
                                          ? numberText(static_cast<double>(cell(row).memory.slabBytes),
                                                       Unit::bytes)
                                          : QString("n/a");
                           },
                       .number = [cell](int row) { return static_cast<double>(cell(row).memory.slabBytes); },
                       .width = 110});
    const bool hasProblems =
        std::any_of(cells->begin(), cells->end(), [](const auto& some) { return !some.problem.empty(); });
    if (hasProblems) {
        columns.push_back({.title = tr("Problem"),
                           .text = [cell](int row) { return qstring(cell(row).problem); },
                           .width = 200});
    }
    table_->setContent(static_cast<int>(cells->size()), std::move(columns));
}

QLineEdit* CompareView::dimensionLine(const std::string& symbol) const {
    const auto found = dims_.find(symbol);
    return found == dims_.end() ? nullptr : found->second;
}

}  // namespace views
