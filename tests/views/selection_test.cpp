#include "views/selection.h"

#include <QSignalSpy>
#include <gtest/gtest.h>

#include "tests/support/wait.h"

namespace views {
namespace {

using engine::OriginId;

TEST(Selection, MergesChangesOfOneTurnIntoOneSignal) {
    Selection selection;
    const QSignalSpy changes(&selection, &Selection::changed);
    selection.select(OriginId(1));
    selection.select(OriginId(2));
    selection.toggle(OriginId(3));
    EXPECT_EQ(changes.count(), 0);
    test::settle();
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(selection.nodes(), (std::vector{OriginId(3), OriginId(2)}));
}

TEST(Selection, SelectingTheSameAgainSaysNothing) {
    Selection selection;
    selection.select(OriginId(1));
    test::settle();
    const QSignalSpy changes(&selection, &Selection::changed);
    selection.select(OriginId(1));
    test::settle();
    EXPECT_EQ(changes.count(), 0);
}

TEST(Selection, IsNodesOrOneValue) {
    Selection selection;
    const engine::Graph graph;
    selection.select(OriginId(1));
    selection.select(ValueRef{&graph, engine::ValueId(4)});
    EXPECT_TRUE(selection.nodes().empty());
    EXPECT_FALSE(selection.current().isValid());
    ASSERT_TRUE(selection.value());
    EXPECT_EQ(selection.value()->value, engine::ValueId(4));
    selection.toggle(OriginId(2));
    EXPECT_FALSE(selection.value());
    EXPECT_EQ(selection.current(), OriginId(2));
}

TEST(Selection, ToggleTwiceIsNothing) {
    Selection selection;
    selection.toggle(OriginId(5));
    selection.toggle(OriginId(5));
    EXPECT_TRUE(selection.isEmpty());
}

TEST(Selection, GoesBackAndForwardAndANewPlaceEndsTheWayForward) {
    Selection selection;
    for (const size_t node : {1, 2, 3}) selection.select(OriginId(node));
    selection.goBack();
    selection.goBack();
    EXPECT_EQ(selection.current(), OriginId(1));
    EXPECT_FALSE(selection.canGoBack());
    selection.goForward();
    EXPECT_EQ(selection.current(), OriginId(2));
    selection.select(OriginId(9));
    EXPECT_FALSE(selection.canGoForward());
    selection.goBack();
    EXPECT_EQ(selection.current(), OriginId(2));
}

}  // namespace
}  // namespace views
