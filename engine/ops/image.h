#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// A picture of 8 bits a channel: red, green, blue, row by row from the top.
struct Image {
    int64_t height = 0;
    int64_t width = 0;
    std::vector<uint8_t> pixels = {};
};

/// The picture that a file's bytes hold, or nothing if they are damaged or of no known format. Reads BMP, PNM
/// (P2, P3, P5, P6), JPEG, JPEG 2000, PNG, TIFF and WebP; transparency is left out.
std::optional<Image> decodeImage(std::span<const uint8_t> bytes);

/// Room for a picture of that size; nothing if it is unreasonable for an 8-bit picture in memory.
std::optional<Image> blankImage(int64_t height, int64_t width);

std::optional<Image> decodeJpeg(std::span<const uint8_t> bytes);
std::optional<Image> decodePng(std::span<const uint8_t> bytes);
std::optional<Image> decodeTiff(std::span<const uint8_t> bytes);
std::optional<Image> decodeWebp(std::span<const uint8_t> bytes);
std::optional<Image> decodeJpeg2000(std::span<const uint8_t> bytes);

}  // namespace engine
