#include "views/graph/layout/protocol.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace layout {
namespace {

std::string complaint(std::string_view json) {
    try {
        parseRequest(json);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Protocol, ReadsBackTheRequestItWrites) {
    Request request;
    request.direction = Direction::right;
    request.engine = Engine::layered;
    request.edgeGap = 7.5;
    request.memoryMb = 512;
    request.nodes = {{.id = 4, .w = 100.5, .h = 30, .group = 2}, {.id = 9, .w = 1, .h = 0, .group = -1}};
    request.edges = {{.from = 4, .to = 9, .fromPort = 1, .toPort = 3}};
    request.groups = {{.id = 2, .parent = -1, .collapsed = true, .w = 80, .h = 40, .header = 18}};
    const Request read = parseRequest(toJson(request));
    EXPECT_EQ(read.direction, Direction::right);
    EXPECT_EQ(read.engine, Engine::layered);
    EXPECT_EQ(read.edgeGap, 7.5);
    EXPECT_EQ(read.memoryMb, 512);
    ASSERT_EQ(read.nodes.size(), 2U);
    EXPECT_EQ(read.nodes[0].w, 100.5);
    EXPECT_EQ(read.nodes[0].group, 2);
    EXPECT_EQ(read.nodes[1].group, -1);
    ASSERT_EQ(read.edges.size(), 1U);
    EXPECT_EQ(read.edges[0].toPort, 3);
    ASSERT_EQ(read.groups.size(), 1U);
    EXPECT_TRUE(read.groups[0].collapsed);
    EXPECT_EQ(read.groups[0].header, 18);
}

TEST(Protocol, FillsInWhatARequestLeavesOut) {
    const Request read = parseRequest(R"({"version":1,"nodes":[[1,20,10],[2,20,10]],"edges":[[1,2]]})");
    EXPECT_EQ(read.direction, Direction::down);
    EXPECT_EQ(read.nodes[0].group, -1);
    EXPECT_EQ(read.edges[0].fromPort, 0);
    EXPECT_TRUE(read.groups.empty());
}

TEST(Protocol, ReadsBackTheResponseItWrites) {
    Response response;
    response.width = 300;
    response.height = 400.25;
    response.nodes = {{.id = 3, .x = 10.04, .y = -0.26}};
    response.groups = {{.id = 1, .x = 0, .y = 1, .w = 2, .h = 3}};
    response.edges = {{.index = 7, .own = 1, .points = {{1, 2}, {1, 20.5}}}};
    response.stats.reused = 12;
    const Response read = parseResponse(toJson(response));
    EXPECT_EQ(read.width, 300);
    EXPECT_DOUBLE_EQ(read.height, 400.3);
    EXPECT_DOUBLE_EQ(read.nodes[0].x, 10);
    EXPECT_DOUBLE_EQ(read.nodes[0].y, -0.3);
    EXPECT_EQ(read.groups[0].h, 3);
    EXPECT_EQ(read.edges[0].index, 7);
    EXPECT_EQ(read.edges[0].own, 1);
    ASSERT_EQ(read.edges[0].points.size(), 2U);
    EXPECT_DOUBLE_EQ(read.edges[0].points[1].y, 20.5);
    EXPECT_EQ(read.stats.reused, 12);
}

TEST(Protocol, SaysWhatIsWrongWithARequest) {
    EXPECT_NE(complaint("").find("is no JSON"), std::string::npos);
    EXPECT_NE(complaint("{\"version\":1,").find("is no JSON"), std::string::npos);
    EXPECT_EQ(complaint("[]"), "the request is a JSON array, expected an object");
    EXPECT_EQ(complaint("{}"), "the request has version null, expected 1");
    EXPECT_EQ(complaint(R"({"version":2})"), "the request has version 2, expected 1");
    EXPECT_EQ(complaint(R"({"version":1,"nodes":7})"), "nodes is a JSON number, expected an array");
    EXPECT_EQ(complaint(R"({"version":1,"nodes":[[1,2]]})"),
              "nodes[0] is [1,2], expected an array of at least 3 numbers");
    EXPECT_EQ(complaint(R"({"version":1,"nodes":[[1,-2,3]]})"),
              "nodes[0][1] is -2, expected a size from 0 to 1e+06");
    EXPECT_EQ(complaint(R"({"version":1,"nodes":[[1,2,3],[1,2,3]]})"),
              "nodes[1] has id 1, expected one of its own, not negative");
    EXPECT_EQ(complaint(R"({"version":1,"nodes":[[1,2,3]],"edges":[[1,5]]})"),
              "edges[0] names node 5, which is not there");
    EXPECT_EQ(complaint(R"({"version":1,"nodes":[[1,2,3,6]]})"),
              "node 1 is in group 6, expected a group's id or -1");
    EXPECT_EQ(complaint(R"({"version":1,"groups":[[1,2,0],[2,1,0]]})"), "group 1 is inside itself");
    EXPECT_EQ(complaint(R"({"version":1,"direction":"up"})"), R"(direction is "up", expected "TB" or "LR")");
    EXPECT_EQ(complaint(R"({"version":1,"memoryMb":1})"), "memoryMb is 1, expected 16 to 1000000");
}

TEST(Protocol, TellsProgressFromTheResponse) {
    double fraction = 0;
    std::string what;
    EXPECT_TRUE(parseProgress(progressLine(0.25, "rows \"a\""), fraction, what));
    EXPECT_EQ(fraction, 0.25);
    EXPECT_EQ(what, "rows \"a\"");
    EXPECT_FALSE(parseProgress(toJson(Response{}), fraction, what));
    EXPECT_FALSE(parseProgress("{\"progress\":", fraction, what));
}

TEST(Protocol, RefusesADamagedResponse) {
    EXPECT_THROW(parseResponse(R"({"version":1,"bounds":[1]})"), std::invalid_argument);
    EXPECT_THROW(parseResponse("{"), std::invalid_argument);
}

TEST(Geometry, DrawsAnUprightEdgeAsALine) {
    Path path;
    extend(path, {.x = 5, .y = 0});
    extend(path, {.x = 5, .y = 10});
    extend(path, {.x = 5, .y = 30});
    EXPECT_EQ(path.size(), 2U);
    EXPECT_EQ(curve(path).size(), 2U);
}

TEST(Geometry, DrawsEveryOtherEdgeAsCubics) {
    for (const Path& path : {Path{{0, 0}, {20, 40}}, Path{{0, 0}, {500, 40}}, Path{{0, 0}, {30, 0}},
                             Path{{0, 10}, {0, 50}, {40, 50}, {40, 0}, {20, 0}, {20, 5}}}) {
        const std::vector<Point> points = curve(path);
        EXPECT_EQ(points.size() % 3, 1U);
        EXPECT_EQ(points.front().x, path.front().x);
        EXPECT_EQ(points.back().x, path.back().x);
        EXPECT_EQ(points.back().y, path.back().y);
    }
}

TEST(Geometry, FindsWhereAPathLeavesAnother) {
    const Path first{{0, 0}, {0, 50}, {40, 70}};
    Path later{{0, 0}, {0, 90}, {40, 110}};
    EXPECT_EQ(splitFrom(later, first), 1U);
    EXPECT_EQ(later.size(), 4U) << "a waypoint where the first turns off";
    EXPECT_EQ(later[1].y, 50);
    Path inside{{0, 0}, {0, 20}, {-40, 40}};
    EXPECT_EQ(splitFrom(inside, first), 1U);
    EXPECT_EQ(inside.size(), 3U);
    Path same = first;
    EXPECT_EQ(splitFrom(same, first), 2U);
    Path other{{5, 0}, {5, 10}};
    EXPECT_EQ(splitFrom(other, first), 0U);
    Path fan{{0, 0}, {30, 40}};
    EXPECT_EQ(splitFrom(fan, first), 0U);
}

}  // namespace
}  // namespace layout
