// placement, optimize, compare, ops, providers: commands that show what the engine decided or has.

#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"

namespace test {
namespace {

using Inspect = CommandLine;

TEST_F(Inspect, PlacementNamesProviderAndPartitionOfEachNode) {
    const nlohmann::json json = jsonOf({"placement", smallModelFile(), "--providers", "reference"});
    ASSERT_EQ(json.at("nodes").size(), 2U);
    EXPECT_EQ(json.at("nodes")[1].at("operator"), "Softmax");
    EXPECT_EQ(json.at("nodes")[1].at("provider"), "reference");
    const size_t partition = json.at("nodes")[1].at("partition");
    EXPECT_EQ(json.at("partitions")[partition].at("provider"), "reference");
}

TEST_F(Inspect, PlacementSaysWhyNobodyTakesANode) {
    const std::string model = folder_
                                  .write("odd.onnxtxt", R"(
<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
odd (float[2] x) => (float[2] y) { y = acme.Frobnicate(x) }
)")
                                  .string();
    const nlohmann::json node = jsonOf({"placement", model, "--providers", "reference"}).at("nodes")[0];
    EXPECT_TRUE(node.at("provider").is_null());
    EXPECT_TRUE(contains(node.at("refusals")[0].at("reason"), "acme"));
}

TEST_F(Inspect, ProvidersAreListedAndOthersRefused) {
    const nlohmann::json json = jsonOf({"providers"});
    bool hasReference = false;
    for (const auto& provider : json.at("providers")) {
        hasReference = hasReference || provider.at("name") == "reference";
    }
    EXPECT_TRUE(hasReference);
    EXPECT_TRUE(contains(problemOf({"run", smallModelFile(), "--providers", "gpu9"}), "gpu9"));
}

TEST_F(Inspect, OptimizeListsPassesAndRefusesUnknownOnes) {
    const nlohmann::json json = jsonOf({"optimize", "--list"});
    for (const auto& pass : json.at("passes")) EXPECT_FALSE(pass.at("summary").get<std::string>().empty());
    EXPECT_TRUE(
        contains(problemOf({"optimize", smallModelFile(), "--without", "no-such-pass"}), "no-such-pass"));
    problemOf({"optimize"});
}

TEST_F(Inspect, OptimizeWritesAModelThatComputesTheSame) {
    runTo(0, {"optimize", smallModelFile(), "--out", path("out.onnx")});
    runTo(0, {"run", smallModelFile(), "--providers", "reference", "--outputs", path("expected")});
    runTo(0, {"run", path("out.onnx"), "--providers", "reference", "--expect", path("expected")});
}

TEST_F(Inspect, CompareMeasuresEveryCell) {
    const nlohmann::json json = jsonOf({"compare", smallModelFile(), "--providers", "reference", "--dim",
                                        "batch=1,3", "--threads", "1,2", "--seconds", "0.02"});
    ASSERT_EQ(json.at("cells").size(), 4U);
    for (const auto& cell : json.at("cells")) EXPECT_GT(cell.at("latency").at("median_ns"), 0);
    EXPECT_EQ(json.at("cells")[3].at("dims").at("batch"), 3);
    EXPECT_EQ(json.at("cells")[3].at("threads"), 2);
}

TEST_F(Inspect, CompareShowsWhyACellHasNoTime) {
    const std::string text =
        runTo(0, {"compare", smallModelFile(), "--providers", "reference,gpu9", "--seconds", "0.02"}).out;
    EXPECT_TRUE(contains(text, "n/a")) << text;
    EXPECT_TRUE(contains(text, "gpu9")) << text;
}

TEST_F(Inspect, OpsTellsVersionsAndDefinition) {
    const nlohmann::json json = jsonOf({"ops", "Softmax"});
    EXPECT_EQ(json.at("versions"), nlohmann::json({1, 11, 13}));
    EXPECT_EQ(json.at("providers"), nlohmann::json({"cpu", "reference"}));
    EXPECT_EQ(json.at("definition").at("attributes")[0].at("name"), "axis");
    EXPECT_TRUE(contains(problemOf({"ops", "Sofmax"}), "did you mean 'Softmax'"));
    EXPECT_GT(jsonOf({"ops"}).at("operators").size(), 50U);
}

TEST_F(Inspect, OpsTellsHowEachFormRuns) {
    EXPECT_EQ(jsonOf({"ops", "Attention"}).at("forms")[0].at("runs"), "function");
    EXPECT_FALSE(
        jsonOf({"ops", "Attention"}).at("definition").at("documentation").get<std::string>().empty());
    EXPECT_EQ(jsonOf({"ops", "Upsample"}).at("forms")[0].at("runs"), "rewritten");
    const nlohmann::json refused = jsonOf({"ops", "com.microsoft.BeamSearch"}).at("forms")[0];
    EXPECT_EQ(refused.at("runs"), "not");
    EXPECT_TRUE(contains(refused.at("reason"), "a whole search"));
    EXPECT_TRUE(contains(runTo(0, {"ops", "com.microsoft.GroupNorm"}).out, "by its function body"));
}

}  // namespace
}  // namespace test
