#include "engine/profile/trace_import.h"

#include <sstream>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/profile/aggregate.h"
#include "engine/profile/trace_export.h"

namespace engine {
namespace {

ImportedTrace read(const std::string& json) {
    std::istringstream stream(json);
    Observer observer;
    return readTrace(stream, observer);
}

std::string problemOf(const std::string& json) {
    try {
        read(json);
    } catch (const Error& error) {
        return error.what();
    }
    return "no problem";
}

/// A node event as ONNX Runtime's profiler writes it.
std::string node(const std::string& name, const std::string& type, int start, int duration, int thread = 7) {
    return R"({"cat" : "Node","pid" :1,"tid" :)" + std::to_string(thread) + R"(,"dur" :)" +
           std::to_string(duration) + R"(,"ts" :)" + std::to_string(start) + R"(,"ph" : "X","name" :")" +
           name + R"(_kernel_time","args" : {"op_name" : ")" + type +
           R"(","provider" : "CPUExecutionProvider","activation_size" : "80","parameter_size" : "8","output_size" : "40",)" +
           R"("input_type_shape" : [{"float":[2,10]},{"int64":[]}],"output_type_shape" : [{"float":[10]}]}})";
}

std::string session(const std::string& name, int start, int duration, int thread = 7) {
    return R"({"cat" : "Session","pid" :1,"tid" :)" + std::to_string(thread) + R"(,"dur" :)" +
           std::to_string(duration) + R"(,"ts" :)" + std::to_string(start) + R"(,"ph" : "X","name" :")" +
           name + R"(","args" : {}})";
}

std::string list(const std::vector<std::string>& events) { return "[\n" + join(events, ",\n") + "\n]\n"; }

TEST(TraceImport, ReadsBackWhatWasExported) {
    std::vector<StepInfo> steps(2);
    steps[0] = {
        .name = "loop \"a\\b\"", .operatorType = "Loop", .provider = "reference", .kernel = "reference"};
    steps[1] = {.name = "add",
                .operatorType = "Add",
                .provider = "cpu",
                .kernel = "simd add",
                .note = "why",
                .origins = {OriginId(1)},
                .parent = 0,
                .inputTypes = {"float[2]"},
                .flops = 2000,
                .bytesRead = 8,
                .bytesWritten = 16};
    const Trace trace{.steps = std::make_shared<const std::vector<StepInfo>>(steps),
                      .events = {{0, 0, 1000, 9500}, {1, 0, 2000, 4001}, {1, 1, 5000, 6000}},
                      .elapsedNs = 10'000};
    const ImportedTrace back = read(chromeTrace(
        trace, {.process = "m.onnx", .originNames = {"loop", "body/add"}, .facts = {{"tool", "t"}}}));
    EXPECT_EQ(back.source, ImportedTrace::Source::opscope);
    EXPECT_EQ(back.facts, (std::vector<std::pair<std::string, std::string>>{{"tool", "t"}}));
    EXPECT_EQ(back.originNames, (std::vector<std::string>{"body/add"}));
    EXPECT_TRUE(back.diagnostics.empty());
    ASSERT_EQ(back.runs.size(), 1U);
    EXPECT_EQ(back.runs[0].elapsedNs, 10'000);
    const std::vector<StepInfo>& found = *back.runs[0].steps;
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].name, steps[0].name);
    EXPECT_EQ(found[1].parent, 0);
    EXPECT_EQ(found[1].kernel, "simd add");
    EXPECT_EQ(found[1].note, "why");
    EXPECT_EQ(found[1].inputTypes, steps[1].inputTypes);
    EXPECT_EQ(found[1].flops, 2000);
    EXPECT_EQ(found[1].bytesWritten, 16);
    EXPECT_EQ(found[1].parameterBytes, -1);
    ASSERT_EQ(back.runs[0].events.size(), 3U);
    EXPECT_EQ(back.runs[0].events[1].endNs, 4001);
    EXPECT_EQ(back.runs[0].events[2].thread, 1U);
    EXPECT_EQ(back.runs[0].events[2].step, 1U);
}

TEST(TraceImport, ReadsOnnxRuntimesProfile) {
    const ImportedTrace trace =
        read(list({session("session_initialization", 0, 50), node("first", "Conv", 102, 10),
                   node("second", "Relu", 112, 0), session("SequentialExecutor::Execute", 101, 18),
                   session("model_run", 100, 20), node("first", "Conv", 202, 14),
                   node("second", "Relu", 216, 1), session("model_run", 200, 22)}));
    EXPECT_EQ(trace.source, ImportedTrace::Source::onnxRuntime);
    ASSERT_EQ(trace.runs.size(), 2U);
    EXPECT_EQ(trace.runs[1].elapsedNs, 22'000);
    TraceAggregate aggregate;
    for (const Trace& run : trace.runs) aggregate.add(run);
    const std::vector<ProfileRow> rows = aggregate.steps();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].info.name, "first");
    EXPECT_EQ(rows[0].info.operatorType, "Conv");
    EXPECT_EQ(rows[0].timeNs.median, 12'000);
    EXPECT_EQ(rows[0].info.bytesRead, 80);
    EXPECT_EQ(rows[0].info.inputTypes, (std::vector<std::string>{"float[2, 10]", "int64[]"}));
    // Of no length at the end of the step before: beside it, not within.
    EXPECT_EQ(rows[1].info.parent, -1);
}

TEST(TraceImport, TellsRunsOfSeveralThreadsApart) {
    const ImportedTrace trace = read(list({node("a", "Conv", 2, 5, 1), node("a", "Conv", 3, 5, 2),
                                           session("model_run", 0, 20, 1), session("model_run", 1, 20, 2)}));
    ASSERT_EQ(trace.runs.size(), 2U);
    EXPECT_EQ(trace.runs[0].events.size(), 1U);
    EXPECT_EQ(trace.runs[1].events.at(0).startNs, 2000);
}

TEST(TraceImport, PutsBodiesUnderTheirNode) {
    const ImportedTrace trace =
        read(list({node("then", "Add", 11, 4), node("branch", "If", 10, 8), session("model_run", 0, 30)}));
    EXPECT_EQ((*trace.runs.at(0).steps).at(1).parent, 0);
    EXPECT_EQ((*trace.runs.at(0).steps).at(0).operatorType, "If");
}

TEST(TraceImport, ReadsAFileThatBreaksOff) {
    std::string json = list({node("a", "Conv", 2, 5), node("b", "Conv", 8, 5)});
    json.resize(json.size() - 30);
    const ImportedTrace trace = read(json);
    EXPECT_EQ(trace.runs.at(0).events.size(), 1U);
    ASSERT_EQ(trace.diagnostics.size(), 1U);
    EXPECT_NE(trace.diagnostics[0].message.find("breaks off at byte"), std::string::npos);
}

TEST(TraceImport, NestsWhatOtherProgramsRecorded) {
    const ImportedTrace trace = read(
        R"([{"ph":"X","name":"outer","ts":0,"dur":10.5,"tid":1},{"ph":"X","name":"inner","ts":1,"dur":2,"tid":1},)"
        R"({"ph":"B","name":"half","ts":1,"tid":1},{"ph":"M","name":"thread_name","args":{}}])");
    EXPECT_EQ(trace.source, ImportedTrace::Source::other);
    EXPECT_EQ((*trace.runs.at(0).steps).at(1).parent, 0);
    EXPECT_EQ(trace.runs[0].elapsedNs, 10'500);
    ASSERT_EQ(trace.diagnostics.size(), 1U);
    EXPECT_EQ(trace.diagnostics[0].message.substr(0, 7), "1 spans");
}

TEST(TraceImport, SaysWhatIsWrong) {
    const std::pair<std::string, const char*> wrong[] = {
        {"", "byte 1 "},
        {"{\"a\": 1}", "no events"},
        {"[1, 2, 3]", "no events"},
        {"[{\"ph\":\"M\"}]", "none of its 1 events"},
        {"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":0}]", "event 0: 'dur' is no number"},
        {"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1e300,\"dur\":1}]",
         "event 0: 'ts' is 1e+300 µs, out of range"},
        {"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":-1}]", "event 0 ('a') takes -1000 ns"},
        {"[{\"cat\":\"Session\",\"ph\":\"X\",\"ts\":1,\"dur\":1},{\"name\":\"bad\"name\"}]",
         "also those with quotes"},
        {"[{\"ph\":\"X\",\"ts\":2e59623781717,\"dur\":1}]", "parsing '2e59623781717'"},
        {R"({"otherData":{"a":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}}",
         "nested deeper than 100 levels"},
    };
    for (const auto& [json, part] : wrong) {
        EXPECT_NE(problemOf(json).find(part), std::string::npos) << json << "\n" << problemOf(json);
    }
}

}  // namespace
}  // namespace engine
