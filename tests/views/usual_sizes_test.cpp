#include "views/usual_sizes.h"

#include <gtest/gtest.h>

namespace views {
namespace {

engine::Bindings sizesOf(const std::string& inputs) {
    return usualSizes(*engine::Model::parse("<ir_version: 8, opset_import: [\"\" : 17]>\nagraph (" + inputs +
                                            ") => (float[one] y) { y = Constant <value = float {1}> () }"));
}

TEST(UsualSizes, ArePicturesForChannelsFirstAndLast) {
    EXPECT_EQ(sizesOf("float[N, 3, H, W] x"), (engine::Bindings{{"N", 1}, {"H", 224}, {"W", 224}}));
    EXPECT_EQ(sizesOf("float[N, H, W, 1] x"), (engine::Bindings{{"N", 1}, {"H", 224}, {"W", 224}}));
}

TEST(UsualSizes, AreTokensForIntegersAndSamplesForFloats) {
    EXPECT_EQ(sizesOf("int64[b, s] ids"), (engine::Bindings{{"b", 1}, {"s", 128}}));
    EXPECT_EQ(sizesOf("float[b, t] wave"), (engine::Bindings{{"b", 1}, {"t", 256}}));
    EXPECT_EQ(sizesOf("float[b, sequence, 16] x"), (engine::Bindings{{"b", 1}, {"sequence", 128}}));
}

TEST(UsualSizes, AreOneWhereNothingIsKnown) {
    EXPECT_EQ(sizesOf("float[2, k, 128] state"), (engine::Bindings{{"k", 1}}));
    EXPECT_EQ(sizesOf("float[4] x"), engine::Bindings());
}

TEST(UsualSizes, OfASymbolInTwoInputsComeFromTheFirst) {
    EXPECT_EQ(sizesOf("int64[b, s] ids, float[s, 4] x"), (engine::Bindings{{"b", 1}, {"s", 128}}));
}

}  // namespace
}  // namespace views
