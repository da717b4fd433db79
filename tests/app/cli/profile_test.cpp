#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"

namespace test {
namespace {

class Profile : public CommandLine {
protected:
    std::vector<std::string> profileSmall(std::vector<std::string> more) const {
        more.insert(more.begin(), {"profile", smallModelFile(), "--providers", "reference"});
        return more;
    }
    std::string loopModelFile() const {
        return folder_
            .write("loop.onnxtxt", R"(
<ir_version: 8, opset_import: ["" : 17]>
turns (float[4] x) => (float[4] y)
{
    count = Constant<value = int64 {10}>()
    go = Constant<value = bool {1}>()
    y = Loop(count, go, x) <body = turn (int64 i, bool on, float[4] a) => (bool next, float[4] b) {
        next = Identity(on)
        b = Softmax(a)
    }>
}
)")
            .string();
    }
};

TEST_F(Profile, MeasuresAsManyRunsAsAskedFor) {
    const nlohmann::json json = jsonOf(profileSmall({"--runs", "7"}));
    EXPECT_EQ(json.at("latencies_ns").size(), 7U);
    EXPECT_EQ(json.at("latency").at("count"), 7);
    EXPECT_LE(json.at("latency").at("low_ns"), json.at("latency").at("median_ns"));
    EXPECT_GT(json.at("cold_start").at("compile_ns"), 0);
    EXPECT_EQ(json.at("inputs")[0].at("type"), "float[1, 2, 2]");
    EXPECT_TRUE(contains(json.at("stop_reason"), "7 runs"));
}

TEST_F(Profile, TellsTimePerStepAndPerType) {
    const nlohmann::json json = jsonOf(profileSmall({"--runs", "5", "--dim", "batch=64"}));
    const nlohmann::json& steps = json.at("steps");
    ASSERT_FALSE(steps.empty());
    const nlohmann::json& softmax = steps.back();
    EXPECT_EQ(softmax.at("operator"), "Softmax");
    EXPECT_EQ(softmax.at("provider"), "reference");
    EXPECT_EQ(softmax.at("outputs"), nlohmann::json({"float[64, 4]"}));
    EXPECT_EQ(softmax.at("calls"), 1);
    EXPECT_EQ(softmax.at("bytes_written"), 1024);
    EXPECT_GT(softmax.at("time").at("median_ns"), 0);
    double shares = 0;
    for (const auto& type : json.at("types")) shares += type.at("share").get<double>();
    EXPECT_NEAR(shares, 1, 1e-6);
}

TEST_F(Profile, PrintsTheSameForPeople) {
    const std::string text = runTo(0, profileSmall({"--runs", "5"})).out;
    for (const char* part : {"latency", "±", "5 runs", "cold start", "Softmax", "reference", "memory"}) {
        EXPECT_TRUE(contains(text, part)) << part << '\n' << text;
    }
}

TEST_F(Profile, CountsTheStepsOfABodyInsideTheirLoop) {
    const nlohmann::json json =
        jsonOf({"profile", loopModelFile(), "--providers", "reference", "--runs", "5"});
    double topLevel = 0;
    const nlohmann::json* inner = nullptr;
    for (const auto& step : json.at("steps")) {
        if (step.at("parent").is_null()) topLevel += step.at("share").get<double>();
        if (step.at("operator") == "Softmax") inner = &step;
    }
    EXPECT_NEAR(topLevel, 1, 1e-6);
    ASSERT_NE(inner, nullptr);
    EXPECT_EQ(inner->at("calls"), 10);
    EXPECT_TRUE(inner->at("parent").is_number());
}

TEST_F(Profile, WritesATraceThatOthersCanOpen) {
    runTo(0,
          {"profile", loopModelFile(), "--providers", "reference", "--runs", "3", "--trace", path("t.json")});
    const nlohmann::json trace = nlohmann::json::parse(readFile(path("t.json")));
    size_t inner = 0;
    for (const auto& event : trace.at("traceEvents")) {
        EXPECT_TRUE(event.contains("ph") && event.contains("pid") && event.contains("name"));
        EXPECT_TRUE(event.at("ph") != "X" || (event.contains("ts") && event.contains("dur")));
        inner += event.at("name") == "Softmax" ? 1 : 0;
    }
    EXPECT_EQ(inner, 10U);
}

TEST_F(Profile, SaysWhenTheTraceCannotBeWritten) {
    EXPECT_TRUE(contains(problemOf(profileSmall({"--runs", "3", "--trace", path("no/such/folder/t.json")})),
                         "t.json"));
}

TEST_F(Profile, ATraceReadsBack) {
    runTo(0, {"profile", smallModelFile(), "--seconds", "0.02", "--trace", path("trace.json")});
    const nlohmann::json json = jsonOf({"trace", path("trace.json")});
    EXPECT_EQ(json.at("recorded_by"), "Opscope");
    EXPECT_EQ(json.at("runs"), 1);
    EXPECT_FALSE(json.at("steps").empty());
    EXPECT_TRUE(contains(runTo(0, {"trace", path("trace.json")}).out, "Softmax"));
    EXPECT_TRUE(contains(problemOf({"trace", path("none.json")}), "none.json"));
    EXPECT_TRUE(contains(problemOf({"trace", smallModelFile()}), "it is no JSON: byte"));
}

}  // namespace
}  // namespace test
