#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"
#include "tests/support/paths.h"

namespace test {
namespace {

using LimitsOnTheCommandLine = CommandLine;

TEST_F(LimitsOnTheCommandLine, NameTheFlagThatRaisesThem) {
    const std::pair<const char*, const char*> limits[] = {{"--limit-seconds", "1e-9"},
                                                          {"--limit-node-seconds", "1e-9"},
                                                          {"--limit-memory", "8"},
                                                          {"--limit-node-memory", "8"},
                                                          {"--limit-elements", "3"}};
    for (const char* command : {"run", "profile"}) {
        for (const auto& [flag, value] : limits) {
            const std::string problem =
                problemOf({command, smallModelFile(), "--providers", "reference", flag, value});
            EXPECT_TRUE(contains(problem, "(" + std::string(flag).substr(2) + ")")) << problem;
        }
    }
}

TEST_F(LimitsOnTheCommandLine, SayWhatWasFoundAtWhichNode) {
    const std::string problem =
        problemOf({"run", smallModelFile(), "--no-optimize", "--limit-elements", "3"});
    EXPECT_TRUE(
        contains(problem, "node #0 (Flatten): output 'y' has 4 elements, the limit is 3 (limit-elements)") ||
        contains(problem, "node #1 (Softmax): output 'p' has 4 elements, the limit is 3 (limit-elements)"))
        << problem;
}

TEST_F(LimitsOnTheCommandLine, AlsoBoundWhatIsOpened) {
    const std::string sample = (sourceDir() / "resources/sample/digits.onnx").string();
    EXPECT_TRUE(
        contains(problemOf({"run", sample, "--limit-nesting", "2"}), "more than 2 deep (limit-nesting)"));
    EXPECT_TRUE(contains(runTo(0, {"info", sample, "--limit-nesting", "2"}).out, "(limit-nesting)"));
    const std::string calls = folder_
                                  .write("calls.onnxtxt", R"(
<ir_version: 10, opset_import: ["" : 18, "f" : 1]>
calls (float[2] x) => (float[2] y) { m = f.twice(x)  y = f.twice(m) }
<domain: "f", opset_import: ["" : 18]> twice (a) => (b) { b = Add(a, a) }
)")
                                  .string();
    runTo(0, {"run", calls, "--limit-function-calls", "2"});
    EXPECT_TRUE(contains(problemOf({"run", calls, "--limit-function-calls", "1"}), "(limit-function-calls)"));
    EXPECT_TRUE(contains(problemOf({"run", calls, "--limit-function-nodes", "1"}), "(limit-function-nodes)"));
}

TEST_F(LimitsOnTheCommandLine, KeepAnAllocationThatCannotBeMetFromEndingTheProcess) {
    // 4 TB: the system would promise them.
    const std::string problem = problemOf({"run", smallModelFile(), "--shape", "x=250000000000,2,2"});
    EXPECT_TRUE(contains(problem, "input 'x' cannot be made up: ")) << problem;
    EXPECT_TRUE(contains(problem, "4000000000000 bytes, which cannot be had")) << problem;
}

}  // namespace
}  // namespace test
