#include "engine/core/number_types.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/core/number_types_oracle.h"

namespace engine {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

template <class Number, size_t count>
void expectDecodes(const std::array<uint32_t, count>& expected) {
    for (size_t code = 0; code < count; ++code) {
        const float found = Number::fromBits(static_cast<uint8_t>(code));
        const auto wanted = std::bit_cast<float>(expected[code]);
        if (std::isnan(wanted)) {
            EXPECT_TRUE(std::isnan(found)) << "code " << code << " gives " << found;
        } else {
            EXPECT_EQ(std::bit_cast<uint32_t>(found), expected[code])
                << "code " << code << " gives " << found;
        }
    }
}

/// ml_dtypes does not saturate but for float4.
template <class Number, size_t count>
void expectEncodes(const std::array<uint8_t, count>& expected) {
    for (size_t i = 0; i < count; ++i) {
        const auto value = std::bit_cast<float>(oracle::sampleBits[i]);
        const Number found(value, Overflow::toInfinityOrNan);
        const auto wanted = Number::fromBits(expected[i]);
        if (std::isnan(static_cast<float>(wanted))) {
            EXPECT_TRUE(std::isnan(static_cast<float>(found))) << value << " gives " << int(found.bits);
        } else {
            EXPECT_EQ(found.bits, expected[i]) << value;
        }
    }
}

TEST(Float8E4M3FN, AgreesWithMlDtypes) {
    expectDecodes<Float8E4M3FN>(oracle::decodedFloat8E4M3FN);
    expectEncodes<Float8E4M3FN>(oracle::encodedFloat8E4M3FN);
}

TEST(Float8E4M3FNUZ, AgreesWithMlDtypes) {
    expectDecodes<Float8E4M3FNUZ>(oracle::decodedFloat8E4M3FNUZ);
    expectEncodes<Float8E4M3FNUZ>(oracle::encodedFloat8E4M3FNUZ);
}

TEST(Float8E5M2, AgreesWithMlDtypes) {
    expectDecodes<Float8E5M2>(oracle::decodedFloat8E5M2);
    expectEncodes<Float8E5M2>(oracle::encodedFloat8E5M2);
}

TEST(Float8E5M2FNUZ, AgreesWithMlDtypes) {
    expectDecodes<Float8E5M2FNUZ>(oracle::decodedFloat8E5M2FNUZ);
    expectEncodes<Float8E5M2FNUZ>(oracle::encodedFloat8E5M2FNUZ);
}

/// For the formats that have no code for NaN.
template <class Number, size_t count>
void expectEncodesNumbers(const std::array<uint8_t, count>& expected) {
    for (size_t i = 0; i < count; ++i) {
        const auto value = std::bit_cast<float>(oracle::sampleBits[i]);
        if (std::isnan(value)) continue;
        EXPECT_EQ(Number(value).bits, expected[i]) << value;
    }
}

TEST(Float4E2M1, AgreesWithMlDtypes) {
    expectDecodes<Float4E2M1>(oracle::decodedFloat4E2M1);
    expectEncodesNumbers<Float4E2M1>(oracle::encodedFloat4E2M1);
}

TEST(Float6E2M3, AgreesWithMlDtypes) {
    expectDecodes<Float6E2M3>(oracle::decodedFloat6E2M3);
    expectEncodesNumbers<Float6E2M3>(oracle::encodedFloat6E2M3);
}

TEST(Float6E3M2, AgreesWithMlDtypes) {
    expectDecodes<Float6E3M2>(oracle::decodedFloat6E3M2);
    expectEncodesNumbers<Float6E3M2>(oracle::encodedFloat6E3M2);
}

TEST(Float4E2M1, SaturatesWhateverIsAskedAndMakesNanZero) {
    EXPECT_EQ(static_cast<float>(Float4E2M1(infinity, Overflow::toInfinityOrNan)), 6.0F);
    EXPECT_EQ(static_cast<float>(Float4E2M1(-100.0F)), -6.0F);
    EXPECT_EQ(static_cast<float>(Float4E2M1(nan)), 0.0F);
}

TEST(Float8E8M0, DecodesAsMlDtypes) { expectDecodes<Float8E8M0>(oracle::decodedFloat8E8M0); }

TEST(Float8E8M0, RoundsToNearestAsMlDtypes) {
    for (size_t i = 0; i < oracle::sampleBits.size(); ++i) {
        const auto value = std::bit_cast<float>(oracle::sampleBits[i]);
        if (!(value >= 0x1p-127F)) continue;  // below the range ONNX wants NaN, ml_dtypes gives 2^-127
        EXPECT_EQ(Float8E8M0(value, Overflow::toInfinityOrNan).bits, oracle::encodedFloat8E8M0[i]) << value;
    }
}

TEST(Float8E8M0, RoundsAsAsked) {
    const auto rounded = [](float value, ScaleRounding rounding) {
        return static_cast<float>(roundedScale(value, rounding, Overflow::saturate));
    };
    EXPECT_EQ(rounded(5.0F, ScaleRounding::down), 4.0F);
    EXPECT_EQ(rounded(5.0F, ScaleRounding::nearest), 4.0F);
    EXPECT_EQ(rounded(6.0F, ScaleRounding::nearest), 8.0F);
    EXPECT_EQ(rounded(5.0F, ScaleRounding::up), 8.0F);
    EXPECT_EQ(rounded(4.0F, ScaleRounding::up), 4.0F);
    EXPECT_EQ(rounded(0x1.8p-127F, ScaleRounding::up), 0x1p-126F);
    EXPECT_EQ(rounded(0x1.8p-127F, ScaleRounding::down), 0x1p-127F);
}

TEST(Float8E8M0, TreatsValuesBeyondItsRangeAsOnnxSays) {
    const auto code = [](float value, ScaleRounding rounding, Overflow overflow) {
        return int{roundedScale(value, rounding, overflow).bits};
    };
    EXPECT_EQ(code(0.0F, ScaleRounding::up, Overflow::saturate), 0);
    EXPECT_EQ(code(infinity, ScaleRounding::up, Overflow::saturate), 0xFE);
    EXPECT_EQ(code(0x1.8p127F, ScaleRounding::up, Overflow::saturate), 0xFE);
    EXPECT_EQ(code(nan, ScaleRounding::up, Overflow::saturate), 0xFF);
    EXPECT_EQ(code(-1.0F, ScaleRounding::up, Overflow::saturate), 0xFF);
    EXPECT_EQ(code(0.0F, ScaleRounding::nearest, Overflow::toInfinityOrNan), 0xFF);
    EXPECT_EQ(code(0x1.8p127F, ScaleRounding::nearest, Overflow::toInfinityOrNan), 0xFF);
    EXPECT_EQ(code(0x1.4p127F, ScaleRounding::nearest, Overflow::toInfinityOrNan), 0xFE);
}

TEST(Float8, SaturatesAtTheLargestNumber) {
    EXPECT_EQ(static_cast<float>(Float8E4M3FN(infinity)), 448.0F);
    EXPECT_EQ(static_cast<float>(Float8E4M3FN(-1e6F)), -448.0F);
    EXPECT_EQ(static_cast<float>(Float8E4M3FNUZ(infinity)), 240.0F);
    EXPECT_EQ(static_cast<float>(Float8E5M2(infinity)), 57344.0F);
    EXPECT_EQ(static_cast<float>(Float8E5M2FNUZ(-infinity)), -57344.0F);
    EXPECT_TRUE(std::isnan(static_cast<float>(Float8E5M2(nan))));
}

/// Every finite code survives the way to float and back, and between two neighbours values round to the
/// nearer one, a tie to the even code.
template <class Number>
void expectNearestEven(uint16_t infinityBits) {
    for (uint16_t bits = 0; bits < infinityBits; ++bits) {
        const float low = Number::fromBits(bits);
        ASSERT_EQ(Number(low).bits, bits);
        ASSERT_EQ(Number(-low).bits, bits | 0x8000U);
        const auto next = static_cast<uint16_t>(bits + 1);
        if (next == infinityBits) break;
        const float high = Number::fromBits(next);
        ASSERT_LT(low, high);
        const float middle = low + (high - low) / 2;
        ASSERT_EQ(Number(middle).bits, bits % 2 == 0 ? bits : next) << middle;
        ASSERT_EQ(Number(std::nextafter(middle, 0.0F)).bits, bits) << middle;
        ASSERT_EQ(Number(std::nextafter(middle, infinity)).bits, next) << middle;
    }
}

TEST(Float16, RoundsToNearestEvenBetweenAllNeighbours) {
    expectNearestEven<Float16>(0x7C00);
    EXPECT_EQ(static_cast<float>(Float16::fromBits(0x3C00)), 1.0F);
    EXPECT_EQ(static_cast<float>(Float16::fromBits(0x0001)), 0x1p-24F);
    EXPECT_EQ(static_cast<float>(Float16::fromBits(0x7BFF)), 65504.0F);
}

TEST(Float16, OverflowsToInfinityAndKeepsNan) {
    EXPECT_EQ(Float16(65519.0F).bits, 0x7BFF);
    EXPECT_EQ(Float16(65520.0F).bits, 0x7C00);
    EXPECT_EQ(Float16(-1e30F).bits, 0xFC00);
    EXPECT_EQ(Float16(infinity).bits, 0x7C00);
    EXPECT_EQ(static_cast<float>(Float16::fromBits(0xFC00)), -infinity);
    EXPECT_TRUE(std::isnan(static_cast<float>(Float16(nan))));
    EXPECT_TRUE(std::isnan(static_cast<float>(Float16::fromBits(0x7C01))));
    // A NaN whose payload lies in the lowest bits must not become infinity.
    EXPECT_TRUE(std::isnan(static_cast<float>(Float16(std::bit_cast<float>(0x7F800001U)))));
}

TEST(BFloat16, RoundsToNearestEvenBetweenAllNeighbours) { expectNearestEven<BFloat16>(0x7F80); }

TEST(BFloat16, OverflowsToInfinityAndKeepsNan) {
    EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
    EXPECT_EQ(BFloat16(-infinity).bits, 0xFF80);
    EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::bit_cast<float>(0x7F800001U)))));
    EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::bit_cast<float>(0x7FFFFFFFU)))));
}

TEST(RoundedToOdd, MakesTwoRoundingsOne) {
    // Rounded to float first, this lands on the tie between two halves and then on the wrong one.
    const double justAboveTie = 1.0 + 0x1p-11 + 0x1p-40;
    EXPECT_EQ(Float16(static_cast<float>(justAboveTie)).bits, 0x3C00);
    EXPECT_EQ(Float16(roundedToOdd(justAboveTie)).bits, 0x3C01);
    EXPECT_EQ(Float16(roundedToOdd(-justAboveTie)).bits, 0xBC01);
    EXPECT_EQ(Float16(roundedToOdd(1.0 + 0x1p-11 - 0x1p-40)).bits, 0x3C00);
    EXPECT_EQ(roundedToOdd(0.5), 0.5F);
    EXPECT_EQ(Float16(roundedToOdd(1e300)).bits, 0x7C00);
    EXPECT_TRUE(std::isnan(roundedToOdd(std::numeric_limits<double>::quiet_NaN())));
}

TEST(SmallInt, KeepsTheLowBits) {
    EXPECT_EQ(int{Int4(7)}, 7);
    EXPECT_EQ(int{Int4(8)}, -8);
    EXPECT_EQ(int{Int4(-9)}, 7);
    EXPECT_EQ(int{UInt4(17)}, 1);
    EXPECT_EQ(int{UInt4(-1)}, 15);
    EXPECT_EQ(int{Int2(2)}, -2);
    EXPECT_EQ(int{UInt2(-1)}, 3);
}

}  // namespace
}  // namespace engine
