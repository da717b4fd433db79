#include "views/graph/graph_view.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/wait.h"
#include "tests/views/sample_model.h"

namespace views {
namespace {

class GraphViewTest : public testing::Test {
protected:
    GraphViewTest() : model(test::sampleModel()), document(model), view(&document) {
        view.resize(900, 700);
        view.show();
        EXPECT_TRUE(settle());
    }

    bool settle() {
        return test::waitFor([&] { return view.isSettled() && !document.isBusy(); });
    }
    engine::OriginId origin(const std::string& name) { return test::originNamed(*model, name); }
    QPoint pointOf(const std::string& name) {
        return view.canvas()->toViewport(view.canvas()->scene()->rectOf(origin(name)).center()).toPoint();
    }
    void click(const std::string& name, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, modifiers, pointOf(name));
        test::settle();
    }

    /// Empty once the picture is written, else why it is not.
    QString save(const QString& path) {
        const QSignalSpy saved(&view, &GraphView::pictureSaved);
        QSignalSpy failed(&view, &GraphView::pictureFailed);
        view.savePicture(path);
        EXPECT_TRUE(test::waitFor([&] { return saved.count() + failed.count() == 1; }));
        return failed.isEmpty() ? QString() : failed.first().first().toString();
    }

    std::shared_ptr<const engine::Model> model;
    Document document;
    GraphView view;
};

TEST_F(GraphViewTest, AClickSelectsTheNodeForEverybody) {
    click("a_relu");
    EXPECT_EQ(document.selection()->current(), origin("a_relu"));
    EXPECT_EQ(view.canvas()->look().current, origin("a_relu"));
    click("scale", Qt::ShiftModifier);
    EXPECT_EQ(document.selection()->nodes().size(), 2);
}

TEST_F(GraphViewTest, ASelectionFromElsewhereIsShown) {
    view.canvas()->fitTo(view.canvas()->scene()->rectOf(origin("a_mul")));
    view.canvas()->setScale(4, {0, 0});
    document.selection()->select(origin("mystery"));
    test::settle();
    EXPECT_TRUE(view.canvas()->visibleArea().contains(view.canvas()->scene()->rectOf(origin("mystery"))));
}

TEST_F(GraphViewTest, ArrowKeysWalkAlongTheEdges) {
    click("a_mul");
    QTest::keyClick(view.canvas(), Qt::Key_Down);
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("a_relu"));
    QTest::keyClick(view.canvas(), Qt::Key_Up);
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("a_mul"));
}

TEST_F(GraphViewTest, GoesIntoABodyAndBackByTheBreadcrumb) {
    const GraphPath path = pathTo(*model, document.types(), origin("else_abs"));
    view.enter(path.back());
    ASSERT_TRUE(settle());
    EXPECT_EQ(view.path().size(), 2);
    EXPECT_GE(view.canvas()->scene()->scene->find(origin("else_abs")), 0);
    auto* crumb = view.findChild<QToolButton*>();
    ASSERT_NE(crumb, nullptr);
    ASSERT_TRUE(crumb->isVisible());
    QTest::mouseClick(crumb, Qt::LeftButton);
    ASSERT_TRUE(settle());
    EXPECT_EQ(view.path().size(), 1);
}

TEST_F(GraphViewTest, LeavingABodySelectsTheNodeThatHoldsIt) {
    view.enter(pathTo(*model, document.types(), origin("then_add")).back());
    ASSERT_TRUE(settle());
    view.leave();
    ASSERT_TRUE(settle());
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("choose"));
}

TEST_F(GraphViewTest, SelectingANodeOfABodyGoesThere) {
    document.selection()->select(origin("then_add"));
    ASSERT_TRUE(test::waitFor([&] { return view.path().size() == 2 && view.isSettled(); }));
    EXPECT_GE(view.canvas()->scene()->scene->find(origin("then_add")), 0);
}

TEST_F(GraphViewTest, FindsByOperatorNameAndShapeAlsoInBodies) {
    ASSERT_TRUE(test::waitFor([&] {
        view.find("matmul");
        return view.matchCount() > 0;
    }));
    test::settle();
    EXPECT_EQ(view.matchCount(), 2);
    EXPECT_EQ(document.selection()->current(), origin("a_mul"));
    view.findNext();
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("b_mul"));
    view.findNext();
    test::settle();
    EXPECT_EQ(document.selection()->current(), origin("a_mul"));
    view.find("else_abs");
    EXPECT_EQ(view.matchCount(), 1);
    ASSERT_TRUE(test::waitFor([&] { return view.path().size() == 2 && view.isSettled(); }));
    view.find("no such thing");
    EXPECT_EQ(view.matchCount(), 0);
    EXPECT_TRUE(view.canvas()->look().isSearching);
    view.find("");
    EXPECT_FALSE(view.canvas()->look().isSearching);
}

TEST_F(GraphViewTest, AnEdgeSelectsItsValue) {
    const LaidOutScene& scene = *view.canvas()->scene();
    const int from = scene.scene->find(origin("a_mul"));
    for (size_t index = 0; index < scene.scene->edges.size(); ++index) {
        if (scene.scene->edges[index].from != from) continue;
        const QPointF middle = view.canvas()->toViewport(scene.edgePaths[index].pointAtPercent(0.5));
        QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, {}, middle.toPoint());
    }
    test::settle();
    ASSERT_TRUE(document.selection()->value());
    EXPECT_EQ(model->graph->value(document.selection()->value()->value).name, "am");
}

TEST_F(GraphViewTest, ClickingTheGroundClears) {
    click("a_mul");
    QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, {}, {880, 350});
    test::settle();
    EXPECT_TRUE(document.selection()->isEmpty());
}

TEST_F(GraphViewTest, ACancelledLayoutLeavesTheOneThatIsThere) {
    const auto before = view.canvas()->scene();
    view.openAllGroups();
    ASSERT_FALSE(view.isSettled());
    Q_EMIT view.findChild<ProgressCard*>()->cancelled();
    ASSERT_TRUE(test::waitFor([&] { return view.isSettled(); }));
    EXPECT_EQ(view.canvas()->scene(), before);
    EXPECT_TRUE(view.canvas()->isVisible());
}

TEST_F(GraphViewTest, ACancelledFirstLayoutSaysSoAndTriesAgain) {
    Document other(model);
    GraphView fresh(&other);
    fresh.resize(900, 700);
    fresh.show();
    Q_EMIT fresh.findChild<ProgressCard*>()->cancelled();
    ASSERT_TRUE(test::waitFor([&] { return fresh.isSettled(); }));
    ASSERT_FALSE(fresh.canvas()->scene());
    auto* card = fresh.findChild<ErrorCard*>();
    ASSERT_TRUE(card->isVisible());
    test::settle();  // nobody clicks before it has its place
    QTest::mouseClick(card->findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_TRUE(test::waitFor([&] { return fresh.canvas()->scene() != nullptr; }));
}

TEST_F(GraphViewTest, WritesThePictureAsSvgAndPng) {
    const test::TemporaryFolder folder;
    const QString svg = QString::fromStdString((folder.path() / "graph.svg").string());
    EXPECT_EQ(save(svg), "");
    QFile file(svg);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.contains("MatMul"));
    EXPECT_TRUE(text.contains("Mystery"));
    const QString png = QString::fromStdString((folder.path() / "graph.png").string());
    EXPECT_EQ(save(png), "");
    const QImage image(png);
    EXPECT_NEAR(image.width(), 2 * view.picture().size().width(), 2);
    EXPECT_TRUE(save("/nowhere/graph.png").contains("/nowhere/graph.png"));
    EXPECT_TRUE(save("/nowhere/graph.svg").contains("/nowhere/graph.svg"));
}

}  // namespace
}  // namespace views
