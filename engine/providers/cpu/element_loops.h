#pragma once

#include <cstdint>

#include "engine/core/data_type.h"

namespace engine::cpu {

/// Two types that convertStretch goes between.
struct Conversion {
    DataType from;
    DataType to;
};
inline constexpr Conversion conversions[] = {
    {DataType::int64, DataType::int32},      {DataType::int32, DataType::int64},
    {DataType::int64, DataType::float32},    {DataType::int32, DataType::float32},
    {DataType::uint8, DataType::float32},    {DataType::int8, DataType::float32},
    {DataType::boolean, DataType::float32},  {DataType::float16, DataType::float32},
    {DataType::float32, DataType::float16},  {DataType::bfloat16, DataType::float32},
    {DataType::float32, DataType::bfloat16}, {DataType::float32, DataType::int64},
    {DataType::float32, DataType::int32},    {DataType::float32, DataType::uint8},
    {DataType::float32, DataType::int8},     {DataType::float32, DataType::boolean},
    {DataType::int64, DataType::boolean},    {DataType::int32, DataType::boolean},
    {DataType::boolean, DataType::int64},    {DataType::boolean, DataType::int32},
};
constexpr bool hasConversion(DataType from, DataType to) {
    for (const Conversion& pair : conversions) {
        if (pair.from == from && pair.to == to) return true;
    }
    return false;
}
/// Converts n elements that lie side by side.
void convertStretch(DataType from, DataType to, const void* x, void* y, int64_t n);

/// Whether rangeStretch takes the type.
bool hasRange(DataType type);
/// n elements of start + i * delta, from i = first on.
void rangeStretch(DataType type, const void* start, const void* delta, int64_t first, void* to, int64_t n);

/// The grid of a stretch of quantized numbers: one scale and zero point for all, or one for each element.
struct LinearGrid {
    const float* scale = nullptr;
    const void* zero = nullptr;  ///< of the quantized type; null: 0
    bool isEach = false;
};

/// x / scale rounded half to even, plus the zero point, saturated; NaN becomes the zero point. `type` is
/// uint8 or int8.
void quantizeStretch(DataType type, const LinearGrid& grid, const float* x, void* y, int64_t n);
/// (x - zero point) * scale.
void dequantizeStretch(DataType type, const LinearGrid& grid, const void* x, float* y, int64_t n);

}  // namespace engine::cpu
