#include "engine/schema.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Schema, TellsAllThatTheSpecificationSaysOfAnOperator) {
    const auto conv = operatorSchema("", "Conv", 22);
    ASSERT_NE(conv, nullptr);
    EXPECT_EQ(conv->sinceVersion, 22);
    EXPECT_FALSE(conv->documentation.empty());
    ASSERT_EQ(conv->inputs.size(), 3);
    EXPECT_EQ(conv->inputs[0].name, "X");
    EXPECT_EQ(conv->inputs[0].type, "T");
    EXPECT_FALSE(conv->inputs[1].isOptional);
    EXPECT_TRUE(conv->inputs[2].isOptional);
    const auto group = std::find_if(conv->attributes.begin(), conv->attributes.end(),
                                    [](const auto& attribute) { return attribute.name == "group"; });
    ASSERT_NE(group, conv->attributes.end());
    EXPECT_EQ(group->kind, "int");
    EXPECT_EQ(group->defaultText, "1");
    ASSERT_EQ(conv->typeConstraints.size(), 1);
    EXPECT_NE(conv->typeConstraints[0].second.find("tensor(float16)"), std::string::npos);
}

TEST(Schema, TakesTheFormThatHoldsAtTheVersion) {
    EXPECT_EQ(operatorSchema("", "Softmax", 12)->sinceVersion, 11);
    EXPECT_EQ(operatorSchema("", "Softmax", 13)->sinceVersion, 13);
    EXPECT_TRUE(operatorSchema("", "Concat", 20)->inputs[0].isVariadic);
    EXPECT_TRUE(operatorSchema("", "Upsample", 10)->isDeprecated);
}

TEST(Schema, IsNullForWhatNobodyKnows) {
    EXPECT_EQ(operatorSchema("", "NoSuchOperator", 20), nullptr);
    EXPECT_EQ(operatorSchema("no.such.domain", "Conv", 20), nullptr);
}

TEST(Schema, ListsEveryFormOfEveryOperator) {
    const std::vector<SpecifiedOperator> all = specifiedOperators();
    const auto forms = std::count_if(
        all.begin(), all.end(), [](const auto& form) { return form.domain.empty() && form.name == "Add"; });
    EXPECT_EQ(forms, 5) << "Add changed in 1, 6, 7, 13 and 14";
    EXPECT_TRUE(
        std::any_of(all.begin(), all.end(), [](const auto& form) { return form.domain == "ai.onnx.ml"; }));
    EXPECT_GE(newestOpset(""), 28);
    EXPECT_EQ(newestOpset("com.microsoft"), 0);
}

}  // namespace
}  // namespace engine
