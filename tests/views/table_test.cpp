#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include "tests/support/wait.h"
#include "views/data_table.h"
#include "views/share_bar_delegate.h"

namespace views {
namespace {

const std::vector<std::pair<std::string, double>> rows{{"Conv", 9}, {"Relu", 100}, {"Add", 20}};

std::vector<Column> columns() {
    return {{.title = "Operator",
             .text = [](int row) { return QString::fromStdString(rows[static_cast<size_t>(row)].first); }},
            {.title = "Time",
             .text = [](int row) { return QString::number(rows[static_cast<size_t>(row)].second) + " ms"; },
             .number = [](int row) { return rows[static_cast<size_t>(row)].second; },
             .share = [](int row) { return rows[static_cast<size_t>(row)].second / 129; }}};
}

QString cell(DataTable& table, int row, int column) {
    return table.view()->model()->index(row, column).data().toString();
}

TEST(TableModel, HoldsToTheRulesOfModels) {
    TableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setContent(3, columns());
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.index(1, 1).data(sortRole).toDouble(), 100);
    EXPECT_NEAR(model.index(1, 1).data(shareRole).toDouble(), 100.0 / 129, 1e-12);
    EXPECT_FALSE(model.index(1, 0).data(shareRole).isValid());
    model.setContent(0, {});
    EXPECT_EQ(model.columnCount(), 0);
}

TEST(DataTable, SortsByTheNumberNotByTheText) {
    DataTable table("Test");
    table.setContent(3, columns());
    table.sortBy(1, Qt::DescendingOrder);
    EXPECT_EQ(cell(table, 0, 0), "Relu");
    EXPECT_EQ(cell(table, 1, 0), "Add");
    EXPECT_EQ(cell(table, 2, 0), "Conv");
}

TEST(DataTable, KeepsRowsInWhichEveryWordOccurs) {
    DataTable table("Test");
    table.setContent(3, columns());
    QTest::keyClicks(table.filter(), "20 ADD");
    ASSERT_EQ(table.view()->model()->rowCount(), 1);
    EXPECT_EQ(cell(table, 0, 0), "Add");
    QTest::keyClicks(table.filter(), "x");
    EXPECT_EQ(table.view()->model()->rowCount(), 0);
}

TEST(DataTable, CopiesSelectedRowsWithHeaders) {
    DataTable table("Test");
    table.setContent(3, columns());
    table.showRows({2});
    QTest::keyClick(table.view(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "Operator\tTime\nAdd\t20 ms\n");
    table.showRows({});
    EXPECT_EQ(table.selectedAsText().count('\n'), 4);
}

TEST(DataTable, SaysWhichRowsOfTheModelTheUserChose) {
    DataTable table("Test");
    table.resize(400, 300);
    table.setContent(3, columns());
    table.sortBy(1, Qt::DescendingOrder);
    table.show();
    QSignalSpy chosen(&table, &DataTable::rowsChosen);
    const QModelIndex first = table.view()->model()->index(0, 0);
    QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {}, table.view()->visualRect(first).center());
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.takeFirst().first().value<std::vector<int>>(), std::vector{1});
    table.showRows({0});
    EXPECT_EQ(chosen.count(), 0) << "showing is not choosing";
}

TEST(DataTable, SaysWhyItIsEmpty) {
    DataTable table("Test");
    table.setEmptyText("nothing yet");
    EXPECT_TRUE(table.view()->isHidden());
    table.setContent(3, columns());
    EXPECT_FALSE(table.view()->isHidden());
}

}  // namespace
}  // namespace views
