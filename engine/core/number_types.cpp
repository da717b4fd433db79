#include "engine/core/number_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace engine {
namespace {

/// One of the formats that have a sign bit, `exponentBits` and `mantissaBits`.
struct Layout {
    int exponentBits;
    int mantissaBits;
    int bias;
    uint32_t largest;   ///< code of the largest finite number
    uint32_t infinity;  ///< code that overflow gives when it does not saturate
    uint32_t nan;
    bool hasNegativeZero;  ///< if not, its code is NaN
    bool signedNan;
};

template <class Format>
constexpr Layout layoutOf{};
template <>
constexpr Layout layoutOf<E4M3FN>{.exponentBits = 4,
                                  .mantissaBits = 3,
                                  .bias = 7,
                                  .largest = 0x7E,
                                  .infinity = 0x7F,
                                  .nan = 0x7F,
                                  .hasNegativeZero = true,
                                  .signedNan = true};
template <>
constexpr Layout layoutOf<E4M3FNUZ>{.exponentBits = 4,
                                    .mantissaBits = 3,
                                    .bias = 8,
                                    .largest = 0x7F,
                                    .infinity = 0x80,
                                    .nan = 0x80,
                                    .hasNegativeZero = false,
                                    .signedNan = false};
template <>
constexpr Layout layoutOf<E5M2>{.exponentBits = 5,
                                .mantissaBits = 2,
                                .bias = 15,
                                .largest = 0x7B,
                                .infinity = 0x7C,
                                .nan = 0x7E,
                                .hasNegativeZero = true,
                                .signedNan = true};
template <>
constexpr Layout layoutOf<E5M2FNUZ>{.exponentBits = 5,
                                    .mantissaBits = 2,
                                    .bias = 16,
                                    .largest = 0x7F,
                                    .infinity = 0x80,
                                    .nan = 0x80,
                                    .hasNegativeZero = false,
                                    .signedNan = false};
// The last three have neither infinity nor NaN: overflow always saturates, NaN becomes zero.
template <>
constexpr Layout layoutOf<E2M1>{.exponentBits = 2,
                                .mantissaBits = 1,
                                .bias = 1,
                                .largest = 0x7,
                                .infinity = 0x7,
                                .nan = 0x0,
                                .hasNegativeZero = true,
                                .signedNan = false};
template <>
constexpr Layout layoutOf<E2M3>{.exponentBits = 2,
                                .mantissaBits = 3,
                                .bias = 1,
                                .largest = 0x1F,
                                .infinity = 0x1F,
                                .nan = 0x0,
                                .hasNegativeZero = true,
                                .signedNan = false};
template <>
constexpr Layout layoutOf<E3M2>{.exponentBits = 3,
                                .mantissaBits = 2,
                                .bias = 3,
                                .largest = 0x1F,
                                .infinity = 0x1F,
                                .nan = 0x0,
                                .hasNegativeZero = true,
                                .signedNan = false};

constexpr uint32_t signBit(const Layout& layout) { return 1U << (layout.exponentBits + layout.mantissaBits); }

/// The code of a finite float's magnitude, rounded to nearest even; may lie past the largest finite code.
uint32_t encodeMagnitude(uint32_t floatBits, const Layout& layout) {
    const int exponent = static_cast<int>(floatBits >> 23) - 127;
    const int smallestExponent = 1 - layout.bias;
    const int shift = 23 - layout.mantissaBits + std::max(0, smallestExponent - exponent);
    if (shift > 25) return 0;
    const uint32_t mantissa = (floatBits & 0x7FFFFFU) | 0x800000U;
    const uint32_t isOdd = (mantissa >> shift) & 1U;
    const uint32_t rounded = (mantissa + (1U << (shift - 1)) - 1U + isOdd) >> shift;
    if (exponent < smallestExponent) return rounded;
    const auto exponentCode = static_cast<uint32_t>(exponent + layout.bias);
    return ((exponentCode - 1U) << layout.mantissaBits) + rounded;
}

uint8_t encode(float value, Overflow overflow, const Layout& layout) {
    const auto raw = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (raw >> 31) != 0 ? signBit(layout) : 0;
    const uint32_t magnitude = raw & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) {
        return static_cast<uint8_t>(layout.signedNan ? sign | layout.nan : layout.nan);
    }
    uint32_t code = magnitude == 0x7F800000U ? 0xFFU : encodeMagnitude(magnitude, layout);
    if (code > layout.largest) {
        code = overflow == Overflow::saturate ? layout.largest : layout.infinity;
    }
    const bool dropSign = code == 0 && !layout.hasNegativeZero;
    return static_cast<uint8_t>(dropSign ? 0 : sign | code);
}

float decode(uint32_t code, const Layout& layout) {
    const uint32_t magnitude = code & (signBit(layout) - 1U);
    const bool isNegative = (code & signBit(layout)) != 0;
    const float nan = std::copysign(std::numeric_limits<float>::quiet_NaN(), isNegative ? -1.0F : 1.0F);
    if (!layout.hasNegativeZero && code == layout.nan) return nan;
    if (magnitude > layout.largest) {
        const bool isInfinity = magnitude == layout.infinity && layout.infinity != layout.nan;
        if (!isInfinity) return nan;
        return isNegative ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
    }
    const auto exponentCode = static_cast<int>(magnitude >> layout.mantissaBits);
    const uint32_t fraction = magnitude & ((1U << layout.mantissaBits) - 1U);
    const uint32_t leadingOne = exponentCode > 0 ? 1U << layout.mantissaBits : 0;
    const int exponent = std::max(exponentCode, 1) - layout.bias - layout.mantissaBits;
    const float value = std::ldexp(static_cast<float>(leadingOne | fraction), exponent);
    return isNegative ? -value : value;
}

template <class Format>
const std::array<float, 256>& decodeTable() {
    static const auto table = [] {
        std::array<float, 256> values{};
        constexpr uint32_t mask = 2 * signBit(layoutOf<Format>) - 1;
        for (uint32_t code = 0; code < values.size(); ++code) {
            values[code] = decode(code & mask, layoutOf<Format>);
        }
        return values;
    }();
    return table;
}

constexpr uint8_t scaleNan = 0xFF;
constexpr uint8_t largestScale = 0xFE;

}  // namespace

template <class Format>
MiniFloat<Format>::MiniFloat(float value, Overflow overflow)
    : bits(encode(value, overflow, layoutOf<Format>)) {}

template <class Format>
MiniFloat<Format>::operator float() const {
    return decodeTable<Format>()[bits];
}

template <>
MiniFloat<E8M0>::MiniFloat(float value, Overflow overflow)
    : bits(roundedScale(value, ScaleRounding::nearest, overflow).bits) {}

template <>
MiniFloat<E8M0>::operator float() const {
    if (bits == scaleNan) return std::numeric_limits<float>::quiet_NaN();
    return bits == 0 ? 0x1p-127F : std::bit_cast<float>(static_cast<uint32_t>(bits) << 23);
}

template struct MiniFloat<E4M3FN>;
template struct MiniFloat<E4M3FNUZ>;
template struct MiniFloat<E5M2>;
template struct MiniFloat<E5M2FNUZ>;
template struct MiniFloat<E2M1>;
template struct MiniFloat<E2M3>;
template struct MiniFloat<E3M2>;

Float8E8M0 roundedScale(float value, ScaleRounding rounding, Overflow overflow) {
    const bool saturates = overflow == Overflow::saturate;
    const auto nan = Float8E8M0::fromBits(scaleNan);
    if (std::isnan(value) || value < 0) return nan;
    if (std::isinf(value)) return saturates ? Float8E8M0::fromBits(largestScale) : nan;
    if (value < 0x1p-127F) return saturates ? Float8E8M0::fromBits(0) : nan;
    const auto raw = std::bit_cast<uint32_t>(value);
    // Code 0, 2^-127, is half of the smallest normal float: its fraction starts one bit lower.
    const bool isBelowNormal = (raw >> 23) == 0;
    const uint32_t fraction = isBelowNormal ? (raw & 0x3FFFFFU) << 1 : raw & 0x7FFFFFU;
    const bool roundsUp = rounding == ScaleRounding::up
                              ? fraction != 0
                              : rounding == ScaleRounding::nearest && fraction >= 0x400000U;
    const uint32_t code = (raw >> 23) + (roundsUp ? 1 : 0);
    if (code > largestScale && saturates) return Float8E8M0::fromBits(largestScale);
    return Float8E8M0::fromBits(static_cast<uint8_t>(code));
}

float roundedToOdd(double value) {
    const auto nearest = static_cast<float>(value);
    if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
    const auto raw = std::bit_cast<uint32_t>(nearest);
    if ((raw & 1U) != 0) return nearest;
    // One of the two floats around `value` is odd; `nearest` is the even one, so it is its neighbour.
    const bool tooLarge = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
    return std::bit_cast<float>(tooLarge ? raw - 1U : raw + 1U);
}

}  // namespace engine
