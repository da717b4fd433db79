#pragma once

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

}  // namespace engine
