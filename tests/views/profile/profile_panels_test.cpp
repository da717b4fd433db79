#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include "tests/support/wait.h"
#include "views/format.h"
#include "views/profile/latency_chart.h"
#include "views/profile/timeline_view.h"

namespace views {
namespace {

/// Three steps on two threads; the second holds the third.
std::shared_ptr<const engine::ProfileResult> profile() {
    auto result = std::make_shared<engine::ProfileResult>();
    auto steps = std::make_shared<std::vector<engine::StepInfo>>();
    steps->push_back(
        {.name = "first", .operatorType = "Conv", .provider = "cpu", .origins = {engine::OriginId(0)}});
    steps->push_back(
        {.name = "loop", .operatorType = "Loop", .provider = "reference", .origins = {engine::OriginId(1)}});
    steps->push_back({.name = "inner",
                      .operatorType = "Add",
                      .provider = "cpu",
                      .origins = {engine::OriginId(2)},
                      .parent = 1});
    result->trace.steps = steps;
    result->trace.elapsedNs = 1000;
    result->trace.events = {
        {0, 0, 0, 400}, {1, 0, 500, 900}, {2, 0, 600, 700}, {2, 0, 750, 800}, {0, 1, 100, 300}};
    return result;
}

class Timeline : public testing::Test {
protected:
    Timeline() {
        view.resize(900, 200);
        view.setProfile(profile());
        view.show();
    }
    TimelineView view;
};

TEST_F(Timeline, PutsBodiesBelowTheirStepAndThreadsOnTracksOfTheirOwn) {
    EXPECT_EQ(view.rectOf(0).top(), view.rectOf(1).top());
    EXPECT_GT(view.rectOf(2).top(), view.rectOf(1).bottom());
    EXPECT_EQ(view.rectOf(2).top(), view.rectOf(3).top());
    EXPECT_GT(view.rectOf(4).top(), view.rectOf(2).bottom());
    EXPECT_GE(view.rectOf(2).left(), view.rectOf(1).left());
    EXPECT_LE(view.rectOf(3).right(), view.rectOf(1).right());
}

TEST_F(Timeline, KeysZoomAndPanButNeverLeaveTheRun) {
    QTest::keyClick(&view, Qt::Key_W);
    EXPECT_LT(view.spanNs(), 1000);
    const double start = view.startNs();
    QTest::keyClick(&view, Qt::Key_D);
    EXPECT_GT(view.startNs(), start);
    for (int time = 0; time < 50; ++time) QTest::keyClick(&view, Qt::Key_A);
    EXPECT_EQ(view.startNs(), 0);
    for (int time = 0; time < 50; ++time) QTest::keyClick(&view, Qt::Key_S);
    EXPECT_EQ(view.spanNs(), 1000);
    for (int time = 0; time < 100; ++time) QTest::keyClick(&view, Qt::Key_W);
    EXPECT_GE(view.spanNs(), 50);
}

TEST_F(Timeline, AClickSaysWhichStep) {
    QSignalSpy clicks(&view, &TimelineView::stepClicked);
    const QSignalSpy ground(&view, &TimelineView::groundClicked);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOf(2).center().toPoint());
    ASSERT_EQ(clicks.count(), 1);
    EXPECT_EQ(clicks.first().first().toInt(), 2);
    QTest::mouseClick(
        &view, Qt::LeftButton, {},
        QPoint(static_cast<int>(view.rectOf(0).right()) + 20, static_cast<int>(view.rectOf(0).center().y())));
    EXPECT_EQ(ground.count(), 1);
}

TEST_F(Timeline, FramesTheSelection) {
    view.setSelection({engine::OriginId(2)});
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_NEAR(view.startNs(), 560, 1);
    EXPECT_NEAR(view.spanNs(), 280, 1);
}

TEST_F(Timeline, WithoutARunTakesEverythingInItsStride) {
    view.setProfile(nullptr);
    for (const auto key : {Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D, Qt::Key_F})
        QTest::keyClick(&view, key);
    QTest::mouseClick(&view, Qt::LeftButton);
    view.grab();
}

TEST(Thinned, KeepsTheExtremesOfManySamplesInOrder) {
    std::vector<double> samples(100000, 5);
    samples[31234] = 900;
    samples[70001] = 1;
    const QList<QPointF> points = thinned(samples, 1000, 2);
    EXPECT_LE(points.size(), 1001);
    const auto [low, high] = std::minmax_element(
        points.begin(), points.end(), [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
    EXPECT_EQ(*high, QPointF(31234, 1800));
    EXPECT_EQ(*low, QPointF(70001, 2));
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                               [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
}

TEST(Thinned, LeavesFewSamplesAsTheyAre) {
    EXPECT_EQ(thinned({3, 1, 2}, 10, 1), (QList<QPointF>{{0, 3}, {1, 1}, {2, 2}}));
    EXPECT_TRUE(thinned({}, 10, 1).isEmpty());
}

}  // namespace
}  // namespace views
