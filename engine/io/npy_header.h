#pragma once

#include <cstddef>
#include <span>

#include "engine/core/data_type.h"
#include "engine/core/dim.h"

namespace engine {

/// What the head of a .npy file says.
struct NpyHeader {
    DataType type = DataType::undefined;
    char kind = 'f';  ///< numpy's: b, i, u, f, c, U (UCS-4 strings), S (byte strings), V (bytes)
    size_t itemBytes = 0;
    bool isBigEndian = false;
    bool isColumnMajor = false;
    Dims dims = {};
    size_t dataOffset = 0;
};

/// Throws Error that says what is wrong.
NpyHeader parseNpyHeader(std::span<const std::byte> file);

}  // namespace engine
