#pragma once

#include <QStyledItemDelegate>

namespace views {

/// Role of a cell's share, 0 … 1 as double: drawn as a bar behind the text.
inline constexpr int shareRole = Qt::UserRole + 1;
/// Role of the raw number that a column is sorted by.
inline constexpr int sortRole = Qt::UserRole + 2;
/// Role of a provider's name: drawn as a chip with its letter before the text.
inline constexpr int providerRole = Qt::UserRole + 3;

/// Draws share bars and provider chips in the cells of tables and trees.
class ShareBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace views
