#pragma once

#include <QAbstractTableModel>
#include <QLabel>
#include <QTableView>

#include "views/document.h"
#include "views/job.h"
#include "views/panel.h"

namespace views {

/// What is wrong with the model or worth knowing: from the file, from inference, from placement.
class DiagnosticsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Row {
        engine::Diagnostic diagnostic = {};
        engine::OriginId origin = {};  ///< invalid: of no single node
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<Row> rows_;
};

/// All diagnostics of the document; choosing one selects its node.
class DiagnosticsPanel : public Panel {
    Q_OBJECT

public:
    explicit DiagnosticsPanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    QSize sizeHint() const override { return {240, 150}; }
    const DiagnosticsModel& model() const { return *model_; }
    /// The rows tell what the document knows.
    bool isSettled() const { return !job_.isRunning(); }

private:
    void refresh();
    void showRows(std::vector<DiagnosticsModel::Row> rows);

    Document* document_ = nullptr;
    DiagnosticsModel* model_;
    QTableView* table_;
    QLabel* none_;
    LatestJob<std::vector<DiagnosticsModel::Row>> job_;
};

}  // namespace views
