#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"
#include "tests/support/paths.h"

namespace test {
namespace {

using Info = CommandLine;

TEST_F(Info, TellsWhatAModelIsMadeOf) {
    const nlohmann::json json = jsonOf({"info", smallModelFile()});
    EXPECT_EQ(json.at("producer"), "hand");
    EXPECT_EQ(json.at("opsets").at("ai.onnx"), 17);
    EXPECT_EQ(json.at("symbols"), nlohmann::json({"batch"}));
    EXPECT_EQ(json.at("inputs")[0].at("name"), "x");
    EXPECT_EQ(json.at("inputs")[0].at("dims"), nlohmann::json({"batch", 2, 2}));
    EXPECT_EQ(json.at("outputs")[1].at("type"), "float[batch, 4]");
    EXPECT_EQ(json.at("operators"), nlohmann::json({{"Flatten", 1}, {"Softmax", 1}}));
    EXPECT_EQ(json.at("parameters"), 0);
    EXPECT_EQ(json.at("diagnostics"), nlohmann::json::array());
}

TEST_F(Info, BindsSymbols) {
    const nlohmann::json json = jsonOf({"info", smallModelFile(), "--dim", "batch=8"});
    EXPECT_EQ(json.at("outputs")[0].at("dims"), nlohmann::json({8, 4}));
    EXPECT_TRUE(json.at("flops").is_number());
}

TEST_F(Info, RefusesASymbolThatTheModelDoesNotHave) {
    EXPECT_TRUE(contains(problemOf({"info", smallModelFile(), "--dim", "height=8"}), "height"));
    EXPECT_TRUE(contains(problemOf({"info", smallModelFile(), "--dim", "batch=many"}), "--dim batch=many"));
}

TEST_F(Info, ShowsAnOperatorThatNobodyKnows) {
    const std::string model = folder_
                                  .write("odd.onnxtxt", R"(
<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
odd (float[2] x) => (float[2] y) { y = acme.Frobnicate(x) }
)")
                                  .string();
    const nlohmann::json json = jsonOf({"info", model});
    EXPECT_EQ(json.at("operators").at("acme.Frobnicate"), 1);
    EXPECT_EQ(json.at("diagnostics")[0].at("severity"), "warning");
    EXPECT_TRUE(contains(runTo(0, {"info", model}).out, "acme.Frobnicate"));
    EXPECT_TRUE(contains(problemOf({"run", model}), "Frobnicate"));
}

TEST_F(Info, TellsTheTypeOfEveryValueIfAsked) {
    EXPECT_FALSE(jsonOf({"info", smallModelFile()}).contains("values"));
    const nlohmann::json values = jsonOf({"info", smallModelFile(), "--values"}).at("values");
    ASSERT_EQ(values.size(), 2U);
    for (const auto& value : values) EXPECT_TRUE(contains(value.at("type"), "float[")) << value;
}

TEST_F(Info, TellsThePartsOfTheSample) {
    const nlohmann::json json = jsonOf({"info", (sourceDir() / "resources/sample/digits.onnx").string()});
    EXPECT_EQ(json.at("operators").at("Conv"), 12);
    EXPECT_EQ(json.at("operators").at("BatchNormalization"), 10);
    EXPECT_GT(json.at("parameters"), 40'000);
    EXPECT_EQ(json.at("inputs")[0].at("dims"), nlohmann::json({"batch", 1, 8, 8}));
}

}  // namespace
}  // namespace test
