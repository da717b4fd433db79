#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/support/difference.h"
#include "tests/support/run_text.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Tolerance;

const char* const addToEach = R"(
agraph (seq(float[n]) s, float[1] x) => (seq(float[n]) y) {
    y = SequenceMap <body: graph = b (float[n] e, float[1] a) => (float[n] f) { f = Add(e, a) }> (s, x)
})";

TEST(SequenceMap, RunsTheBodyOnEachItem) {
    const TextRun run =
        runText(addToEach, {sequence({floats({1}, {1}), floats({2}, {2, 3})}), floats({1}, {10})});
    EXPECT_EQ(
        difference(run.outputs[0], sequence({floats({1}, {11}), floats({2}, {12, 13})}), Tolerance::exact),
        "");
}

TEST(SequenceMap, KeepsAnEmptySequenceEmpty) {
    const engine::Datum none = emptySequence(engine::Type::tensor(engine::DataType::float32));
    const TextRun run = runText(addToEach, {none, floats({1}, {10})});
    EXPECT_TRUE(run.outputs[0].sequence().items.empty());
}

TEST(SequenceMap, TakesSequencesStepByStep) {
    const TextRun run = runText(
        R"(
agraph (seq(float[1]) s, seq(float[1]) t) => (seq(float[1]) y) {
    y = SequenceMap <body: graph = b (float[1] e, float[1] a) => (float[1] f) { f = Mul(e, a) }> (s, t)
})",
        {sequence({floats({1}, {2}), floats({1}, {3})}), sequence({floats({1}, {5}), floats({1}, {7})})});
    EXPECT_EQ(difference(run.outputs[0], sequence({floats({1}, {10}), floats({1}, {21})}), Tolerance::exact),
              "");
}

TEST(SequenceMap, RefusesSequencesOfOtherLengths) {
    EXPECT_THROW(runText(R"(
agraph (seq(float[1]) s, seq(float[1]) t) => (seq(float[1]) y) {
    y = SequenceMap <body: graph = b (float[1] e, float[1] a) => (float[1] f) { f = Mul(e, a) }> (s, t)
})",
                         {sequence({floats({1}, {2})}), sequence({floats({1}, {5}), floats({1}, {7})})}),
                 engine::Error);
}

}  // namespace
}  // namespace test
