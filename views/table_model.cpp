#include "views/table_model.h"

#include <cmath>

#include "views/format.h"
#include "views/share_bar_delegate.h"

namespace views {

void TableModel::setContent(int rows, std::vector<Column> columns) {
    beginResetModel();
    rows_ = rows;
    columns_ = std::move(columns);
    endResetModel();
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Column& column = columns_[static_cast<size_t>(index.column())];
    const int row = index.row();
    switch (role) {
        case Qt::DisplayRole:
            return clipped(column.text(row));
        case Qt::ToolTipRole:
            return column.cellTip ? column.cellTip(row) : clipped(column.text(row), 4000);
        case Qt::TextAlignmentRole:
            return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case sortRole:
            return column.number ? QVariant(column.number(row)) : QVariant(column.text(row));
        case shareRole:
            return column.share && !std::isnan(column.share(row)) ? QVariant(column.share(row)) : QVariant();
        case providerRole:
            return column.provider ? QVariant(QString::fromStdString(column.provider(row))) : QVariant();
        default:
            return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= static_cast<int>(columns_.size())) return {};
    const Column& column = columns_[static_cast<size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole) return column.tip.isEmpty() ? column.title : column.tip;
    if (role == Qt::TextAlignmentRole) {
        return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

}  // namespace views
