#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QAbstractTableModel>

namespace views {

/// One column of a table, as functions of the row. Absent functions: nothing of that kind.
struct Column {
    QString title = {};
    QString tip = {};
    std::function<QString(int row)> text = {};
    /// The raw number that the column is sorted by; right-aligned, tabular. Absent: sorted by its text.
    std::function<double(int row)> number = {};
    std::function<double(int row)> share = {};
    std::function<std::string(int row)> provider = {};
    std::function<QString(int row)> cellTip = {};
    int width = 90;
};

/// A thin model: rows are counted, cells are asked for when shown. Roles are those of ShareBarDelegate.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setContent(int rows, std::vector<Column> columns);
    const std::vector<Column>& columns() const { return columns_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    int rows_ = 0;
    std::vector<Column> columns_;
};

}  // namespace views
