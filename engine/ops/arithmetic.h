#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/number_types.h"

namespace engine {

// Element arithmetic that is defined for every input: integers wrap around as ONNX's do.

/// The type in which a kernel computes with T: float for the 16-bit floating-point types, else T.
template <class T>
using ComputeType = std::conditional_t<std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>, float, T>;

template <class T>
T wrappedAdd(T left, T right) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint64_t>(left) + static_cast<uint64_t>(right));
    } else {
        return left + right;
    }
}

template <class T>
T wrappedSubtract(T left, T right) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint64_t>(left) - static_cast<uint64_t>(right));
    } else {
        return left - right;
    }
}

template <class T>
T wrappedMultiply(T left, T right) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint64_t>(left) * static_cast<uint64_t>(right));
    } else {
        return left * right;
    }
}

/// Integers round towards zero; throws Error on an integer division by zero.
template <class T>
T quotient(T left, T right) {
    if constexpr (std::is_integral_v<T>) {
        if (right == 0) fail("integer division by zero");
        if constexpr (std::is_signed_v<T>) {
            if (right == -1) return wrappedSubtract<T>(0, left);
        }
        return static_cast<T>(left / right);
    } else {
        return left / right;
    }
}

/// A number as another type: integers keep their low bits; floating point to integer rounds towards zero and
/// stops at the ends of the range, NaN gives 0.
template <class To, class From>
To convertNumber(From value) {
    if constexpr (std::is_same_v<To, bool>) {
        return value != From{};
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
        if (std::isnan(value)) return 0;
        const auto low = static_cast<double>(std::numeric_limits<To>::min());
        const auto wide = static_cast<double>(value);
        if (wide <= low) return std::numeric_limits<To>::min();
        if (wide >= std::ldexp(1.0, std::numeric_limits<To>::digits)) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else if constexpr (std::is_same_v<To, Float16> || std::is_same_v<To, BFloat16>) {
        if constexpr (std::is_same_v<From, float>) {
            return To(value);
        } else {
            return To(roundedToOdd(static_cast<double>(value)));
        }
    } else {
        return static_cast<To>(value);
    }
}

}  // namespace engine
