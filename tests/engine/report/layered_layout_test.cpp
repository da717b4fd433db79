#include "engine/report/layered_layout.h"

#include <random>

#include <gtest/gtest.h>

namespace engine {
namespace {

LayoutProblem chain(size_t count) {
    LayoutProblem problem;
    for (size_t i = 0; i < count; ++i) {
        problem.boxes.push_back({100, 40});
        if (i > 0) problem.edges.push_back({i - 1, i});
    }
    return problem;
}

LayoutProblem randomGraph(size_t count, unsigned seed) {
    LayoutProblem problem;
    std::mt19937 random(seed);
    for (size_t i = 0; i < count; ++i) {
        problem.boxes.push_back(
            {60.0 + static_cast<double>(random() % 80), 30.0 + static_cast<double>(random() % 30)});
        for (int k = 0; i > 0 && k < 2; ++k) {
            const size_t back = 1 + random() % std::min<size_t>(i, k == 0 ? 3 : 40);
            problem.edges.push_back({i - back, i});
        }
    }
    return problem;
}

bool overlap(const LayoutProblem& problem, const Layout& layout, size_t a, size_t b) {
    const LayoutPoint& p = layout.boxes[a];
    const LayoutPoint& q = layout.boxes[b];
    return p.x < q.x + problem.boxes[b].width && q.x < p.x + problem.boxes[a].width &&
           p.y < q.y + problem.boxes[b].height && q.y < p.y + problem.boxes[a].height;
}

TEST(LayeredLayout, KeepsBoxesApartAndInside) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        const LayoutProblem problem = randomGraph(90, seed);
        const Layout layout = layeredLayout(problem);
        ASSERT_EQ(layout.boxes.size(), problem.boxes.size());
        for (size_t a = 0; a < problem.boxes.size(); ++a) {
            EXPECT_GE(layout.boxes[a].x, -1e-6);
            EXPECT_GE(layout.boxes[a].y, -1e-6);
            EXPECT_LE(layout.boxes[a].x + problem.boxes[a].width, layout.width + 1e-6);
            EXPECT_LE(layout.boxes[a].y + problem.boxes[a].height, layout.height + 1e-6);
            for (size_t b = 0; b < a; ++b) EXPECT_FALSE(overlap(problem, layout, a, b)) << a << ' ' << b;
        }
    }
}

TEST(LayeredLayout, LeadsEveryEdgeFromBoxToBoxDownwards) {
    const LayoutProblem problem = randomGraph(60, 3);
    const Layout layout = layeredLayout(problem);
    for (size_t i = 0; i < problem.edges.size(); ++i) {
        const Layout::Route& route = layout.edges[i];
        ASSERT_FALSE(route.pieces.empty());
        EXPECT_EQ(route.bridges.size() + 1, route.pieces.size());
        const LayoutPoint begin = route.pieces.front().front();
        const LayoutPoint end = route.pieces.back().back();
        const size_t from = problem.edges[i].from;
        const size_t to = problem.edges[i].to;
        EXPECT_NEAR(begin.y, layout.boxes[from].y + problem.boxes[from].height, 1e-6);
        EXPECT_NEAR(end.y, layout.boxes[to].y, 1e-6);
        EXPECT_NEAR(end.x, layout.boxes[to].x + problem.boxes[to].width / 2, 1e-6);
        for (const auto& piece : route.pieces) {
            for (size_t k = 1; k < piece.size(); ++k) EXPECT_GE(piece[k].y, piece[k - 1].y - 1e-6);
        }
    }
}

TEST(LayeredLayout, DrawsAChainStraight) {
    LayoutProblem problem = chain(4);
    problem.aspect = 0.1;
    const Layout layout = layeredLayout(problem);
    EXPECT_EQ(layout.columns, 1U);
    for (const LayoutPoint& box : layout.boxes) EXPECT_NEAR(box.x, layout.boxes[0].x, 1e-6);
}

TEST(LayeredLayout, FoldsALongChainIntoColumns) {
    const Layout layout = layeredLayout(chain(120));
    EXPECT_GT(layout.columns, 3U);
    EXPECT_GT(layout.width / layout.height, 1.0);
    EXPECT_LT(layout.width / layout.height, 3.0);
}

TEST(LayeredLayout, GivesTheSameForTheSame) {
    const Layout a = layeredLayout(randomGraph(70, 5));
    const Layout b = layeredLayout(randomGraph(70, 5));
    for (size_t i = 0; i < a.boxes.size(); ++i) {
        EXPECT_EQ(a.boxes[i].x, b.boxes[i].x);
        EXPECT_EQ(a.boxes[i].y, b.boxes[i].y);
    }
}

TEST(LayeredLayout, TakesNothingAndBoxesWithoutEdges) {
    EXPECT_TRUE(layeredLayout({}).boxes.empty());
    LayoutProblem problem;
    problem.boxes = {{10, 10}, {10, 10}};
    EXPECT_EQ(layeredLayout(problem).boxes.size(), 2U);
}

}  // namespace
}  // namespace engine
