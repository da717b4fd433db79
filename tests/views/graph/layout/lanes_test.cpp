#include "views/graph/layout/lanes.h"

#include <gtest/gtest.h>

namespace layout {
namespace {

TEST(Lanes, ReachIsTheMostOfAnInterval) {
    Reach reach({3, 1, 4, 1, 5});
    EXPECT_EQ(reach.most(0, 4), 5);
    EXPECT_EQ(reach.most(0, 1), 3);
    EXPECT_EQ(reach.most(3, 3), 1);
    reach.raise(1, 3, 9);
    EXPECT_EQ(reach.most(0, 0), 3);
    EXPECT_EQ(reach.most(3, 3), 9);
    EXPECT_EQ(reach.most(4, 4), 5);
    reach.raise(2, 4, 7);
    EXPECT_EQ(reach.most(2, 2), 9);
    EXPECT_EQ(reach.most(4, 4), 7);
}

TEST(Lanes, ShareTheTwoSides) {
    std::vector<Lane> lanes(3);
    lanes[0] = {.first = 0, .last = 9};
    lanes[1] = {.first = 1, .last = 4};
    lanes[2] = {.first = 5, .last = 8};
    chooseSides(lanes);
    EXPECT_EQ(lanes[0].side, Side::right);
    EXPECT_EQ(lanes[1].side, Side::left);
    EXPECT_EQ(lanes[2].side, Side::left);
}

TEST(Lanes, RunNearerToTheAxisWhenShort) {
    std::vector<Lane> lanes(2);
    lanes[0] = {.first = 0, .last = 9};
    lanes[1] = {.first = 2, .last = 3};
    chooseSides(lanes);
    EXPECT_LT(lanes[1].order, lanes[0].order);
}

}  // namespace
}  // namespace layout
