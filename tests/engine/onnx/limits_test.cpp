#include "engine/core/limits.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

/// y by functions three deep, 7 calls in all, with an If around.
constexpr const char* nested = R"(<ir_version: 10, opset_import: ["" : 18, "f" : 1]>
    agraph (bool c, float[2] x) => (float[2] y) {
        y = If(c) <then_branch = t () => (float[2] u) { u = f.outer(x) },
                   else_branch = e () => (float[2] v) { v = Neg(x) }>
    }
    <domain: "f", opset_import: ["" : 18, "f" : 1]> outer (a) => (b) { m = f.middle(a)  b = f.middle(m) }
    <domain: "f", opset_import: ["" : 18, "f" : 1]> middle (a) => (b) { m = f.inner(a)  b = f.inner(m) }
    <domain: "f", opset_import: ["" : 18]> inner (a) => (b) { b = Neg(a) })";

/// What keeps the model from being run once it is opened within the limits.
std::string obstacle(const OpenLimits& limits) {
    const test::TemporaryFolder folder;
    Observer observer;
    return Model::open(folder.write("model.onnxtxt", nested), observer, limits)->obstacle;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(OpenLimits, LetThroughWhatIsWithin) {
    EXPECT_EQ(obstacle({}), "");
    EXPECT_EQ(obstacle({.functionCalls = 7, .functionDepth = 3}), "");
}

TEST(OpenLimits, NameTheOneThatIsExceeded) {
    const std::string calls = obstacle({.functionCalls = 6});
    EXPECT_TRUE(contains(calls, "more than 6 calls (limit-function-calls)")) << calls;
    EXPECT_TRUE(contains(calls, "(If)")) << calls;
    const std::string depth = obstacle({.functionDepth = 2});
    EXPECT_TRUE(contains(depth, "more than 2 deep (limit-function-depth)")) << depth;
    const std::string nodes = obstacle({.functionNodes = 3});
    EXPECT_TRUE(contains(nodes, "more than 3 nodes (limit-function-nodes)")) << nodes;
}

}  // namespace
}  // namespace engine
