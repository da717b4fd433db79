#include "views/graph/canvas.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <gtest/gtest.h>

#include "tests/support/wait.h"
#include "views/graph/minimap.h"

namespace views {
namespace {

/// `count` boxes of 100 × 40 below each other, 100 apart, each joined to the next.
std::shared_ptr<const LaidOutScene> column(int count) {
    auto graph = std::make_shared<engine::Graph>();
    auto scene = std::make_shared<Scene>();
    scene->place.graph = graph;
    layout::Response response;
    response.width = 100;
    response.height = count * 100.0;
    for (int index = 0; index < count; ++index) {
        graph->addNode({.operatorType = "Relu"});
        scene->nodes.push_back({.title = "Relu",
                                .node = engine::NodeId(static_cast<size_t>(index)),
                                .origin = engine::OriginId(static_cast<size_t>(index)),
                                .size = {100, 40}});
        scene->nodeOf[engine::OriginId(static_cast<size_t>(index))] = index;
        response.nodes.push_back({index, 0, index * 100.0});
        if (index == 0) continue;
        graph->addValue({.name = "v"});
        scene->edges.push_back(
            {.from = index - 1, .to = index, .value = engine::ValueId(static_cast<size_t>(index - 1))});
        response.edges.push_back(
            {.index = index - 1, .points = {{50, index * 100.0 - 60}, {50, index * 100.0}}});
    }
    return placeScene(scene, response);
}

class CanvasTest : public testing::Test {
protected:
    CanvasTest() {
        canvas.resize(600, 400);
        canvas.show();
        canvas.setScene(column(20));
        test::settle();
    }

    void wheel(const QPointF& at, int delta, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas.viewport(), &event);
    }
    QPoint middleOf(size_t node) {
        return canvas.toViewport(canvas.scene()->nodeRects[node].center()).toPoint();
    }

    Canvas canvas;
};

TEST_F(CanvasTest, ZoomsAboutThePointer) {
    const QPointF pointer(350, 120);
    const QPointF before = canvas.toScene(pointer);
    const double scale = canvas.scale();
    wheel(pointer, 120, Qt::ControlModifier);
    EXPECT_GT(canvas.scale(), scale);
    const QPointF after = canvas.toScene(pointer);
    EXPECT_NEAR(after.x(), before.x(), 1 / canvas.scale());
    EXPECT_NEAR(after.y(), before.y(), 1 / canvas.scale());
}

TEST_F(CanvasTest, TheWheelScrollsUnlessItIsSwapped) {
    const double scale = canvas.scale();
    const QPointF before = canvas.toScene({0, 0});
    wheel({300, 200}, -120, Qt::NoModifier);
    EXPECT_EQ(canvas.scale(), scale);
    EXPECT_GT(canvas.toScene({0, 0}).y(), before.y());
    canvas.setWheelZooms(true);
    wheel({300, 200}, -120, Qt::NoModifier);
    EXPECT_LT(canvas.scale(), scale);
}

TEST_F(CanvasTest, FitsTheWholeSceneBySpace) {
    QTest::keyClick(&canvas, Qt::Key_Space);
    EXPECT_TRUE(canvas.visibleArea().contains(canvas.scene()->bounds));
}

TEST_F(CanvasTest, DraggingPans) {
    const QPointF before = canvas.toScene({300, 200});
    QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, {500, 300});
    QTest::mouseMove(canvas.viewport(), {500, 280});
    QTest::mouseMove(canvas.viewport(), {500, 250});
    QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, {500, 250});
    const QPointF after = canvas.toScene({300, 200});
    EXPECT_NEAR(after.y() - before.y(), 50 / canvas.scale(), 1.5 / canvas.scale());
}

TEST_F(CanvasTest, SaysWhatWasClicked) {
    QSignalSpy nodes(&canvas, &Canvas::nodeClicked);
    QSignalSpy edges(&canvas, &Canvas::edgeClicked);
    const QSignalSpy ground(&canvas, &Canvas::groundClicked);
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, middleOf(1));
    ASSERT_EQ(nodes.count(), 1);
    EXPECT_EQ(nodes.first().first().toInt(), 1);
    EXPECT_FALSE(nodes.first().last().toBool());
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, Qt::ShiftModifier, middleOf(2));
    EXPECT_TRUE(nodes.last().last().toBool());
    const QPointF between =
        (canvas.scene()->nodeRects[1].center() + canvas.scene()->nodeRects[2].center()) / 2;
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.toViewport(between).toPoint());
    ASSERT_EQ(edges.count(), 1);
    EXPECT_EQ(edges.first().first().toInt(), 1);
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, {5, 395});
    EXPECT_EQ(ground.count(), 1);
}

TEST_F(CanvasTest, ShiftAndDragSelectsWhatTheBandMeets) {
    QSignalSpy bands(&canvas, &Canvas::bandSelected);
    const QPoint from = canvas.toViewport({-20, 90}).toPoint();
    const QPoint to = canvas.toViewport({120, 250}).toPoint();
    QTest::mousePress(canvas.viewport(), Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, canvas.viewport()->mapToGlobal(to), Qt::LeftButton,
                     Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(canvas.viewport(), &move);
    QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, Qt::ShiftModifier, to);
    ASSERT_EQ(bands.count(), 1);
    EXPECT_EQ(bands.first().first().value<std::vector<int>>(), (std::vector{1, 2}));
}

TEST_F(CanvasTest, RevealMovesAsLittleAsNeededAndNeverZooms) {
    canvas.fitForReading();
    const double scale = canvas.scale();
    const QRectF last = canvas.scene()->nodeRects.back();
    ASSERT_FALSE(canvas.visibleArea().contains(last));
    canvas.reveal(last);
    EXPECT_TRUE(canvas.visibleArea().contains(last));
    const QRectF shown = canvas.visibleArea();
    canvas.reveal(last);
    EXPECT_EQ(canvas.visibleArea(), shown);
    EXPECT_EQ(canvas.scale(), scale);
}

TEST_F(CanvasTest, StaysWhereItIsWhenTheSceneIsReplaced) {
    canvas.centerOn({50, 900});
    const QRectF shown = canvas.visibleArea();
    canvas.setScene(column(20));
    EXPECT_EQ(canvas.visibleArea(), shown);
}

TEST_F(CanvasTest, PaintsTheSelectedNodeWithItsOutline) {
    canvas.setLook({.selected = {engine::OriginId(1)}, .current = engine::OriginId(1)});
    const QImage image = canvas.viewport()->grab().toImage();
    const QRectF rect = canvas.scene()->nodeRects[1];
    const QPoint beside = canvas.toViewport(rect.topLeft() + QPointF(-1.5, 20)).toPoint();
    EXPECT_EQ(image.pixelColor(beside), lightColours().accent);
}

TEST_F(CanvasTest, TheMinimapMovesTheView) {
    auto* minimap = new Minimap(&canvas);
    canvas.resize(600, 400);
    minimap->refresh();
    minimap->show();
    test::settle();
    QTest::mouseClick(minimap, Qt::LeftButton, {}, {minimap->width() / 2, minimap->height() - 8});
    EXPECT_TRUE(canvas.visibleArea().intersects(canvas.scene()->nodeRects.back()));
}

TEST(Canvas, WithoutASceneTakesEverythingInItsStride) {
    Canvas canvas;
    canvas.show();
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton);
    QTest::mouseDClick(canvas.viewport(), Qt::LeftButton);
    for (const auto key : {Qt::Key_Space, Qt::Key_Plus, Qt::Key_Down, Qt::Key_Return})
        QTest::keyClick(&canvas, key);
    canvas.fit();
    canvas.grab();
}

}  // namespace
}  // namespace views
