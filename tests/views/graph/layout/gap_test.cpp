#include "views/graph/layout/gap.h"

#include <gtest/gtest.h>

namespace layout {
namespace {

/// The height at which a value's line runs across a gap from 0 to 100.
double crossing(const Gap& gap, int value, double from, double to) {
    Path path{{from, 0}};
    gap.cross(path, value, to, 0, 100);
    EXPECT_EQ(path.back().x, to);
    EXPECT_EQ(path.back().y, 100);
    EXPECT_GE(path.size(), 3U);
    return path.size() < 3 ? 0 : (path[1].y + path[2].y) / 2;
}

TEST(Gap, LetsNearLinesSwing) {
    Gap gap;
    gap.add(1, 0, 40);
    gap.assign();
    Path path{{0, 0}};
    gap.cross(path, 1, 40, 0, 34);
    EXPECT_EQ(path.size(), 2U);
    EXPECT_EQ(gap.height(34), 34);
}

TEST(Gap, RunsLinesOfTwoValuesAtTwoHeights) {
    Gap gap;
    gap.add(1, 0, 300);
    gap.add(2, 100, 400);
    gap.assign();
    EXPECT_LT(crossing(gap, 2, 100, 400), crossing(gap, 1, 0, 300))
        << "the line from behind passes below, so that the two do not cross";
}

TEST(Gap, RunsLinesOfOneValueAtOneHeight) {
    Gap gap;
    gap.add(1, 0, 300);
    gap.add(1, 0, -300);
    gap.assign();
    EXPECT_EQ(crossing(gap, 1, 0, 300), crossing(gap, 1, 0, -300));
}

TEST(Gap, SharesAHeightWhereLinesDoNotMeet) {
    Gap gap;
    gap.add(1, 0, 100);
    gap.add(2, 200, 300);
    gap.assign();
    EXPECT_EQ(crossing(gap, 1, 0, 100), crossing(gap, 2, 200, 300));
}

TEST(Gap, GrowsWithItsLinesButNotForever) {
    Gap gap;
    for (int i = 0; i < 20; ++i) gap.add(i, 10 * i, 500 + 10 * i);
    gap.assign();
    EXPECT_GT(gap.height(34), 34);
    EXPECT_LE(gap.height(34), 300);
}

}  // namespace
}  // namespace layout
