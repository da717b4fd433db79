#pragma once

#include <complex>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/tensor.h"

namespace engine {

/// Calls `function(std::type_identity<T>{})` with the one of `Types` whose DataType is `type`; throws Error
/// naming the type if it is none of them. Use through the named sets below:
///     dispatchFloat(x.type(), [&]<typename T>(std::type_identity<T>) { kernel<T>(x, y); });
template <class... Types, class Function>
void dispatchAmong(DataType type, Function&& function) {
    static_assert(((dataTypeOf<Types> != DataType::undefined) && ...));
    const bool found =
        ((type == dataTypeOf<Types> ? (function(std::type_identity<Types>{}), true) : false) || ...);
    if (!found) fail("element type ", type, " is not supported here");
}

/// float, double, float16, bfloat16.
template <class Function>
void dispatchFloat(DataType type, Function&& function) {
    dispatchAmong<float, double, Float16, BFloat16>(type, function);
}

/// Integers of 8 to 64 bits.
template <class Function>
void dispatchInteger(DataType type, Function&& function) {
    dispatchAmong<int64_t, int32_t, uint8_t, int8_t, uint16_t, int16_t, uint32_t, uint64_t>(type, function);
}

/// Floating point of 16 to 64 bits and integers of 8 to 64 bits.
template <class Function>
void dispatchNumeric(DataType type, Function&& function) {
    dispatchAmong<float, int64_t, int32_t, double, Float16, BFloat16, uint8_t, int8_t, uint16_t, int16_t,
                  uint32_t, uint64_t>(type, function);
}

/// Every element type but string and complex: what Cast goes between.
template <class Function>
void dispatchReal(DataType type, Function&& function) {
    dispatchAmong<float, int64_t, int32_t, double, Float16, BFloat16, bool, uint8_t, int8_t, uint16_t,
                  int16_t, uint32_t, uint64_t, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ,
                  Float8E8M0, Float4E2M1, Float6E2M3, Float6E3M2, UInt4, Int4, UInt2, Int2>(type, function);
}

/// Every element type.
template <class Function>
void dispatchAny(DataType type, Function&& function) {
    if (type == DataType::string) return function(std::type_identity<String>{});
    if (type == DataType::complex64) return function(std::type_identity<std::complex<float>>{});
    if (type == DataType::complex128) return function(std::type_identity<std::complex<double>>{});
    dispatchReal(type, function);
}

/// An unsigned integer of that many bytes, std::complex<double> for 16.
template <class Function>
void dispatchSize(size_t bytes, Function&& function) {
    switch (bytes) {
        case 1:
            return function(std::type_identity<uint8_t>{});
        case 2:
            return function(std::type_identity<uint16_t>{});
        case 4:
            return function(std::type_identity<uint32_t>{});
        case 8:
            return function(std::type_identity<uint64_t>{});
        case 16:
            return function(std::type_identity<std::complex<double>>{});
        default:
            fail("found elements of ", bytes, " bytes, expected 1, 2, 4, 8 or 16");
    }
}

/// For kernels that only move elements: T as dispatchSize gives it, or String. Access the tensor through
/// `elementsAs<T>`.
template <class Function>
void dispatchStorage(DataType type, Function&& function) {
    if (type == DataType::undefined) fail("element type ", type, " is not supported here");
    if (type == DataType::string) return function(std::type_identity<String>{});
    dispatchSize(bytesInMemory(type), function);
}

/// The elements reinterpreted as T of the same size.
template <class T>
std::span<const T> elementsAs(const Tensor& tensor) {
    return {static_cast<const T*>(tensor.data()), static_cast<size_t>(tensor.elements())};
}
template <class T>
std::span<T> mutableElementsAs(Tensor& tensor) {
    return {static_cast<T*>(tensor.mutableData()), static_cast<size_t>(tensor.elements())};
}

}  // namespace engine
