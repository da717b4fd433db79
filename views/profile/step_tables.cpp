#include "views/profile/step_tables.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <QVBoxLayout>

#include "views/format.h"

namespace views {

namespace {

using Rows = std::shared_ptr<const engine::ProfileResult>;

/// A column of a figure that is unknown where negative.
Column figure(const QString& title, const QString& tip, Unit unit, std::function<double(int)> number,
              int width = 86) {
    return {.title = title,
            .tip = tip,
            .text =
                [unit, number](int row) {
                    const double value = number(row);
                    return value < 0 ? QString("n/a") : numberText(value, unit);
                },
            .number = number,
            .cellTip =
                [unit, number](int row) {
                    const double value = number(row);
                    return value < 0
                               ? QObject::tr("unknown: the operator does not say, or a size is not known")
                               : numberText(value, unit);
                },
            .width = width};
}

Column words(const QString& title, std::function<QString(int)> text, int width) {
    return {.title = title, .text = std::move(text), .width = width};
}

/// Time with spread, its share, and the spread: what both tables start their figures with.
std::vector<Column> timeColumns(const std::function<const engine::ProfileRow&(int)>& row) {
    return {{.title = QObject::tr("Time"),
             .tip = QObject::tr("median per run, all calls together, ± half the 95 % interval"),
             .text = [row](int index) { return estimateText(row(index).timeNs, Unit::nanoseconds); },
             .number = [row](int index) { return row(index).timeNs.median; },
             .cellTip = [row](int index) { return describe(row(index).timeNs, Unit::nanoseconds); },
             .width = 130},
            {.title = QObject::tr("Share"),
             .tip = QObject::tr("of the time of all steps; the rows of one level add up to 100 %"),
             .text = [row](int index) { return shareText(row(index).share); },
             .number = [row](int index) { return row(index).share; },
             .share = [row](int index) { return row(index).share; },
             .width = 74},
            {.title = QObject::tr("Calls"),
             .tip = QObject::tr("per run"),
             .text = [row](int index) { return numberText(row(index).calls, Unit::count); },
             .number = [row](int index) { return row(index).calls; },
             .width = 56}};
}

Column providerColumn(std::function<std::string(int)> provider) {
    return {.title = QObject::tr("Provider"),
            .text = [provider](int row) { return qstring(provider(row)); },
            .provider = provider,
            .width = 100};
}

void place(QWidget* panel, DataTable* table) {
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(table);
}

}  // namespace

StepTablePanel::StepTablePanel(QWidget* parent) : Panel(parent), table_(new DataTable(tr("Steps"), this)) {
    place(this, table_);
    table_->setEmptyText(tr("No model is open"));
    connect(table_, &DataTable::rowsChosen, this, &StepTablePanel::selectRows);
}

void StepTablePanel::setDocument(Document* document) {
    if (document_ != nullptr) {
        document_->disconnect(this);
        document_->selection()->disconnect(this);
    }
    document_ = document;
    if (document_ != nullptr) {
        for (const auto signal :
             {&Document::opened, &Document::placementChanged, &Document::profileChanged}) {
            connect(document_, signal, this, &StepTablePanel::refresh);
        }
        connect(document_->selection(), &Selection::changed, this, &StepTablePanel::followSelection);
    }
    refresh();
}

void StepTablePanel::refresh() {
    if (document_ == nullptr || !document_->session()) {
        table_->setContent(0, {});
    } else if (document_->profile()) {
        showProfile();
    } else {
        showPlacement();
    }
    followSelection();
}

void StepTablePanel::showPlacement() {
    const auto session = document_->session();
    const auto node = [session](int row) -> const engine::Placement& {
        return session->placement().nodes[static_cast<size_t>(row)];
    };
    table_->setContent(static_cast<int>(session->placement().nodes.size()),
                       {words(
                            tr("Name"), [node](int row) { return qstring(node(row).name); }, 260),
                        words(
                            tr("Operator"), [node](int row) { return qstring(node(row).operatorType); }, 170),
                        providerColumn([node](int row) { return node(row).provider; }),
                        words(
                            tr("Passed over"),
                            [node](int row) {
                                QStringList reasons;
                                for (const engine::Refusal& refusal : node(row).refusals) {
                                    reasons << qstring(refusal.provider) + ": " + qstring(refusal.reason);
                                }
                                return reasons.join("; ");
                            },
                            300)});
}

void StepTablePanel::showProfile() {
    const Rows profile = document_->profile();
    const auto row = [profile](int index) -> const engine::ProfileRow& {
        return profile->steps[static_cast<size_t>(index)];
    };
    std::vector<Column> columns{
        {.title = "#",
         .tip = tr("order of the steps"),
         .text = [](int index) { return QString::number(index); },
         .number = [](int index) { return index; },
         .width = 44},
        words(
            tr("Name"),
            [row](int index) {
                return (row(index).info.parent < 0 ? "" : "   ↳ ") + qstring(row(index).info.name);
            },
            220),
        words(
            tr("Operator"), [row](int index) { return qstring(row(index).info.operatorType); }, 150),
        providerColumn([row](int index) { return row(index).info.provider; })};
    for (Column& column : timeColumns(row)) columns.push_back(std::move(column));
    columns.push_back(figure(tr("Work"), tr("floating-point operations per run"), Unit::flops,
                             [row](int index) { return row(index).info.flops; }));
    columns.push_back(figure(
        tr("Speed"), tr("work over time"), Unit::flopsPerSecond,
        [row](int index) { return row(index).flopsPerSecond; }, 100));
    columns.push_back(figure(
        tr("Read"), tr("bytes of inputs, without constants"), Unit::bytes,
        [row](int index) { return row(index).info.bytesRead; }, 76));
    columns.push_back(figure(
        tr("Written"), tr("bytes of outputs"), Unit::bytes,
        [row](int index) { return row(index).info.bytesWritten; }, 76));
    columns.push_back(figure(
        tr("Constants"), tr("bytes of constant inputs"), Unit::bytes,
        [row](int index) { return row(index).info.parameterBytes; }, 84));
    columns.push_back(words(
        tr("Kernel"), [row](int index) { return qstring(row(index).info.kernel); }, 260));
    columns.push_back(words(
        tr("Result"),
        [row](int index) {
            QStringList types;
            for (const std::string& type : row(index).info.outputTypes) types << qstring(type);
            return types.join(", ");
        },
        200));
    const bool isFirst = table_->model()->columnCount() != static_cast<int>(columns.size());
    table_->setContent(static_cast<int>(profile->steps.size()), std::move(columns));
    if (isFirst) table_->sortBy(4, Qt::DescendingOrder);
}

std::vector<engine::OriginId> StepTablePanel::originsOf(int row) const {
    const auto index = static_cast<size_t>(row);
    if (document_->profile()) return document_->profile()->steps[index].info.origins;
    return document_->session()->placement().nodes[index].origins;
}

void StepTablePanel::selectRows(const std::vector<int>& rows) {
    std::vector<engine::OriginId> origins;
    for (const int row : rows) {
        const auto some = originsOf(row);
        origins.insert(origins.end(), some.begin(), some.end());
    }
    if (!origins.empty()) document_->selection()->select(std::move(origins));
}

void StepTablePanel::followSelection() {
    if (document_ == nullptr || !document_->session()) return;
    const auto& nodes = document_->selection()->nodes();
    const std::unordered_set<engine::OriginId> selected(nodes.begin(), nodes.end());
    std::vector<int> rows;
    const int count = table_->model()->rowCount();
    for (int row = 0; row < count; ++row) {
        const auto origins = originsOf(row);
        const bool isSelected = std::any_of(origins.begin(), origins.end(), [&](engine::OriginId origin) {
            return selected.count(origin) > 0;
        });
        if (isSelected) rows.push_back(row);
    }
    table_->showRows(rows);
}

TypeTablePanel::TypeTablePanel(QWidget* parent)
    : Panel(parent), table_(new DataTable(tr("Operator types"), this)) {
    place(this, table_);
    table_->setEmptyText(tr("Run the model to see the time per operator type  (Ctrl+R)"));
    connect(table_, &DataTable::rowsChosen, this, &TypeTablePanel::selectRows);
}

void TypeTablePanel::setDocument(Document* document) {
    if (document_ != nullptr) {
        document_->disconnect(this);
        document_->selection()->disconnect(this);
    }
    document_ = document;
    if (document_ != nullptr) {
        connect(document_->selection(), &Selection::changed, this, &TypeTablePanel::followSelection);
        connect(document_, &Document::opened, this, &TypeTablePanel::refresh);
        connect(document_, &Document::profileChanged, this, &TypeTablePanel::refresh);
    }
    refresh();
}

void TypeTablePanel::refresh() {
    if (document_ == nullptr || !document_->profile()) return table_->setContent(0, {});
    const Rows profile = document_->profile();
    const auto row = [profile](int index) -> const engine::ProfileRow& {
        return profile->types[static_cast<size_t>(index)];
    };
    std::vector<Column> columns{
        words(
            tr("Operator"), [row](int index) { return qstring(row(index).info.operatorType); }, 200),
        providerColumn([row](int index) { return row(index).info.provider; })};
    for (Column& column : timeColumns(row)) columns.push_back(std::move(column));
    columns.push_back({.title = tr("Steps"),
                       .text = [row](int index) { return QString::number(row(index).nodes); },
                       .number = [row](int index) { return static_cast<double>(row(index).nodes); },
                       .width = 60});
    columns.push_back(figure(tr("Work"), tr("floating-point operations per run"), Unit::flops,
                             [row](int index) { return row(index).info.flops; }));
    columns.push_back(figure(
        tr("Speed"), tr("work over time"), Unit::flopsPerSecond,
        [row](int index) { return row(index).flopsPerSecond; }, 100));
    columns.push_back(figure(
        tr("Traffic"), tr("bytes over time"), Unit::bytesPerSecond,
        [row](int index) { return row(index).bytesPerSecond; }, 100));
    const bool isFirst = table_->model()->columnCount() == 0;
    table_->setContent(static_cast<int>(profile->types.size()), std::move(columns));
    if (isFirst) table_->sortBy(2, Qt::DescendingOrder);
    followSelection();
}

void TypeTablePanel::followSelection() {
    if (document_ == nullptr || !document_->profile()) return;
    const auto& nodes = document_->selection()->nodes();
    const std::unordered_set<engine::OriginId> selected(nodes.begin(), nodes.end());
    std::set<std::pair<std::string, std::string>> types;
    for (const engine::ProfileRow& step : document_->profile()->steps) {
        const bool isSelected =
            std::any_of(step.info.origins.begin(), step.info.origins.end(),
                        [&](engine::OriginId origin) { return selected.count(origin) > 0; });
        if (isSelected) types.emplace(step.info.operatorType, step.info.provider);
    }
    std::vector<int> rows;
    for (size_t row = 0; row < document_->profile()->types.size(); ++row) {
        const engine::StepInfo& type = document_->profile()->types[row].info;
        if (types.count({type.operatorType, type.provider}) > 0) rows.push_back(static_cast<int>(row));
    }
    table_->showRows(rows);
}

void TypeTablePanel::selectRows(const std::vector<int>& rows) {
    std::vector<engine::OriginId> origins;
    for (const int row : rows) {
        const engine::StepInfo& type = document_->profile()->types[static_cast<size_t>(row)].info;
        for (const engine::ProfileRow& step : document_->profile()->steps) {
            if (step.info.operatorType != type.operatorType || step.info.provider != type.provider) continue;
            origins.insert(origins.end(), step.info.origins.begin(), step.info.origins.end());
        }
    }
    if (!origins.empty()) document_->selection()->select(std::move(origins));
}

}  // namespace views
