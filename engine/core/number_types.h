#pragma once

#include <bit>
#include <cstdint>

namespace engine {

// The element types that C++ lacks. Each is its file representation with conversions to and from float;
// conversion from float rounds to nearest even. A sub-byte type takes one byte in memory, value in the low
// bits, sign-extended if signed.

/// IEEE binary16. Overflow gives infinity.
struct Float16 {
    uint16_t bits = 0;
    Float16() = default;
    explicit Float16(float value);
    operator float() const;
    static Float16 fromBits(uint16_t bits) { return Float16(bits, 0); }

private:
    Float16(uint16_t raw, int) : bits(raw) {}
};

/// The upper half of an IEEE binary32.
struct BFloat16 {
    uint16_t bits = 0;
    BFloat16() = default;
    explicit BFloat16(float value);
    operator float() const;
    static BFloat16 fromBits(uint16_t bits) { return BFloat16(bits, 0); }

private:
    BFloat16(uint16_t raw, int) : bits(raw) {}
};

/// What conversion to a float8 does with values beyond its range: ONNX Cast's attribute `saturate`.
enum class Overflow { saturate, toInfinityOrNan };

/// The 8-bit and smaller floating-point formats of ONNX, told apart by the tag. Converts with saturation
/// unless asked.
template <class Format>
struct MiniFloat {
    uint8_t bits = 0;
    MiniFloat() = default;
    explicit MiniFloat(float value, Overflow overflow = Overflow::saturate);
    operator float() const;
    static MiniFloat fromBits(uint8_t bits) {
        MiniFloat result;
        result.bits = bits;
        return result;
    }
};

using Float8E4M3FN = MiniFloat<struct E4M3FN>;
using Float8E4M3FNUZ = MiniFloat<struct E4M3FNUZ>;
using Float8E5M2 = MiniFloat<struct E5M2>;
using Float8E5M2FNUZ = MiniFloat<struct E5M2FNUZ>;
using Float8E8M0 = MiniFloat<struct E8M0>;
using Float4E2M1 = MiniFloat<struct E2M1>;
using Float6E2M3 = MiniFloat<struct E2M3>;
using Float6E3M2 = MiniFloat<struct E3M2>;

/// How a float becomes a power of two: ONNX Cast's attribute `round_mode`.
enum class ScaleRounding { up, down, nearest };

/// The power of two next to `value`. Values beyond the range (0 included) become the nearest one, or NaN if
/// overflow does not saturate; negative values become NaN.
Float8E8M0 roundedScale(float value, ScaleRounding rounding, Overflow overflow);

/// `value` as float with its last bit set if it had to be rounded: converting the result to a type of at most
/// 22 significant bits then rounds as if from `value` itself, once.
float roundedToOdd(double value);

/// Integers of 4 and 2 bits. Construction keeps the low bits, as ONNX's Cast does.
template <int bitCount, bool isSignedType>
struct SmallInt {
    int8_t value = 0;
    SmallInt() = default;
    explicit SmallInt(int64_t number) : value(wrap(number)) {}
    operator int() const { return value; }

private:
    static int8_t wrap(int64_t number) {
        const auto low = static_cast<int>(number & ((1 << bitCount) - 1));
        const bool negative = isSignedType && (low >> (bitCount - 1)) != 0;
        return static_cast<int8_t>(negative ? low - (1 << bitCount) : low);
    }
};

using Int4 = SmallInt<4, true>;
using UInt4 = SmallInt<4, false>;
using Int2 = SmallInt<2, true>;
using UInt2 = SmallInt<2, false>;

// Hot in every half-precision kernel, hence inline.

inline Float16::Float16(float value) {
    const auto raw = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (raw >> 16) & 0x8000U;
    const uint32_t magnitude = raw & 0x7FFFFFFFU;
    uint32_t half = 0;
    if (magnitude >= 0x47800000U) {  // 65536 and up, infinity, NaN
        const bool isNan = magnitude > 0x7F800000U;
        half = isNan ? 0x7E00U | ((magnitude >> 13) & 0x1FFU) : 0x7C00U;
    } else if (magnitude < 0x38800000U) {  // below the smallest normal half
        // The last bit of 0.5 + x weighs as much as the last bit of a denormal half.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        half = std::bit_cast<uint32_t>(shifted) - 0x3F000000U;
    } else {
        half = (magnitude - 0x38000000U + 0xFFFU + ((magnitude >> 13) & 1U)) >> 13;
    }
    bits = static_cast<uint16_t>(sign | half);
}

inline Float16::operator float() const {
    const uint32_t sign = (bits & 0x8000U) << 16;
    const uint32_t magnitude = bits & 0x7FFFU;
    uint32_t raw = 0;
    if (magnitude >= 0x7C00U) {
        raw = 0x7F800000U | (magnitude << 13);
    } else if (magnitude >= 0x400U) {
        raw = (magnitude << 13) + 0x38000000U;
    } else {
        const float shifted = std::bit_cast<float>(0x38800000U + (magnitude << 13));
        raw = std::bit_cast<uint32_t>(shifted - 0x1p-14F);
    }
    return std::bit_cast<float>(sign | raw);
}

inline BFloat16::BFloat16(float value) {
    const auto raw = std::bit_cast<uint32_t>(value);
    const bool isNan = (raw & 0x7FFFFFFFU) > 0x7F800000U;
    bits = static_cast<uint16_t>(isNan ? (raw >> 16) | 0x40U : (raw + 0x7FFFU + ((raw >> 16) & 1U)) >> 16);
}

inline BFloat16::operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

// Defined in number_types.cpp for these formats only.
extern template struct MiniFloat<E4M3FN>;
extern template struct MiniFloat<E4M3FNUZ>;
extern template struct MiniFloat<E5M2>;
extern template struct MiniFloat<E5M2FNUZ>;
extern template struct MiniFloat<E2M1>;
extern template struct MiniFloat<E2M3>;
extern template struct MiniFloat<E3M2>;
template <>
MiniFloat<E8M0>::MiniFloat(float value, Overflow overflow);
template <>
MiniFloat<E8M0>::operator float() const;

}  // namespace engine
