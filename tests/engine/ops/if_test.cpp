#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/support/difference.h"
#include "tests/support/run_text.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Tolerance;

const char* const ranksDiffer = R"(
agraph (bool c, float[3] x) => (float[] y) {
    y = If (c) <then_branch: graph = t () => (float[3] p) { p = Mul(x, x) },
                else_branch: graph = e () => (float s) { s = ReduceSum <keepdims: int = 0> (x) }>
})";

TEST(If, RunsTheChosenBranch) {
    const TextRun run = runText(R"(
agraph (bool c, float[2] x) => (float[2] y) {
    y = If (c) <then_branch: graph = t () => (float[2] p) { p = Add(x, x) },
                else_branch: graph = e () => (float[2] n) { n = Neg(x) }>
})",
                                {bools({}, {true}), floats({2}, {1, -2})});
    EXPECT_EQ(difference(run.outputs[0], floats({2}, {2, -4}), Tolerance::exact), "");
    EXPECT_EQ(typeText(run.inferred[0]), "float[2]");
}

TEST(If, TakesAConditionOfOneElement) {
    const TextRun run = runText(ranksDiffer, {bools({}, {true}), floats({3}, {1, -2, 3})});
    EXPECT_EQ(difference(run.outputs[0], floats({3}, {1, 4, 9}), Tolerance::exact), "");
}

TEST(If, LeavesTheRankOpenWhereBranchesDiffer) {
    const TextRun run = runText(ranksDiffer, {bools({}, {false}), floats({3}, {1, -2, 3})});
    EXPECT_EQ(difference(run.outputs[0], floats({}, {2}), Tolerance::exact), "");
}

TEST(If, GivesTheTypeOfTheBranchThatAConstantConditionChooses) {
    const TextRun run = runText(R"(
agraph (float[3] x) => (y) <bool c = {0}> {
    y = If (c) <then_branch: graph = t () => (p) { p = Identity(x) },
                else_branch: graph = e () => (s) { s = ReduceSum <keepdims: int = 0> (x) }>
})",
                                {floats({3}, {1, -2, 3})});
    EXPECT_EQ(difference(run.outputs[0], floats({}, {2}), Tolerance::exact), "");
    EXPECT_EQ(typeText(run.inferred[0]), "float[]");
}

TEST(If, NestsAndSeesTheValuesAroundIt) {
    const TextRun run = runText(R"(
agraph (bool a, bool b, float[1] x) => (float[1] y) {
    z = Add(x, x)
    y = If (a) <then_branch: graph = t () => (float[1] p) {
                    p = If (b) <then_branch: graph = tt () => (float[1] q) { q = Mul(z, x) },
                                else_branch: graph = te () => (float[1] r) { r = Neg(z) }>
                },
                else_branch: graph = e () => (float[1] n) { n = Identity(x) }>
})",
                                {bools({}, {true}), bools({}, {false}), floats({1}, {3})});
    EXPECT_EQ(difference(run.outputs[0], floats({1}, {-6}), Tolerance::exact), "");
}

TEST(If, RefusesAConditionOfManyElements) {
    EXPECT_THROW(runText(R"(
agraph (bool[2] c, float[1] x) => (float[1] y) {
    y = If (c) <then_branch: graph = t () => (float[1] p) { p = Add(x, x) },
                else_branch: graph = e () => (float[1] n) { n = Neg(x) }>
})",
                         {bools({2}, {true, false}), floats({1}, {1})}),
                 engine::Error);
}

}  // namespace
}  // namespace test
