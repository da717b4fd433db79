#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/support/difference.h"
#include "tests/support/run_text.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Tolerance;

const char* const runningSum = R"(
agraph (float[2] start, float[n, 2] x) => (float[2] last, float[n, 2] sums) {
    last, sums = Scan <num_scan_inputs: int = 1,
                       body: graph = b (float[2] s, float[2] e) => (float[2] t, float[2] u) {
        t = Add(s, e)
        u = Identity(t)
    }> (start, x)
})";

TEST(Scan, CarriesAStateAndStacksResults) {
    const TextRun run = runText(runningSum, {floats({2}, {0, 10}), floats({3, 2}, {1, 2, 3, 4, 5, 6})});
    EXPECT_EQ(difference(run.outputs[0], floats({2}, {9, 22}), Tolerance::exact), "");
    EXPECT_EQ(difference(run.outputs[1], floats({3, 2}, {1, 12, 4, 16, 9, 22}), Tolerance::exact), "");
    EXPECT_EQ(typeText(run.inferred[0]), "float[2]");
    EXPECT_EQ(typeText(run.inferred[1]), "float[n, 2]");
}

TEST(Scan, GivesEmptyResultsForNothingToScan) {
    const TextRun run = runText(runningSum, {floats({2}, {0, 10}), floats({0, 2}, {})});
    EXPECT_EQ(difference(run.outputs[0], floats({2}, {0, 10}), Tolerance::exact), "");
    EXPECT_EQ(difference(run.outputs[1], floats({0, 2}, {}), Tolerance::exact), "");
}

TEST(Scan, RunsAlongOtherAxesAndBackwards) {
    const TextRun run = runText(R"(
agraph (float s, float[2, 3] x) => (float last, float[2, 3] y) {
    last, y = Scan <num_scan_inputs: int = 1, scan_input_axes: ints = [1], scan_input_directions: ints = [1],
                    scan_output_axes: ints = [-1], scan_output_directions: ints = [1],
                    body: graph = b (float a, float[2] e) => (float c, float[2] f) {
        sum = ReduceSum <keepdims: int = 0> (e)
        c = Add(a, sum)
        f = Add(e, c)
    }> (s, x)
})",
                                {floats({}, {0}), floats({2, 3}, {1, 2, 3, 4, 5, 6})});
    EXPECT_EQ(difference(run.outputs[0], floats({}, {21}), Tolerance::exact), "");
    // Columns from the last: sums 9, 16, 21; results are put from the back.
    EXPECT_EQ(difference(run.outputs[1], floats({2, 3}, {22, 18, 12, 25, 21, 15}), Tolerance::exact), "");
}

TEST(Scan, HasABatchInItsFirstOpset) {
    const TextRun run =
        runText(R"(<ir_version: 3, opset_import: ["" : 8]>
agraph (int64[2] lens, float[2, 1] start, float[2, 2, 1] x) => (float[2, 1] last, float[2, 2, 1] sums) {
    last, sums = Scan <num_scan_inputs: int = 1,
                       body: graph = b (float[1] s, float[1] e) => (float[1] t, float[1] u) {
        t = Add(s, e)
        u = Identity(t)
    }> (lens, start, x)
})",
                {int64s({2}, {2, 1}), floats({2, 1}, {0, 5}), floats({2, 2, 1}, {1, 2, 3, 4})});
    EXPECT_EQ(difference(run.outputs[0], floats({2, 1}, {3, 8}), Tolerance::exact), "");
    EXPECT_EQ(difference(run.outputs[1], floats({2, 2, 1}, {1, 3, 8, 0}), Tolerance::exact), "");
}

TEST(Scan, RefusesInputsOfOtherLengths) {
    try {
        runText(R"(
agraph (float[n] x, float[m] y) => (float[k] z) {
    z = Scan <num_scan_inputs: int = 2, body: graph = b (float a, float c) => (float d) { d = Add(a, c) }> (x, y)
})",
                {floats({2}, {1, 2}), floats({3}, {1, 2, 3})});
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_NE(std::string(error.what()).find("found 2 and 3"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace test
