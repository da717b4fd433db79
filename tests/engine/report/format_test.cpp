#include "engine/report/format.h"

#include <cmath>

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Format, KeepsThreeSignificantDigits) {
    EXPECT_EQ(format(3'421'234, Unit::nanoseconds), "3.42 ms");
    EXPECT_EQ(format(12.04e6, Unit::bytes), "12.0 MB");
    EXPECT_EQ(format(999'600, Unit::count), "1.00 M");
    EXPECT_EQ(format(123.4e9, Unit::flopsPerSecond), "123 GFLOP/s");
    EXPECT_EQ(format(0.001234, Unit::none), "0.00123");
}

TEST(Format, LeavesSmallCountsWhole) {
    EXPECT_EQ(format(7, Unit::count), "7");
    EXPECT_EQ(format(512, Unit::bytes), "512 B");
    EXPECT_EQ(format(0, Unit::nanoseconds), "0 ns");
}

TEST(Format, SaysWhenThereIsNothingToSay) {
    EXPECT_EQ(format(-1, Unit::bytes), "n/a");
    EXPECT_EQ(format(std::nan(""), Unit::nanoseconds), "n/a");
    EXPECT_EQ(format(INFINITY, Unit::count), "n/a");
}

TEST(Format, WritesAnEstimateInOneUnit) {
    const Estimate estimate{.median = 3.42e6, .low = 3.39e6, .high = 3.45e6};
    EXPECT_EQ(format(estimate, Unit::nanoseconds), "3.42 ms ± 0.03");
    const Estimate sure{.median = 3.42e6, .low = 3.4199e6, .high = 3.4201e6};
    EXPECT_EQ(format(sure, Unit::nanoseconds), "3.42 ms ± <0.01");
}

TEST(Format, WritesShares) {
    EXPECT_EQ(formatShare(0.9712), "97.1 %");
    EXPECT_EQ(formatShare(0.0001), "<0.1 %");
    EXPECT_EQ(formatShare(0), "0.0 %");
}

TEST(Format, WritesShapesWithTheirSymbols) {
    EXPECT_EQ(shapeLabel(Type::tensor(DataType::float32, {Dim::symbol("batch"), 3})), "batch×3");
    EXPECT_EQ(shapeLabel(Type::tensor(DataType::float32, {})), "scalar");
    EXPECT_EQ(shapeLabel(Type::tensor(DataType::float32)), "?");
}

}  // namespace
}  // namespace engine
