#include "views/format.h"

#include <limits>

#include <gtest/gtest.h>

namespace views {
namespace {

TEST(Format, WritesDimsWithSymbolsAndScalars) {
    using engine::Dim;
    using engine::Type;
    const Type image =
        Type::tensor(engine::DataType::float32, {Dim::symbol("batch"), 3, floorDiv(Dim::symbol("h"), 4)});
    EXPECT_EQ(dimsText(image), QString::fromUtf8("batch×3×h/4"));
    EXPECT_EQ(typeLabel(Type::tensor(engine::DataType::int64, engine::Shape{})), "int64 scalar");
    EXPECT_EQ(typeLabel(Type::tensor(engine::DataType::float16)), "float16 ?");
    EXPECT_EQ(typeLabel(Type::sequence(image)), QString::fromUtf8("seq(float batch×3×h/4)"));
    EXPECT_EQ(typeLabel(Type{}), "unknown type");
}

TEST(Format, WritesPlainNumbersInThreeDigits) {
    EXPECT_EQ(plainNumber(0), "0");
    EXPECT_EQ(plainNumber(-3), "-3");
    EXPECT_EQ(plainNumber(0.30612), "0.306");
    EXPECT_EQ(plainNumber(12.345), "12.3");
    EXPECT_EQ(plainNumber(1e-5), "1.00e-05");
    EXPECT_EQ(plainNumber(2.5e9), "2.50e+09");
    EXPECT_EQ(plainNumber(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(plainNumber(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Format, SharesWithoutANumberAreNotAvailable) {
    EXPECT_EQ(shareText(std::numeric_limits<double>::quiet_NaN()), "n/a");
}

TEST(Format, BriefSymbolsKeepShortNamesAndStayApart) {
    EXPECT_EQ(briefSymbol("batch"), "batch");
    EXPECT_EQ(briefSymbol("p2o.DynamicDimension.0"), "pDD0");
    EXPECT_EQ(briefSymbol("p2o.DynamicDimension.1"), "pDD1");
    EXPECT_LE(briefSymbol("unk__4711_of_a_very_long_name_indeed_from_somewhere").size(), 10);
}

}  // namespace
}  // namespace views
