#include "engine/profile/trace_export.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace engine {
namespace {

/// A Loop of which the body's step ran twice, and a name that needs escaping.
Trace loopTrace() {
    std::vector<StepInfo> steps(2);
    steps[0] = {.name = "loop \"a\\b\"\n",
                .operatorType = "Loop",
                .provider = "reference",
                .kernel = "reference Loop"};
    steps[1] = {.name = "add",
                .operatorType = "Add",
                .provider = "cpu",
                .kernel = "simd add",
                .origins = {OriginId(1)},
                .parent = 0,
                .inputTypes = {"float[2]"},
                .flops = 2000};
    return {.steps = std::make_shared<const std::vector<StepInfo>>(steps),
            .events = {{0, 0, 1000, 9500}, {1, 0, 2000, 4001}, {1, 1, 5000, 6000}},
            .elapsedNs = 10'000};
}

nlohmann::json exported() {
    return nlohmann::json::parse(
        chromeTrace(loopTrace(), {.process = "m.onnx", .originNames = {"loop", "body/add"}}));
}

std::vector<nlohmann::json> eventsOf(const nlohmann::json& trace, const std::string& phase) {
    std::vector<nlohmann::json> result;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == phase) result.push_back(event);
    }
    return result;
}

TEST(TraceExport, WritesACompleteEventForTheRunAndForEachStep) {
    const auto events = eventsOf(exported(), "X");
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(events[0].at("name"), "run");
    EXPECT_EQ(events[0].at("dur"), 10.0);
    EXPECT_EQ(events[1].at("name"), "Loop loop \"a\\b\"\n");
    EXPECT_EQ(events[2].at("ts"), 2.0);
    EXPECT_EQ(events[2].at("dur"), 2.001);
    EXPECT_EQ(events[3].at("tid"), 1);
}

TEST(TraceExport, NestsTheStepsOfABodyInTheirParent) {
    const auto events = eventsOf(exported(), "X");
    const double begin = events[1].at("ts");
    const double end = begin + events[1].at("dur").get<double>();
    EXPECT_GE(events[2].at("ts").get<double>(), begin);
    EXPECT_LE(events[2].at("ts").get<double>() + events[2].at("dur").get<double>(), end);
}

TEST(TraceExport, TellsWhatAStepIs) {
    const nlohmann::json arguments = eventsOf(exported(), "X")[2].at("args");
    EXPECT_EQ(arguments.at("kernel"), "simd add");
    EXPECT_EQ(arguments.at("provider"), "cpu");
    EXPECT_EQ(arguments.at("inputs"), nlohmann::json({"float[2]"}));
    EXPECT_EQ(arguments.at("flops"), 2000);
    EXPECT_EQ(arguments.at("nodes"), nlohmann::json({"body/add"}));
    EXPECT_FALSE(arguments.contains("bytes_read"));
}

TEST(TraceExport, NamesProcessAndThreads) {
    const auto events = eventsOf(exported(), "M");
    EXPECT_EQ(events[0].at("args").at("name"), "m.onnx");
    EXPECT_EQ(events[1].at("args").at("name"), "run");
    EXPECT_EQ(events[3].at("args").at("name"), "worker 1");
}

TEST(TraceExport, SurvivesNamesThatAreNoUtf8) {
    std::vector<StepInfo> steps = {{.name = "\xFF\xFE", .operatorType = "Add"}};
    const Trace trace{.steps = std::make_shared<const std::vector<StepInfo>>(steps),
                      .events = {{0, 0, 0, 1}}};
    EXPECT_TRUE(nlohmann::json::accept(chromeTrace(trace, {})));
}

}  // namespace
}  // namespace engine
