#include "views/graph/layout/rows.h"

#include <cmath>

#include <gtest/gtest.h>

namespace layout {
namespace {

Problem problemOf(int count, const std::vector<std::pair<int, int>>& edges) {
    Problem problem;
    for (int i = 0; i < count; ++i) problem.items.push_back({.left = 40, .right = 40, .height = 30});
    for (const auto& [from, to] : edges)
        problem.links.push_back({.from = from, .to = to, .fromShift = {}, .toShift = {}});
    return problem;
}

int crossings(const Rows& rows) {
    std::vector<int> at(rows.row.size());
    for (const auto& row : rows.rows) {
        for (size_t i = 0; i < row.size(); ++i) at[row[i]] = static_cast<int>(i);
    }
    int count = 0;
    for (const auto& a : rows.segments) {
        for (const auto& b : rows.segments) {
            count += rows.row[a.from] == rows.row[b.from] && at[a.from] < at[b.from] && at[a.to] > at[b.to]
                         ? 1
                         : 0;
        }
    }
    return count;
}

TEST(Rows, StandBelowWhatTheyFollow) {
    Work work;
    const Rows rows = makeRows(problemOf(5, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {4, 3}}), work);
    EXPECT_EQ(rows.row[0], 0);
    EXPECT_EQ(rows.row[2], 2);
    EXPECT_EQ(rows.row[3], 3);
    EXPECT_EQ(rows.row[4], 2) << "a source stands next to its user";
}

TEST(Rows, ShareTheBendsOfAValue) {
    Work work;
    const Rows rows = makeRows(problemOf(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 3}, {0, 4}}), work);
    EXPECT_EQ(rows.bend[4], rows.bend[5]);
    EXPECT_EQ(rows.row.size(), 6U + 3U);
}

TEST(Rows, LetTopAndBottomStandAlone) {
    Work work;
    Problem problem = problemOf(5, {{0, 1}, {1, 4}, {2, 4}, {0, 3}});
    problem.top = 0;
    problem.bottom = 4;
    const Rows rows = makeRows(problem, work);
    EXPECT_EQ(rows.rows.front(), std::vector<int>{0});
    EXPECT_EQ(rows.rows.back(), std::vector<int>{4});
}

TEST(Rows, DoNotBendMoreThanCanBeHandled) {
    Work work;
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i + 1 < 3000; ++i) edges.emplace_back(i, i + 1);
    for (int i = 0; i < 1500; ++i) edges.emplace_back(i, 2999 - i);
    const Rows rows = makeRows(problemOf(3000, edges), work);
    EXPECT_LT(rows.row.size(), 3000U + 20'000U + 12'000U);
    EXPECT_TRUE(rows.loose[2999]);
    EXPECT_FALSE(rows.loose[0]);
}

TEST(Rows, AreOrderedWithoutCrossingsWhereThatIsPossible) {
    Work work;
    Rows tree = makeRows(problemOf(7, {{0, 2}, {0, 1}, {2, 6}, {1, 4}, {2, 5}, {1, 3}}), work);
    orderRows(tree, work);
    EXPECT_EQ(crossings(tree), 0);
    Rows swapped = makeRows(problemOf(6, {{0, 5}, {1, 4}, {2, 3}}), work);
    orderRows(swapped, work);
    EXPECT_EQ(crossings(swapped), 0);
}

TEST(Rows, ArePlacedApartAndWithUprightLongLinks) {
    Work work;
    const Problem problem =
        problemOf(9, {{0, 1}, {1, 2}, {2, 3}, {3, 8}, {0, 8}, {0, 4}, {4, 5}, {5, 8}, {6, 7}, {7, 3}});
    Rows rows = makeRows(problem, work);
    orderRows(rows, work);
    placeRows(rows, work.spacing, work);
    for (const auto& row : rows.rows) {
        for (size_t i = 0; i + 1 < row.size(); ++i) {
            EXPECT_GE(rows.x[row[i + 1]] - rows.x[row[i]],
                      separation(rows, work.spacing, row[i], row[i + 1]) - 1e-9);
        }
    }
    const int bend = rows.bend[4];
    EXPECT_NEAR(rows.x[bend], rows.x[bend + 1], 1e-9);
    EXPECT_NEAR(rows.x[bend], rows.x[bend + 2], 1e-9);
}

TEST(Rows, ArePlacedByDotInTheRowsTheyHave) {
    Work work;
    Rows rows = makeRows(problemOf(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {0, 5}, {5, 4}}), work);
    ASSERT_TRUE(placeWithDot(rows, work.spacing, work));
    for (const auto& row : rows.rows) {
        for (size_t i = 0; i + 1 < row.size(); ++i) {
            EXPECT_GE(rows.x[row[i + 1]] - rows.x[row[i]],
                      separation(rows, work.spacing, row[i], row[i + 1]) - 1e-9);
        }
    }
}

}  // namespace
}  // namespace layout
