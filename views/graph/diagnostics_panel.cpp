#include "views/graph/diagnostics_panel.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

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

constexpr qsizetype longestText = 4000;  // whole, unless a name in it has no end

QString wholeText(const engine::Diagnostic& diagnostic) {
    QString text = qstring(diagnostic.place);
    if (!text.isEmpty()) text += ": ";
    text += qstring(diagnostic.message);
    if (diagnostic.byteOffset) text += QString(" (byte %1)").arg(*diagnostic.byteOffset);
    return clipped(text, longestText);
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
    RowCollector(const engine::Model& model, engine::Observer& observer)
        : model_(model), observer_(observer) {}

    void add(const engine::Diagnostic& diagnostic) {
        if (!known_.emplace(diagnostic.place, diagnostic.message).second) return;
        rows_.push_back({diagnostic, {}});
    }

    /// Finds the nodes that the rows so far speak of.
    void findOrigins() {
        std::multimap<std::string_view, size_t> rowsOf;
        for (size_t row = 0; row < rows_.size(); ++row) {
            if (!rows_[row].diagnostic.place.empty()) rowsOf.emplace(rows_[row].diagnostic.place, row);
        }
        if (rowsOf.empty()) return;
        for (size_t index = 0; index < model_.origins.size(); ++index) {
            observer_.checkpoint();
            const engine::OriginId origin(index);
            const auto [first, last] = rowsOf.equal_range(placeText(model_, origin));
            for (auto row = first; row != last; ++row) {
                if (rows_[row->second].origin.isValid()) continue;
                rows_[row->second].origin = origin;
                rowOf_.emplace(origin, row->second);
            }
        }
    }

    void addUnplaced(const engine::Placement& placement) {
        const engine::OriginId origin = placement.origins.front();
        const auto found = rowOf_.find(origin);
        if (found == rowOf_.end() && rowOf_.size() >= mostUnplaced) {
            ++untold_;
            return;
        }
        DiagnosticsModel::Row* row = found == rowOf_.end() ? nullptr : &rows_[found->second];
        std::string message = "no provider runs it";
        for (const engine::Refusal& refusal : placement.refusals) {
            const bool isTold =
                row != nullptr && row->diagnostic.message.find(refusal.reason) != std::string::npos;
            if (isTold) return fold(*row, "no provider runs it");
            message += "; " + refusal.provider + ": " + refusal.reason;
        }
        if (row != nullptr) return fold(*row, message);
        rowOf_.emplace(origin, rows_.size());
        rows_.push_back(
            {{.severity = Severity::error, .message = message, .place = placeText(model_, origin)}, origin});
    }

    std::vector<DiagnosticsModel::Row> take() {
        if (untold_ > 0) {
            rows_.push_back({{.severity = Severity::error,
                              .message = engine::text("no provider runs ", untold_, " more nodes")},
                             {}});
        }
        std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) {
            return a.diagnostic.severity > b.diagnostic.severity;
        });
        return std::move(rows_);
    }

private:
    static constexpr size_t mostUnplaced = 1000;  ///< nobody reads on, and each row takes its room

    static void fold(DiagnosticsModel::Row& row, const std::string& message) {
        row.diagnostic.severity = Severity::error;
        row.diagnostic.message += "; " + message;
    }

    const engine::Model& model_;
    engine::Observer& observer_;
    std::set<std::pair<std::string, std::string>> known_;  ///< place, message
    std::vector<DiagnosticsModel::Row> rows_;
    std::unordered_map<engine::OriginId, size_t> rowOf_;  ///< the first row of each
    size_t untold_ = 0;
};

/// What is known of a document at one moment.
struct Findings {
    std::shared_ptr<const engine::Model> model;
    std::shared_ptr<const engine::TypedGraph> types;  ///< may be null
    std::shared_ptr<const engine::Session> session;   ///< may be null
};

std::vector<DiagnosticsModel::Row> rowsOf(const Findings& findings, engine::Observer& observer) {
    RowCollector rows(*findings.model, observer);
    for (const engine::Diagnostic& diagnostic : findings.model->diagnostics) rows.add(diagnostic);
    if (findings.types != nullptr) {
        for (const engine::Diagnostic& diagnostic : findings.types->diagnostics) rows.add(diagnostic);
    }
    rows.findOrigins();
    if (findings.session != nullptr) {
        for (const engine::Placement& placement : findings.session->placement().nodes) {
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
    showRows({});
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
    if (document_ == nullptr || !document_->model()) {
        job_.drop();
        return showRows({});
    }
    auto work = [findings = Findings{document_->model(), document_->types(), document_->session()}](
                    engine::Observer& observer) { return rowsOf(findings, observer); };
    job_.start(startJob(std::move(work), promptPool()),
               {.done = [this](const std::vector<DiagnosticsModel::Row>& rows) { showRows(rows); }});
}

void DiagnosticsPanel::showRows(std::vector<DiagnosticsModel::Row> rows) {
    none_->setVisible(rows.empty());
    table_->setVisible(!rows.empty());
    model_->setRows(std::move(rows));
}

}  // namespace views
