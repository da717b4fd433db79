#pragma once

#include <cstdint>

namespace engine::cpu {

/// to[r * toPitch + c] = from[c * fromPitch + r] for words of four bytes.
void transposeWords(const uint32_t* from, int64_t fromPitch, uint32_t* to, int64_t toPitch, int64_t rows,
                    int64_t columns);

/// to[k * planes + p] = from[p * pitch + k]: planes of a picture, 2 to 4, put pixel by pixel.
void interleaveWords(const uint32_t* from, int64_t pitch, int64_t planes, uint32_t* to, int64_t count);

/// to[p * pitch + k] = from[k * planes + p]: pixels of 2 to 4 bytes taken apart into planes.
void separateBytes(const uint8_t* from, int64_t planes, uint8_t* to, int64_t pitch, int64_t count);

}  // namespace engine::cpu
