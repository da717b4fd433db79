#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

namespace engine {

/// Element types of tensors, numbered as ONNX's TensorProto.DataType.
enum class DataType : uint8_t {
    undefined = 0,
    float32 = 1,
    uint8 = 2,
    int8 = 3,
    uint16 = 4,
    int16 = 5,
    int32 = 6,
    int64 = 7,
    string = 8,
    boolean = 9,
    float16 = 10,
    float64 = 11,
    uint32 = 12,
    uint64 = 13,
    complex64 = 14,
    complex128 = 15,
    bfloat16 = 16,
    float8e4m3fn = 17,
    float8e4m3fnuz = 18,
    float8e5m2 = 19,
    float8e5m2fnuz = 20,
    uint4 = 21,
    int4 = 22,
    float4e2m1 = 23,
    float8e8m0 = 24,
    uint2 = 25,
    int2 = 26,
    float6e2m3 = 27,
    float6e3m2 = 28,
};

/// ONNX's name in its text syntax: "float", "int64", "float8e4m3fn"; "undefined" for anything else.
std::string_view name(DataType type);

/// The type of that name, or nothing.
std::optional<DataType> dataTypeNamed(std::string_view name);

/// Bits of one element in a file (4 for int4). 0 for string and undefined.
size_t bitsInFile(DataType type);

/// Bytes of one element in memory. Sub-byte types take one byte each; a string is a std::string.
size_t bytesInMemory(DataType type);

bool isFloatingPoint(DataType type);  ///< every float, down to float4e2m1, not complex
bool isInteger(DataType type);        ///< signed and unsigned, not bool
bool isSigned(DataType type);         ///< floating point and signed integers

std::ostream& operator<<(std::ostream& stream, DataType type);

}  // namespace engine
