#include "views/graph/diagnostics_panel.h"

#include <algorithm>
#include <map>

#include <QHeaderView>
#include <QVBoxLayout>

#include "views/format.h"
#include "views/theme.h"

namespace views {

namespace {

using Severity = engine::Diagnostic::Severity;

QString mark(Severity severity) {
    if (severity == Severity::error) return "✕";
    return severity == Severity::warning ? "!" : "i";
}

QString wholeText(const engine::Diagnostic& diagnostic) {
    QString text = qstring(diagnostic.place);
    if (!text.isEmpty()) text += ": ";
    text += qstring(diagnostic.message);
    if (diagnostic.byteOffset) text += QString(" (byte %1)").arg(*diagnostic.byteOffset);
    return text;
}

/// Places of diagnostics name nodes as engine::describe does.
std::map<std::string, engine::OriginId> placesOf(const engine::Model& model) {
    std::map<std::string, engine::OriginId> places;
    for (size_t index = 0; index < model.origins.size(); ++index) {
        const engine::OriginPlace& place = model.origins[index];
        places.emplace(engine::describe(*place.graph, place.node), engine::OriginId(index));
    }
    return places;
}

}  // namespace

void DiagnosticsModel::setRows(std::vector<Row> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const engine::Diagnostic& diagnostic = rows_[static_cast<size_t>(index.row())].diagnostic;
    if (role == Qt::DisplayRole)
        return index.column() == 0 ? mark(diagnostic.severity) : wholeText(diagnostic);
    if (role == Qt::ToolTipRole) return wholeText(diagnostic);
    if (role == Qt::TextAlignmentRole && index.column() == 0) return Qt::AlignCenter;
    return {};
}

DiagnosticsPanel::DiagnosticsPanel(QWidget* parent) : Panel(parent) {
    model_ = new DiagnosticsModel(this);
    table_ = new QTableView(this);
    table_->setModel(model_);
    table_->setFrameShape(QFrame::NoFrame);
    table_->horizontalHeader()->setVisible(false);
    table_->verticalHeader()->setVisible(false);
    table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table_->setColumnWidth(0, 24);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAccessibleName(tr("Diagnostics"));
    none_ = new QLabel(tr("Nothing to report"), this);
    none_->setMargin(10);
    none_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(none_, 0, Qt::AlignTop);
    column->addWidget(table_);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (!index.isValid() || document_ == nullptr) return;
                const engine::OriginId origin = model_->rows()[static_cast<size_t>(index.row())].origin;
                if (origin.isValid()) document_->selection()->select(origin);
            });
    refresh();
}

void DiagnosticsPanel::setDocument(Document* document) {
    if (document_ != nullptr) document_->disconnect(this);
    document_ = document;
    if (document_ != nullptr) {
        for (const auto signal : {&Document::opened, &Document::typesChanged, &Document::placementChanged}) {
            connect(document_, signal, this, &DiagnosticsPanel::refresh);
        }
    }
    refresh();
}

void DiagnosticsPanel::refresh() {
    std::vector<DiagnosticsModel::Row> rows;
    if (document_ != nullptr && document_->model()) {
        const engine::Model& model = *document_->model();
        const auto places = placesOf(model);
        const auto add = [&](const engine::Diagnostic& diagnostic) {
            const auto found = places.find(diagnostic.place);
            rows.push_back({diagnostic, found == places.end() ? engine::OriginId() : found->second});
        };
        for (const engine::Diagnostic& diagnostic : model.diagnostics) add(diagnostic);
        if (document_->types()) {
            for (const engine::Diagnostic& diagnostic : document_->types()->diagnostics) add(diagnostic);
        }
        if (document_->session()) {
            for (const engine::Placement& placement : document_->session()->placement().nodes) {
                if (!placement.provider.empty() || placement.origins.empty()) continue;
                engine::Diagnostic diagnostic{.severity = Severity::error, .message = "no provider runs it"};
                for (const engine::Refusal& refusal : placement.refusals) {
                    diagnostic.message += "; " + refusal.provider + ": " + refusal.reason;
                }
                diagnostic.place = "'" + placement.name + "' (" + placement.operatorType + ")";
                rows.push_back({diagnostic, placement.origins.front()});
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.diagnostic.severity > b.diagnostic.severity;
    });
    none_->setVisible(rows.empty());
    table_->setVisible(!rows.empty());
    model_->setRows(std::move(rows));
}

}  // namespace views
