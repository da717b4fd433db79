#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "engine/core/tensor.h"

namespace engine {

/// Reads what numpy.save wrote: booleans, integers, floats, complex numbers, strings; any byte order, row- or
/// column-major. Bytes without a type (V1, V2) become uint8 and uint16. Throws Error that says what is wrong.
Tensor parseNpy(std::span<const std::byte> file);
Tensor readNpy(const std::filesystem::path& path);

/// The header that numpy.load wants before the elements. Types that numpy lacks are written as the integers
/// that hold them: bfloat16 as uint16, float8 and float4 as uint8, both by their bits; int4 and int2 as int8,
/// uint4 and uint2 as uint8, by value.
std::string npyHeader(const Tensor& tensor);

/// Whole or not at all (see AtomicFile).
void writeNpy(const std::filesystem::path& path, const Tensor& tensor);

/// The tensor as `wanted`, where a file can only have said it by other means: the integers that writeNpy
/// writes for types that numpy lacks. Any other tensor as it is.
Tensor restoredFromNpy(const Tensor& tensor, DataType wanted);

}  // namespace engine
