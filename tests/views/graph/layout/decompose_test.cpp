#include "views/graph/layout/decompose.h"

#include <gtest/gtest.h>

namespace layout {
namespace {

using Edges = std::vector<std::pair<int, int>>;

Problem problemOf(int count, const Edges& edges) {
    Problem problem;
    problem.items.resize(count);
    for (const auto& [from, to] : edges)
        problem.links.push_back({.from = from, .to = to, .fromShift = {}, .toShift = {}});
    return problem;
}

Chain chainOf(const Problem& problem) {
    Work work;
    return cutIntoChain(problem, work);
}

TEST(Decompose, ClosesNothingInAnAcyclicGraph) {
    const Edges edges{{3, 1}, {1, 0}, {3, 0}, {0, 2}};
    EXPECT_EQ(closingEdges(4, edges), std::vector<bool>(4, false));
}

TEST(Decompose, ClosesACycleWhereTheWalkComesBack) {
    const Edges edges{{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}};
    EXPECT_EQ(closingEdges(4, edges), (std::vector<bool>{false, false, true, false, true}));
}

TEST(Decompose, WalksDeepGraphsWithoutRecursion) {
    Edges edges;
    for (int i = 0; i + 1 < 200'000; ++i) edges.emplace_back(i, i + 1);
    edges.emplace_back(199'999, 0);
    EXPECT_TRUE(closingEdges(200'000, edges).back());
}

TEST(Decompose, FindsComponentsInOrderOfTheirFirstMember) {
    const Edges edges{{4, 0}, {3, 1}};
    EXPECT_EQ(components(5, edges), (std::vector<std::vector<int>>{{0, 4}, {1, 3}, {2}}));
}

TEST(Decompose, CutsAtEveryItemThatAllWaysPass) {
    // 0 - (1, 2) - 3 - 4 - (5, 6) - 7
    const Chain chain =
        chainOf(problemOf(8, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {4, 6}, {5, 7}, {6, 7}}));
    EXPECT_EQ(chain.waists, (std::vector<int>{0, 3, 4, 7}));
    EXPECT_EQ(chain.block, (std::vector<int>{0, 1, 1, 1, 2, 3, 3, 3}));
}

TEST(Decompose, PutsASideInputNextToItsUser) {
    // 0 - 1 - 2 - 3, and 4 into 3.
    const Chain chain = chainOf(problemOf(5, {{0, 1}, {1, 2}, {2, 3}, {4, 3}}));
    EXPECT_EQ(chain.waists, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(chain.block[4], chain.block[3]);
}

TEST(Decompose, LetsALongLinkPassWhereThatPays) {
    // Twenty diamonds in a row; one value of the first is used by all.
    Edges edges;
    for (int i = 0; i < 20; ++i) {
        const int at = 5 * i;
        for (const auto& [from, to] : Edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}}) {
            if (at + to < 101) edges.emplace_back(at + from, at + to);
        }
        if (i > 0) edges.emplace_back(1, at + 3);
    }
    const Chain chain = chainOf(problemOf(101, edges));
    EXPECT_GT(chain.waists.size(), 15U);
}

TEST(Decompose, KeepsASmallGraphWithALongLinkWhole) {
    Edges edges;
    for (int i = 0; i < 12; ++i) edges.emplace_back(i, i + 1);
    edges.emplace_back(0, 12);
    EXPECT_EQ(chainOf(problemOf(13, edges)).waists, (std::vector<int>{0, 12}));
}

TEST(Decompose, LeavesBackLinksOutOfAccount) {
    Problem problem = problemOf(3, {{0, 1}, {1, 2}, {2, 0}});
    problem.links[2].back = true;
    EXPECT_EQ(chainOf(problem).waists, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace layout
