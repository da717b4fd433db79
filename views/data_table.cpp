#include "views/data_table.h"

#include <algorithm>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "views/share_bar_delegate.h"
#include "views/theme.h"

namespace views {

namespace {

/// Rows in which every word of the filter occurs somewhere.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setWords(const QString& text) {
        words_ = text.split(' ', Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        if (words_.isEmpty()) return true;
        QString whole;
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
            whole += sourceModel()->index(row, column, parent).data().toString() + '\t';
        }
        return std::all_of(words_.begin(), words_.end(),
                           [&](const QString& word) { return whole.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList words_;
};

/// Titles stand over their columns exactly; the arrow of the sorted one is part of its text.
class TitleRow : public QHeaderView {
public:
    explicit TitleRow(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
        setSectionsClickable(true);
        setHighlightSections(false);
        setStretchLastSection(true);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const Colours& colours = coloursOf(this);
        painter->fillRect(rect, colours.raised);
        painter->setPen(colours.border);
        painter->drawLine(rect.topRight(), rect.bottomRight());
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
        const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
        QString text = model()->headerData(section, orientation()).toString();
        if (isSorted) text += sortIndicatorOrder() == Qt::DescendingOrder ? QString(" ↓") : QString(" ↑");
        const auto alignment = Qt::Alignment::fromInt(
            model()->headerData(section, orientation(), Qt::TextAlignmentRole).toInt());
        painter->setPen(isSorted ? colours.text : colours.muted);
        const QRect place = rect.adjusted(cellMargin, 0, -cellMargin, 0);
        painter->drawText(place, static_cast<int>(alignment),
                          fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
    }
    QSize sectionSizeFromContents(int) const override { return {60, fontMetrics().height() + 9}; }

private:
    static constexpr int cellMargin = 3;
};

}  // namespace

DataTable::DataTable(const QString& name, QWidget* parent) : QWidget(parent) {
    model_ = new TableModel(this);
    auto* proxy = new WordFilter(this);
    proxy_ = proxy;
    proxy_->setSourceModel(model_);
    proxy_->setSortRole(sortRole);
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Filter rows"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter of %1").arg(name));
    view_ = new QTableView(this);
    view_->setHorizontalHeader(new TitleRow(view_));
    view_->setModel(proxy_);
    view_->setItemDelegate(new ShareBarDelegate(view_));
    view_->setSortingEnabled(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->setAccessibleName(name);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->verticalHeader()->setVisible(false);
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
    view_->installEventFilter(this);
    empty_ = new QLabel(this);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(6, 4, 6, 4);
    line->addWidget(filter_);
    column->addLayout(line);
    column->addWidget(view_, 1);
    column->addWidget(empty_, 1);
    connect(filter_, &QLineEdit::textChanged, proxy, &WordFilter::setWords);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DataTable::chooseRows);
    connect(view_, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT rowOpened(proxy_->mapToSource(index).row()); });
    showState();
}

void DataTable::setContent(int rows, std::vector<Column> columns) {
    const bool isSameShape = columns.size() == model_->columns().size();
    std::vector<int> widths;
    for (const Column& column : columns) widths.push_back(column.width);
    // A number stays beside the others.
    view_->horizontalHeader()->setStretchLastSection(!columns.empty() && !columns.back().number);
    isShowing_ = true;
    model_->setContent(rows, std::move(columns));
    isShowing_ = false;
    if (!isSameShape) {
        for (size_t index = 0; index < widths.size(); ++index)
            view_->setColumnWidth(static_cast<int>(index), widths[index]);
    }
    showState();
}

void DataTable::sortBy(int column, Qt::SortOrder order) { view_->sortByColumn(column, order); }

void DataTable::setEmptyText(const QString& text) {
    empty_->setText(text);
    showState();
}

void DataTable::showState() {
    const bool isEmpty = model_->rowCount() == 0;
    empty_->setVisible(isEmpty);
    view_->setVisible(!isEmpty);
    filter_->setVisible(!isEmpty);
}

void DataTable::showRows(const std::vector<int>& rows) {
    isShowing_ = true;
    QItemSelection selection;
    QModelIndex first;
    for (const int row : rows) {
        const QModelIndex index = proxy_->mapFromSource(model_->index(row, 0));
        if (!index.isValid()) continue;
        if (!first.isValid()) first = index;
        selection.select(index, index);
    }
    view_->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (first.isValid()) {
        view_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        view_->scrollTo(first);
    }
    isShowing_ = false;
}

void DataTable::chooseRows() {
    if (isShowing_) return;
    std::vector<int> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
        rows.push_back(proxy_->mapToSource(index).row());
    }
    Q_EMIT rowsChosen(rows);
}

QString DataTable::selectedAsText() const {
    QStringList cells;
    for (const Column& column : model_->columns()) cells << column.title;
    QStringList lines{cells.join('\t')};
    QModelIndexList rows = view_->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(),
              [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    const int count = rows.isEmpty() ? proxy_->rowCount() : static_cast<int>(rows.size());
    for (int line = 0; line < count; ++line) {
        const int row = rows.isEmpty() ? line : rows[line].row();
        cells.clear();
        for (int column = 0; column < proxy_->columnCount(); ++column) {
            cells << proxy_->index(row, column).data().toString().replace('\t', ' ');
        }
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

void DataTable::copy() const { QGuiApplication::clipboard()->setText(selectedAsText()); }

bool DataTable::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    if (!static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) return false;
    copy();
    return true;
}

}  // namespace views
