#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "views/table_model.h"

namespace views {

/// A table with a filter line, sorting by raw numbers, and Ctrl+C that copies the selected rows (or all) as
/// TSV with headers. Rows in signals and calls are those of the model, not those on the screen.
class DataTable : public QWidget {
    Q_OBJECT

public:
    explicit DataTable(const QString& name, QWidget* parent = nullptr);

    /// Keeps sort order, widths and filter when there are as many columns as before.
    void setContent(int rows, std::vector<Column> columns);
    void sortBy(int column, Qt::SortOrder order);
    /// What is said where there are no rows.
    void setEmptyText(const QString& text);

    /// Makes these rows the selected ones without a signal, and scrolls to the first.
    void showRows(const std::vector<int>& rows);
    QString selectedAsText() const;

    QTableView* view() { return view_; }
    TableModel* model() { return model_; }
    QLineEdit* filter() { return filter_; }

Q_SIGNALS:
    /// The user chose rows.
    void rowsChosen(const std::vector<int>& rows);
    void rowOpened(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseRows();
    void copy() const;
    void showState();

    TableModel* model_;
    QSortFilterProxyModel* proxy_;
    QLineEdit* filter_;
    QTableView* view_;
    QLabel* empty_;
    bool isShowing_ = false;
};

}  // namespace views
