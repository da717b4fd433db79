#include <QAbstractItemModelTester>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <gtest/gtest.h>

#include "tests/support/wait.h"
#include "tests/views/sample_model.h"
#include "views/graph/diagnostics_panel.h"
#include "views/graph/outline_panel.h"
#include "views/graph/properties_panel.h"

namespace views {
namespace {

class PanelTest : public testing::Test {
protected:
    PanelTest() : model(test::sampleModel()), document(model) {
        EXPECT_TRUE(test::waitFor([&] { return !document.isBusy(); }));
    }
    engine::OriginId origin(const std::string& name) { return test::originNamed(*model, name); }

    std::shared_ptr<const engine::Model> model;
    Document document;
};

using Properties = PanelTest;

TEST_F(Properties, ShowTheModelWhenNothingIsSelected) {
    PropertiesPanel panel;
    panel.setDocument(&document);
    for (const char* part : {"opset", "Inputs", "flag", "Figures", "MatMul"}) {
        EXPECT_TRUE(panel.text().contains(part)) << part;
    }
}

TEST_F(Properties, ShowANodeWithWhyItRunsWhereItRuns) {
    PropertiesPanel panel;
    panel.setDocument(&document);
    document.selection()->select(origin("a_mul"));
    test::settle();
    for (const char* part : {"MatMul", "a_mul", "Why here", "runs on", "float N×4", "constant"}) {
        EXPECT_TRUE(panel.text().contains(QString::fromUtf8(part))) << part;
    }
    EXPECT_FALSE(panel.text().contains("Documentation"));
}

TEST_F(Properties, ShowDocumentationOnRequest) {
    PropertiesPanel panel;
    panel.resize(400, 800);
    panel.setDocument(&document);
    document.selection()->select(origin("a_relu"));
    test::settle();
    auto* browser = panel.findChild<QTextBrowser*>();
    Q_EMIT browser->anchorClicked(QUrl("doc:"));
    EXPECT_TRUE(panel.text().contains("Documentation"));
    EXPECT_TRUE(panel.text().contains("elementwise")) << panel.text().toStdString();
}

TEST_F(Properties, ShowAConstantWithItsFigures) {
    PropertiesPanel panel;
    panel.setDocument(&document);
    document.selection()->select(ValueRef{model->graph.get(), model->graph->findValue("w")});
    ASSERT_TRUE(test::waitFor([&] { return panel.text().contains("range"); }));
    EXPECT_TRUE(panel.text().contains(QString::fromUtf8("0 … 1")));
    EXPECT_TRUE(panel.text().contains(QString::fromUtf8("0.250 ± 0.433")));
    EXPECT_TRUE(panel.text().contains("12")) << "zeros";
}

TEST_F(Properties, FollowLinksToNodesAndValues) {
    PropertiesPanel panel;
    panel.setDocument(&document);
    auto* browser = panel.findChild<QTextBrowser*>();
    document.selection()->select(origin("else_abs"));
    test::settle();
    const engine::OriginPlace& place = model->origins[origin("else_abs").index];
    const engine::ValueId input = place.graph->node(place.node).inputs[0];
    Q_EMIT browser->anchorClicked(QUrl(QString("value:%1").arg(input.index)));
    ASSERT_TRUE(document.selection()->value());
    EXPECT_EQ(document.selection()->value()->graph, place.graph.get());
    Q_EMIT browser->anchorClicked(QUrl(QString("node:%1").arg(origin("a_mul").index)));
    EXPECT_EQ(document.selection()->current(), origin("a_mul"));
}

TEST_F(Properties, SumUpSeveralNodes) {
    PropertiesPanel panel;
    panel.setDocument(&document);
    document.selection()->select({origin("a_mul"), origin("b_mul"), origin("a_relu")});
    test::settle();
    EXPECT_TRUE(panel.text().contains("3 nodes"));
}

TEST_F(Properties, LetGoOfTheDocument) {
    PropertiesPanel panel;
    panel.setDocument(&document);
    panel.setDocument(nullptr);
    document.selection()->select(origin("a_mul"));
    test::settle();
    EXPECT_TRUE(panel.text().isEmpty());
}

TEST(TensorSummary, CountsWhatIsNoNumberApart) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    engine::Observer observer;
    const auto summary =
        summarizeTensor(engine::Tensor::of<float>({2, 3}, {0, -1, 4, nan, infinity, 1}), observer);
    ASSERT_TRUE(summary.statistics);
    const TensorStatistics& figures = *summary.statistics;
    EXPECT_EQ(figures.count, 4);
    EXPECT_EQ(figures.nans, 1);
    EXPECT_EQ(figures.infinities, 1);
    EXPECT_EQ(figures.zeros, 1);
    EXPECT_EQ(figures.minimum, -1);
    EXPECT_EQ(figures.maximum, 4);
    EXPECT_EQ(figures.mean, 1);
    EXPECT_EQ(std::accumulate(figures.histogram.begin(), figures.histogram.end(), int64_t{0}), 4);
    EXPECT_EQ(summary.rows.size(), 2);
    EXPECT_EQ(summary.rows[1][0], "nan");
}

TEST(TensorSummary, ShowsTextAndEmptyTensors) {
    engine::Observer observer;
    const auto words = summarizeTensor(engine::Tensor::of<engine::String>({2}, {"ab", "c"}), observer);
    EXPECT_FALSE(words.statistics);
    EXPECT_EQ(words.rows.front().front(), "ab");
    const auto none = summarizeTensor(engine::Tensor::allocate(engine::DataType::float32, {0, 3}), observer);
    EXPECT_EQ(none.statistics->count, 0);
    EXPECT_TRUE(none.rows.empty());
}

using OutlineTest = PanelTest;

TEST_F(OutlineTest, HoldsToTheRulesOfModels) {
    OutlineModel tree;
    const QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
    engine::Observer observer;
    tree.setOutline(buildOutline(*model, observer));
    EXPECT_EQ(tree.columnCount(), 1);
    auto overlay = std::make_shared<Overlay>();
    overlay->entries.resize(model->origins.size());
    overlay->entries[origin("a_mul").index] = {.value = 5e6, .leader = origin("a_mul")};
    overlay->unit = Unit::nanoseconds;
    overlay->total = 1e7;
    tree.setOverlay(overlay);
    EXPECT_EQ(tree.columnCount(), 2);
    const QModelIndex index = tree.indexOf(origin("a_mul"));
    EXPECT_EQ(index.siblingAtColumn(1).data().toString(), "5.00 ms");
    tree.setOutline(nullptr);
    EXPECT_EQ(tree.rowCount(), 0);
}

TEST_F(OutlineTest, HoldsBodiesBelowTheirNode) {
    OutlineModel tree;
    engine::Observer observer;
    tree.setOutline(buildOutline(*model, observer));
    const QModelIndex inside = tree.indexOf(origin("else_abs"));
    ASSERT_TRUE(inside.isValid());
    EXPECT_EQ(inside.parent().data().toString(), "else_branch");
    EXPECT_EQ(inside.parent().parent(), tree.indexOf(origin("choose")));
}

TEST_F(OutlineTest, SelectsAndFollows) {
    OutlinePanel panel;
    panel.resize(300, 500);
    panel.setDocument(&document);
    panel.show();
    ASSERT_TRUE(test::waitFor([&] { return panel.tree()->model()->rowCount() > 0; }));
    const QModelIndex first = panel.tree()->model()->index(0, 0);
    QTest::mouseClick(panel.tree()->viewport(), Qt::LeftButton, {}, panel.tree()->visualRect(first).center());
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("a_mul"));
    document.selection()->select(origin("else_abs"));
    test::settle();
    EXPECT_TRUE(panel.tree()->currentIndex().data().toString().startsWith("Abs"));
}

using Diagnostics = PanelTest;

TEST_F(Diagnostics, NameTheUnknownOperatorAndLeadToIt) {
    DiagnosticsPanel panel;
    panel.setDocument(&document);
    panel.resize(400, 300);
    panel.show();
    ASSERT_TRUE(test::waitFor([&] { return panel.isSettled(); }));
    auto* table = panel.findChild<QTableView*>();
    ASSERT_NE(table, nullptr);
    const auto& rows = panel.model().rows();
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const auto& row) { return row.origin == origin("mystery"); });
    ASSERT_NE(found, rows.end());
    const QModelIndex index = panel.model().index(static_cast<int>(found - rows.begin()), 1);
    EXPECT_TRUE(index.data().toString().contains("Mystery")) << index.data().toString().toStdString();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("mystery"));
}

TEST(DiagnosticsOfNamelessNodes, TellEachOfThemOnce) {
    const auto model = engine::Model::parse(R"(
        <ir_version: 10, opset_import: ["" : 20, "no.such" : 1]>
        g (float[2] x, bool flag) => (float[2] z) {
            y = no.such.Mystery (x)
            z = If (flag) <then_branch = then_graph () => (float[2] t) { t = no.such.Mystery (y) },
                           else_branch = else_graph () => (float[2] e) { e = Relu (y) }>
        })");
    Document document(model);
    ASSERT_TRUE(test::waitFor([&] { return !document.isBusy(); }));
    DiagnosticsPanel panel;
    panel.setDocument(&document);
    ASSERT_TRUE(test::waitFor([&] { return panel.isSettled(); }));
    std::vector<std::string> places;
    for (const auto& row : panel.model().rows()) {
        places.push_back(row.diagnostic.place);
        EXPECT_EQ(row.diagnostic.severity, engine::Diagnostic::Severity::error) << places.back();
        EXPECT_NE(row.diagnostic.message.find("no provider runs it"), std::string::npos) << places.back();
        EXPECT_TRUE(row.origin.isValid()) << places.back();
    }
    std::sort(places.begin(), places.end());
    EXPECT_EQ(places, (std::vector<std::string>{"node #0 (no.such.Mystery)",
                                                "node #1 (If), then_branch: node #0 (no.such.Mystery)"}));
}

TEST_F(Properties, ShowDocumentationOfOtherDomainsToo) {
    const auto other = engine::Model::parse(R"(
        <ir_version: 10, opset_import: ["com.microsoft" : 1]>
        g (float[2] x) => (float[2] y) { y = com.microsoft.QuickGelu (x) })");
    Document opened(other);
    ASSERT_TRUE(test::waitFor([&] { return !opened.isBusy(); }));
    PropertiesPanel panel;
    panel.resize(400, 800);
    panel.setDocument(&opened);
    opened.selection()->select(engine::OriginId(0));
    test::settle();
    Q_EMIT panel.findChild<QTextBrowser*>()->anchorClicked(QUrl("doc:"));
    for (const char* part : {"sigmoid", "1.702 (default)", "bfloat16"}) {
        EXPECT_TRUE(panel.text().contains(part)) << part << panel.text().toStdString();
    }
}

}  // namespace
}  // namespace views
