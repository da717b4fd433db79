#include "views/graph/diagnostics_panel.h"

#include <algorithm>
#include <map>
#include <set>

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

/// Names a node as the diagnostics of inference do, also one inside of bodies.
std::string placeText(const engine::Model& model, engine::OriginId origin) {
    const engine::OriginPlace& place = model.origins[origin.index];
    const std::string own = engine::describe(*place.graph, place.node);
    return place.parent.isValid() ? placeText(model, place.parent) + ", " + place.graphName + ": " + own
                                  : own;
}

/// The panel's rows: nothing twice, and all that keeps a node from running in one.
class RowCollector {
public:
    explicit RowCollector(const engine::Model& model) : model_(model) {
        for (size_t index = 0; index < model.origins.size(); ++index) {
            const engine::OriginId origin(index);
            originsOf_.emplace(placeText(model, origin), origin);
        }
    }

    void add(const engine::Diagnostic& diagnostic) {
        if (!known_.emplace(diagnostic.place, diagnostic.message).second) return;
        const auto found = originsOf_.find(diagnostic.place);
        rows_.push_back({diagnostic, found == originsOf_.end() ? engine::OriginId() : found->second});
    }

    void addUnplaced(const engine::Placement& placement) {
        const engine::OriginId origin = placement.origins.front();
        const auto row =
            std::find_if(rows_.begin(), rows_.end(), [&](const auto& each) { return each.origin == origin; });
        const bool isNew = row == rows_.end();
        std::string message = "no provider runs it";
        for (const engine::Refusal& refusal : placement.refusals) {
            const bool isTold = !isNew && row->diagnostic.message.find(refusal.reason) != std::string::npos;
            if (isTold) return fold(*row, "no provider runs it");
            message += "; " + refusal.provider + ": " + refusal.reason;
        }
        if (!isNew) return fold(*row, message);
        rows_.push_back(
            {{.severity = Severity::error, .message = message, .place = placeText(model_, origin)}, origin});
    }

    std::vector<DiagnosticsModel::Row> take() {
        std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) {
            return a.diagnostic.severity > b.diagnostic.severity;
        });
        return std::move(rows_);
    }

private:
    static void fold(DiagnosticsModel::Row& row, const std::string& message) {
        row.diagnostic.severity = Severity::error;
        row.diagnostic.message += "; " + message;
    }

    const engine::Model& model_;
    std::map<std::string, engine::OriginId> originsOf_;
    std::set<std::pair<std::string, std::string>> known_;  ///< place, message
    std::vector<DiagnosticsModel::Row> rows_;
};

std::vector<DiagnosticsModel::Row> rowsOf(const Document& document) {
    RowCollector rows(*document.model());
    for (const engine::Diagnostic& diagnostic : document.model()->diagnostics) rows.add(diagnostic);
    if (document.types()) {
        for (const engine::Diagnostic& diagnostic : document.types()->diagnostics) rows.add(diagnostic);
    }
    if (document.session()) {
        for (const engine::Placement& placement : document.session()->placement().nodes) {
            if (placement.provider.empty() && !placement.origins.empty()) rows.addUnplaced(placement);
        }
    }
    return rows.take();
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
    if (document_ != nullptr && document_->model()) rows = rowsOf(*document_);
    none_->setVisible(rows.empty());
    table_->setVisible(!rows.empty());
    model_->setRows(std::move(rows));
}

}  // namespace views
