#include "views/graph/layout/part.h"

#include <gtest/gtest.h>

namespace layout {
namespace {

Problem problemOf(int count, const std::vector<std::pair<int, int>>& edges) {
    Problem problem;
    for (int i = 0; i < count; ++i) problem.items.push_back({.left = 40, .right = 40, .height = 30});
    for (const auto& [from, to] : edges) {
        problem.links.push_back({.from = from, .to = to, .fromShift = {}, .toShift = {}});
    }
    return problem;
}

TEST(Part, PutsTopAndBottomOnTheAxis) {
    Work work;
    Problem problem = problemOf(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {1, 4}, {3, 5}, {4, 5}});
    problem.top = 0;
    problem.bottom = 5;
    const auto placement = layoutPart(problem, work, 0);
    EXPECT_EQ(placement->items[0].x, 0);
    EXPECT_EQ(placement->items[0].y, 15);
    EXPECT_EQ(placement->items[5].x, 0);
    EXPECT_EQ(placement->items[5].y, placement->height - 15);
}

TEST(Part, PlacesATopAndABottomThatNothingJoins) {
    Work work;
    Problem problem = problemOf(2, {});
    problem.top = 0;
    problem.bottom = 1;
    const auto placement = layoutPart(problem, work, 0);
    EXPECT_EQ(placement->items[0].x, 0);
    EXPECT_EQ(placement->items[1].x, 0);
    EXPECT_GE(placement->items[1].y - placement->items[0].y, 30);
}

TEST(Part, LetsALineFromTheSidePassBesideTheTop) {
    Work work;
    Problem problem = problemOf(3, {{0, 1}, {1, 2}});
    problem.items[0].left = problem.items[0].right = 200;
    problem.top = 0;
    problem.bottom = 2;
    problem.items.push_back({.role = Role::entry, .side = Side::right});
    problem.links.push_back({.from = 3, .to = 1, .toPort = 1, .fromShift = {}, .toShift = {}});
    const auto placement = layoutPart(problem, work, 0);
    EXPECT_GT(placement->links[2].front().x, 200);
    EXPECT_GE(placement->right, placement->links[2].front().x);
}

TEST(Part, LaysOutEqualPartsOnce) {
    Work work;
    const Problem problem = problemOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    const auto first = layoutPart(problem, work, 0);
    const auto reused = work.stats.reused;
    EXPECT_EQ(layoutPart(problem, work, 0), first);
    EXPECT_EQ(work.stats.reused, reused + 1);
    Problem wider = problem;
    wider.items[2].right = 41;
    EXPECT_NE(layoutPart(wider, work, 0), first);
}

}  // namespace
}  // namespace layout
