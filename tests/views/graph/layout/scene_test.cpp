#include "views/graph/layout/scene.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/views/graph/layout/scenes.h"

namespace layout {
namespace {

using scenes::nodeOf;

double centreOf(const Request& request, const Response& response, int id) {
    return nodeOf(response, id).x + request.nodes[id].w / 2;
}

/// Lays out with both engines, expects no faults, and gives the first.
Response laidOut(Request request) {
    request.engine = Engine::layered;
    EXPECT_EQ(scenes::faults(request, layoutScene(request)), "");
    request.engine = Engine::automatic;
    Response response = layoutScene(request);
    EXPECT_EQ(scenes::faults(request, response), "");
    return response;
}

TEST(Scene, IsEmptyWithoutNodes) {
    const Response response = laidOut({});
    EXPECT_TRUE(response.nodes.empty());
    EXPECT_TRUE(response.edges.empty());
}

TEST(Scene, PlacesASingleNodeAtTheMargin) {
    const Response response = laidOut(scenes::nodes(1));
    EXPECT_EQ(response.nodes.at(0).x, 16);
    EXPECT_EQ(response.width, 80 + 32);
}

TEST(Scene, KeepsAChainStraight) {
    Request request = scenes::graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    request.nodes[2].w = 200;
    const Response response = laidOut(request);
    for (int i = 1; i < 5; ++i) {
        EXPECT_EQ(centreOf(request, response, i), centreOf(request, response, 0));
        EXPECT_GT(nodeOf(response, i).y, nodeOf(response, i - 1).y);
    }
    for (const auto& edge : response.edges) EXPECT_EQ(edge.points.size(), 2U);
}

TEST(Scene, KeepsTheMainWayStraightPastASkip) {
    const Request request = scenes::graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 3}});
    const Response response = laidOut(request);
    for (int i = 1; i < 5; ++i) EXPECT_EQ(centreOf(request, response, i), centreOf(request, response, 0));
}

TEST(Scene, LaysOutEqualBranchesSymmetrically) {
    const Request request =
        scenes::graph(8, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 7}, {5, 7}, {6, 7}});
    const Response response = laidOut(request);
    const double axis = centreOf(request, response, 0);
    EXPECT_EQ(centreOf(request, response, 7), axis);
    EXPECT_EQ(centreOf(request, response, 2), axis);
    EXPECT_DOUBLE_EQ(axis - centreOf(request, response, 1), centreOf(request, response, 3) - axis);
    EXPECT_EQ(nodeOf(response, 1).y, nodeOf(response, 3).y);
}

TEST(Scene, OrdersBranchesByThePortTheyEnter) {
    Request request = scenes::graph(5, {{0, 1}, {0, 2}, {0, 3}});
    request.edges.push_back({.from = 1, .to = 4, .toPort = 2});
    request.edges.push_back({.from = 2, .to = 4, .toPort = 0});
    request.edges.push_back({.from = 3, .to = 4, .toPort = 1});
    const Response response = laidOut(request);
    EXPECT_LT(nodeOf(response, 2).x, nodeOf(response, 3).x);
    EXPECT_LT(nodeOf(response, 3).x, nodeOf(response, 1).x);
}

TEST(Scene, OrdersBranchesByThePortTheyLeave) {
    Request request = scenes::graph(3, {});
    request.edges = {{.from = 0, .to = 1, .fromPort = 1}, {.from = 0, .to = 2, .fromPort = 0}};
    const Response response = laidOut(request);
    EXPECT_LT(nodeOf(response, 2).x, nodeOf(response, 1).x);
}

TEST(Scene, KeepsValuesApartThatABranchShares) {
    // Node 0 has two values; one branch uses both, another one of them.
    Request request = scenes::graph(5, {});
    request.edges = {{.from = 0, .to = 1, .fromPort = 0, .toPort = 0},
                     {.from = 0, .to = 1, .fromPort = 1, .toPort = 1},
                     {.from = 0, .to = 2, .fromPort = 1},
                     {.from = 1, .to = 3},
                     {.from = 2, .to = 3, .toPort = 1},
                     {.from = 3, .to = 4}};
    const Response response = laidOut(request);
    const auto& first = response.edges[0].points;
    const auto& second = response.edges[1].points;
    EXPECT_LT(first.front().x, second.front().x);
    EXPECT_LT(first.back().x, second.back().x);
    EXPECT_EQ(second.front().x, response.edges[2].points.front().x);
}

TEST(Scene, DrawsTwoEdgesBetweenTheSameNodesApart) {
    const Response response = laidOut(scenes::graph(2, {{0, 1}, {0, 1}}));
    ASSERT_EQ(response.edges.size(), 2U);
    EXPECT_NE(response.edges[0].points.back().x, response.edges[1].points.back().x);
}

TEST(Scene, SurvivesSelfLoopsAndCycles) {
    const Response loop = laidOut(scenes::graph(1, {{0, 0}}));
    EXPECT_EQ(loop.edges.size(), 1U);
    laidOut(scenes::graph(2, {{0, 1}, {1, 0}}));
    laidOut(scenes::graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 4}}));
    laidOut(scenes::graph(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}, {5, 0}}));
}

TEST(Scene, ShelvesWhatIsNotConnected) {
    const Response response = laidOut(scenes::nodes(100));
    EXPECT_LT(response.width, 3 * response.height);
    EXPECT_LT(response.height, 3 * response.width);
}

TEST(Scene, PlacesRandomGraphsWithoutFaults) {
    for (const int window : {2, 5, 40}) {
        for (unsigned seed = 1; seed <= 12; ++seed) {
            SCOPED_TRACE(testing::Message() << "window " << window << " seed " << seed);
            laidOut(scenes::random(20 + 15 * static_cast<int>(seed), window, seed));
        }
    }
}

TEST(Scene, PlacesRandomCyclicGraphsWithoutFaults) {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Request request = scenes::random(60, 8, seed);
        for (size_t i = 0; i < request.edges.size(); i += 9)
            std::swap(request.edges[i].from, request.edges[i].to);
        laidOut(request);
    }
}

TEST(Scene, PlacesGraphsOfManyCyclesWithoutFaults) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 generator(seed);
        const int count = 40 * static_cast<int>(seed);
        std::vector<std::pair<int, int>> edges;
        for (int i = 0; i < 2 * count; ++i) {
            const int from = static_cast<int>(generator() % count);
            edges.emplace_back(from, static_cast<int>(generator() % count));
        }
        laidOut(scenes::graph(count, edges));
    }
}

TEST(Scene, RunsToTheRight) {
    Request request = scenes::random(60, 5, 3);
    request.direction = Direction::right;
    const Response response = laidOut(request);
    EXPECT_GT(response.width, response.height);
}

TEST(Scene, AnswersTheSameTwice) {
    const Request request = scenes::decoder(6);
    EXPECT_EQ(toJson(layoutScene(request)), toJson(layoutScene(request)));
}

TEST(Scene, LaysOutRepeatedBlocksOnceAndAlike) {
    const Request request = scenes::decoder(12);
    const Response response = laidOut(request);
    const Response half = layoutScene(scenes::decoder(6));
    EXPECT_EQ(response.stats.dot, half.stats.dot);
    EXPECT_LE(response.stats.parts, half.stats.parts + 2);
    const int perBlock = (static_cast<int>(request.nodes.size()) - 3) / 12;
    for (int i = 2; i < 2 + perBlock; ++i) {
        const int a = i + 4 * perBlock;
        const int b = i + 5 * perBlock;
        EXPECT_NEAR(centreOf(request, response, a), centreOf(request, response, b), 1e-6);
    }
}

TEST(Scene, LeadsAValueThatAllBlocksUseInALane) {
    const Response response = laidOut(scenes::decoder(12));
    EXPECT_LT(response.width, 1500);
    // Drawn from the first block to the last, the mask's edges share one line.
    std::set<double> lanes;
    for (const auto& edge : response.edges) {
        if (edge.points.back().y - edge.points.front().y < 0.5 * response.height) continue;
        double farthest = 0;
        for (const Point point : edge.points) farthest = std::max(farthest, point.x);
        lanes.insert(farthest);
    }
    EXPECT_EQ(lanes.size(), 1U);
}

TEST(Scene, SaysWhichPartOfAnEdgeIsItsOwn) {
    const Request request = scenes::decoder(12);
    const Response response = laidOut(request);
    double all = 0;
    double own = 0;
    for (const auto& edge : response.edges) {
        ASSERT_GE(edge.own, 0);
        ASSERT_LT(edge.own, static_cast<int>(edge.points.size()));
        ASSERT_TRUE(edge.points.size() == 2 || edge.own % 3 == 0);
        if (request.edges[edge.index].from != 1) continue;
        const double end = edge.points.back().y;
        all += end - edge.points.front().y;
        own += end - edge.points[edge.own].y;
    }
    EXPECT_LT(own, 0.3 * all) << "the lines from the mask are one line";
}

// 36,000 nodes: the work must grow with the size, not with its square. Counted, so that it holds on any
// machine.
TEST(Scene, LaysOutAHugeDecoderWithLittleWork) {
    const Request small = scenes::decoder(50);
    const Request huge = scenes::decoder(540);
    ASSERT_GT(huge.nodes.size(), 36'000U);
    const Response response = layoutScene(huge);
    EXPECT_EQ(response.nodes.size(), huge.nodes.size());
    EXPECT_LT(response.stats.operations, 100 * static_cast<std::int64_t>(huge.nodes.size()));
    EXPECT_LT(response.stats.operations, 15 * layoutScene(small).stats.operations);
    EXPECT_EQ(scenes::faults(huge, response), "");
}

TEST(Scene, LaysOutAHugeGraphWithoutStructureWithBoundedWork) {
    const Request huge = scenes::random(20'000, 20'000, 7);
    const Response response = layoutScene(huge);
    EXPECT_EQ(response.nodes.size(), huge.nodes.size());
    EXPECT_LT(response.stats.operations, 1000 * static_cast<std::int64_t>(huge.nodes.size()));
}

TEST(Scene, ReportsProgressThatGrows) {
    double last = -1;
    int count = 0;
    layoutScene(scenes::decoder(30), [&](double fraction, std::string_view what) {
        EXPECT_GT(fraction, last);
        EXPECT_LE(fraction, 1);
        EXPECT_FALSE(what.empty());
        last = fraction;
        ++count;
    });
    EXPECT_GT(count, 20);
    EXPECT_LE(count, 101);
}

}  // namespace
}  // namespace layout
