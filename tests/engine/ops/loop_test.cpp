#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/support/difference.h"
#include "tests/support/run_text.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Tolerance;

// Doubles v in each turn, and keeps every result.
const char* const doubling = R"(
agraph (int64 n, bool c, float[1] x) => (float[1] y, float[k, 1] all) {
    y, all = Loop (n, c, x) <body: graph = b (int64 i, bool ci, float[1] v) => (bool co, float[1] w, float[1] s) {
        co = Identity(ci)
        w = Add(v, v)
        s = Identity(w)
    }>
})";

TEST(Loop, CarriesAValueAndStacksScans) {
    const TextRun run = runText(doubling, {int64s({}, {3}), bools({}, {true}), floats({1}, {1})});
    EXPECT_EQ(difference(run.outputs[0], floats({1}, {8}), Tolerance::exact), "");
    EXPECT_EQ(difference(run.outputs[1], floats({3, 1}, {2, 4, 8}), Tolerance::exact), "");
    EXPECT_EQ(typeText(run.inferred[0]), "float[1]");
}

TEST(Loop, GivesEmptyScansForNoTurns) {
    const TextRun run = runText(doubling, {int64s({}, {0}), bools({}, {true}), floats({1}, {5})});
    EXPECT_EQ(difference(run.outputs[0], floats({1}, {5}), Tolerance::exact), "");
    EXPECT_EQ(difference(run.outputs[1], floats({0, 1}, {}), Tolerance::exact), "");
}

TEST(Loop, MakesNoTurnIfTheConditionIsFalse) {
    const TextRun run = runText(doubling, {int64s({}, {3}), bools({}, {false}), floats({1}, {5})});
    EXPECT_EQ(difference(run.outputs[0], floats({1}, {5}), Tolerance::exact), "");
}

TEST(Loop, EndsWhenTheBodySaysSo) {
    const TextRun run = runText(R"(
agraph (float[1] x) => (float[1] y) <float[1] limit = {100}> {
    y = Loop ("", "", x) <body: graph = b (int64 i, bool ci, float[1] v) => (bool co, float[1] w) {
        w = Mul(v, v)
        less = Less(w, limit)
        co = Squeeze(less)
    }>
})",
                                {floats({1}, {3})});
    EXPECT_EQ(difference(run.outputs[0], floats({1}, {6561}), Tolerance::exact), "");
}

TEST(Loop, CountsTurnsAndSeesTheValuesAroundIt) {
    const TextRun run = runText(R"(
agraph (int64 n, int64 start) => (int64 y) {
    y = Loop (n, "", start) <body: graph = b (int64 i, bool ci, int64 v) => (bool co, int64 w) {
        co = Identity(ci)
        t = Mul(i, start)
        w = Add(v, t)
    }>
})",
                                {int64s({}, {4}), int64s({}, {10})});
    EXPECT_EQ(difference(run.outputs[0], int64s({}, {70}), Tolerance::exact), "");
}

TEST(Loop, CarriesATensorThatGrows) {
    const TextRun run = runText(R"(
agraph (int64 n, float[1] x) => (float[m] y) {
    y = Loop (n, "", x) <body: graph = b (int64 i, bool ci, float[k] v) => (bool co, float[j] w) {
        co = Identity(ci)
        w = Concat <axis: int = 0> (v, x)
    }>
})",
                                {int64s({}, {2}), floats({1}, {7})});
    EXPECT_EQ(difference(run.outputs[0], floats({3}, {7, 7, 7}), Tolerance::exact), "");
    ASSERT_TRUE(run.inferred[0].shape.has_value());
    EXPECT_FALSE((*run.inferred[0].shape)[0].isNumber());
}

TEST(Loop, CarriesASequence) {
    const TextRun run = runText(R"(
agraph (int64 n, float[1] x) => (float[1] y) {
    none = SequenceEmpty()
    s = Loop (n, "", none) <body: graph = b (int64 i, bool ci, seq(float[1]) v) => (bool co, seq(float[1]) w) {
        co = Identity(ci)
        f = Cast <to: int = 1> (i)
        e = Add(x, f)
        w = SequenceInsert(v, e)
    }>
    last = Constant <value: tensor = int64 {-1}> ()
    y = SequenceAt(s, last)
})",
                                {int64s({}, {3}), floats({1}, {10})});
    EXPECT_EQ(difference(run.outputs[0], floats({1}, {12}), Tolerance::exact), "");
}

TEST(Loop, KnowsTheLengthOfScansWhereTurnsAreCounted) {
    const TextRun run = runText(R"(
agraph (float[2] x) => (y, all) <int64 n = {3}, bool t = {1}> {
    y, all = Loop (n, t, x) <body: graph = b (int64 i, bool ci, v) => (bool co, w, s) {
        co = Identity(ci)
        w = Add(v, x)
        s = Neg(w)
    }>
})",
                                {floats({2}, {1, 2})});
    EXPECT_EQ(typeText(run.inferred[1]), "float[3, 2]");
    EXPECT_EQ(difference(run.outputs[1], floats({3, 2}, {-2, -4, -3, -6, -4, -8}), Tolerance::exact), "");
}

TEST(Loop, RefusesScansThatChangeShape) {
    try {
        runText(R"(
agraph (int64 n, float[1] x) => (float[m] y, all) {
    y, all = Loop (n, "", x) <body: graph = b (int64 i, bool ci, float[k] v) => (bool co, float[j] w, s) {
        co = Identity(ci)
        w = Concat <axis: int = 0> (v, x)
        s = Identity(w)
    }>
})",
                {int64s({}, {2}), floats({1}, {7})});
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_NE(std::string(error.what()).find("scan output 0: found float[3], expected float[2]"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace test
