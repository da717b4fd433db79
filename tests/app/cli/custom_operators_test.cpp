#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"
#include "tests/support/paths.h"

namespace test {
namespace {

class CustomOperatorsOption : public CommandLine {
protected:
    const std::string library_ = customOperators().string();
    const std::string model_ = folder_
                                   .write("scaled.onnxtxt", R"(
<ir_version: 10, opset_import: ["" : 21, "com.example" : 1]>
scaled (float[n] x) => (float[n] y) { y = com.example.Scale <factor = 2.0> (x) }
)")
                                   .string();
};

TEST_F(CustomOperatorsOption, LetsAModelRun) {
    EXPECT_TRUE(contains(problemOf({"run", model_}), "'com.example' is unknown"));
    const nlohmann::json json = jsonOf({"run", model_, "--custom-ops", library_});
    EXPECT_EQ(json.at("outputs")[0].at("name"), "y");
}

TEST_F(CustomOperatorsOption, ShowsTheOperatorsAndWhereTheyComeFrom) {
    const nlohmann::json json = jsonOf({"ops", "com.example.Scale", "--custom-ops", library_});
    EXPECT_EQ(json.at("library"), library_);
    EXPECT_EQ(json.at("providers"), nlohmann::json({"cpu", "reference"}));
    EXPECT_EQ(json.at("definition").at("inputs").size(), 2U);
    EXPECT_TRUE(contains(problemOf({"ops", "com.example.Scale"}), "com.example.Scale"));
}

TEST_F(CustomOperatorsOption, NamesTheLibraryThatIsNone) {
    EXPECT_TRUE(contains(problemOf({"info", model_, "--custom-ops", path("none.so")}), "none.so"));
}

TEST_F(CustomOperatorsOption, InfoSaysWhichOperatorsAModelNeeds) {
    const std::string text = runTo(0, {"info", model_}).out;
    EXPECT_TRUE(contains(text, "com.example")) << text;
}

}  // namespace
}  // namespace test
