#include <gtest/gtest.h>

#include "tests/views/graph/layout/scenes.h"
#include "views/graph/layout/scene.h"

namespace layout {
namespace {

/// Two groups of three nodes in a chain, with a skip over both, the second group inside a third.
Request twoGroups() {
    Request request =
        scenes::graph(8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {0, 7}, {1, 5}});
    for (const int i : {1, 2, 3}) request.nodes[i].group = 10;
    for (const int i : {4, 5, 6}) request.nodes[i].group = 20;
    request.groups = {{.id = 10}, {.id = 20, .parent = 30}, {.id = 30, .header = 40}};
    return request;
}

void expectNoFaults(Request request) {
    for (const Direction direction : {Direction::down, Direction::right}) {
        request.direction = direction;
        EXPECT_EQ(scenes::faults(request, layoutScene(request)), "");
    }
}

TEST(Groups, HoldTheirMembers) {
    const Request request = twoGroups();
    const Response response = layoutScene(request);
    ASSERT_EQ(response.groups.size(), 3U);
    EXPECT_EQ(response.edges.size(), request.edges.size());
    expectNoFaults(request);
}

TEST(Groups, LeaveRoomForTheirTitle) {
    const Request request = twoGroups();
    const Response response = layoutScene(request);
    const auto& outer = response.groups[2];
    const auto& inner = response.groups[1];
    EXPECT_GE(inner.y - outer.y, 40);
    EXPECT_GE(scenes::nodeOf(response, 4).y - inner.y, 24);
}

TEST(Groups, HideTheirMembersWhenCollapsed) {
    Request request = twoGroups();
    request.groups[2].collapsed = true;
    request.groups[2].w = 150;
    request.groups[2].h = 44;
    const Response response = layoutScene(request);
    EXPECT_EQ(response.nodes.size(), 5U);
    ASSERT_EQ(response.groups.size(), 2U);
    EXPECT_EQ(response.groups[1].id, 30);
    EXPECT_EQ(response.groups[1].w, 150);
    EXPECT_EQ(response.edges.size(), request.edges.size() - 2);
    expectNoFaults(request);
}

TEST(Groups, MayBeEmptyOrDependOnEachOther) {
    Request request = scenes::graph(4, {{0, 1}, {1, 2}, {2, 3}});
    request.nodes[0].group = request.nodes[2].group = 1;
    request.nodes[1].group = request.nodes[3].group = 2;
    request.groups = {{.id = 1}, {.id = 2}, {.id = 3}};
    expectNoFaults(request);
}

TEST(Groups, KeepTheirWidthForTheTitle) {
    Request request = twoGroups();
    request.groups[0].w = 400;
    EXPECT_GE(layoutScene(request).groups[0].w, 400);
}

TEST(Groups, OfEqualInsidesAreLaidOutOnce) {
    Request request = scenes::decoder(8);
    const int perBlock = (static_cast<int>(request.nodes.size()) - 3) / 8;
    for (int block = 0; block < 8; ++block) {
        request.groups.push_back({.id = block});
        for (int i = 0; i < perBlock; ++i) request.nodes[2 + block * perBlock + i].group = block;
    }
    const Response response = layoutScene(request);
    EXPECT_EQ(scenes::faults(request, response), "");
    for (const auto& group : response.groups) {
        EXPECT_NEAR(group.w, response.groups[0].w, 1e-6);
        EXPECT_NEAR(group.h, response.groups[0].h, 1e-6);
    }
    EXPECT_LE(response.stats.dot, 3);
}

TEST(Groups, ByTheDozenInRandomGraphsHaveNoFaults) {
    for (unsigned seed = 1; seed <= 15; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Request request = scenes::random(90, 10, seed);
        for (int i = 0; i < 12; ++i) {
            request.groups.push_back(
                {.id = i, .parent = i < 4 ? -1 : i / 3 - 1, .collapsed = i % 5 == 4, .w = 100, .h = 40});
        }
        for (int i = 0; i < 90; ++i)
            request.nodes[i].group = static_cast<int>((i / 8 + i * seed / 7) % 13) - 1;
        expectNoFaults(request);
    }
}

}  // namespace
}  // namespace layout
