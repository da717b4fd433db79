#include "engine/ops/image.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace engine {
namespace {

using Bytes = std::span<const uint8_t>;

bool startsWith(Bytes bytes, std::string_view magic, size_t at = 0) {
    if (bytes.size() < at + magic.size()) return false;
    return std::equal(magic.begin(), magic.end(), bytes.begin() + static_cast<ptrdiff_t>(at),
                      [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
}

uint32_t littleEndian(Bytes bytes, size_t at, size_t count) {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i) value |= static_cast<uint32_t>(bytes[at + i]) << (8 * i);
    return value;
}

/// Uncompressed, of 8 (with a palette), 24 or 32 bits a pixel.
std::optional<Image> decodeBmp(Bytes bytes) {
    if (bytes.size() < 54) return std::nullopt;
    const size_t start = littleEndian(bytes, 10, 4);
    const size_t headerSize = littleEndian(bytes, 14, 4);
    const auto width = static_cast<int32_t>(littleEndian(bytes, 18, 4));
    const auto height = static_cast<int32_t>(littleEndian(bytes, 22, 4));
    const uint32_t bits = littleEndian(bytes, 28, 2);
    const uint32_t compression = littleEndian(bytes, 30, 4);
    const bool isPlain = compression == 0 || (compression == 3 && bits == 32);
    if (headerSize < 40 || !isPlain || (bits != 8 && bits != 24 && bits != 32)) return std::nullopt;
    const bool isTopDown = height < 0;
    auto image = blankImage(isTopDown ? -int64_t{height} : height, width);
    if (!image) return std::nullopt;
    const size_t pixelSize = bits / 8;
    const size_t rowSize = (static_cast<size_t>(width) * pixelSize + 3) / 4 * 4;
    if (start > bytes.size() || (bytes.size() - start) / rowSize < static_cast<size_t>(image->height)) {
        return std::nullopt;
    }
    const size_t palette = 14 + headerSize;
    auto to = image->pixels.begin();
    for (int64_t y = 0; y < image->height; ++y) {
        const auto row = static_cast<size_t>(isTopDown ? y : image->height - 1 - y);
        for (size_t x = 0; x < static_cast<size_t>(width); ++x) {
            size_t at = start + row * rowSize + x * pixelSize;
            if (bits == 8) at = palette + 4 * size_t{bytes[at]};
            if (at + 2 >= bytes.size()) return std::nullopt;
            *to++ = bytes[at + 2];
            *to++ = bytes[at + 1];
            *to++ = bytes[at];
        }
    }
    return image;
}

/// Words of numbers, with comments from '#' to the end of a line between them.
class PnmReader {
public:
    explicit PnmReader(Bytes bytes) : bytes_(bytes) {}

    std::optional<uint32_t> number() {
        while (at_ < bytes_.size() && (std::isspace(bytes_[at_]) != 0 || bytes_[at_] == '#')) {
            if (bytes_[at_] == '#') {
                while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
            } else {
                ++at_;
            }
        }
        uint32_t value = 0;
        const size_t first = at_;
        while (at_ < bytes_.size() && std::isdigit(bytes_[at_]) != 0 && at_ - first < 9) {
            value = value * 10 + (bytes_[at_++] - '0');
        }
        return at_ == first ? std::nullopt : std::optional(value);
    }

    /// The sample behind the header's single space, or behind the last one.
    std::optional<uint32_t> binary(size_t size) {
        if (bytes_.size() - at_ < size) return std::nullopt;
        uint32_t value = 0;
        for (size_t i = 0; i < size; ++i) value = value << 8U | bytes_[at_++];
        return value;
    }
    void skip() { at_ = std::min(at_ + 1, bytes_.size()); }

private:
    Bytes bytes_;
    size_t at_ = 2;
};

std::optional<Image> decodePnm(Bytes bytes) {
    const uint8_t kind = bytes[1];
    const bool isText = kind == '2' || kind == '3';
    const bool isGray = kind == '2' || kind == '5';
    PnmReader reader(bytes);
    const auto width = reader.number();
    const auto height = reader.number();
    const auto largest = reader.number();
    if (!width || !height || !largest || *largest == 0 || *largest > 65535) return std::nullopt;
    auto image = blankImage(*height, *width);
    if (!image) return std::nullopt;
    if (!isText) reader.skip();
    for (size_t i = 0; i < image->pixels.size(); ++i) {
        if (isGray && i % 3 != 0) {
            image->pixels[i] = image->pixels[i - 1];
            continue;
        }
        const auto sample = isText ? reader.number() : reader.binary(*largest > 255 ? 2 : 1);
        if (!sample) return std::nullopt;
        const uint32_t level = std::min(*sample, *largest);
        image->pixels[i] = static_cast<uint8_t>((level * 255 + *largest / 2) / *largest);
    }
    return image;
}

}  // namespace

std::optional<Image> blankImage(int64_t height, int64_t width) {
    constexpr int64_t mostPixels = int64_t{1} << 27;
    if (height < 1 || width < 1 || height > mostPixels / width) return std::nullopt;
    return Image{.height = height,
                 .width = width,
                 .pixels = std::vector<uint8_t>(static_cast<size_t>(height * width) * 3)};
}

std::optional<Image> decodeImage(Bytes bytes) {
    if (startsWith(bytes, "BM")) return decodeBmp(bytes);
    if (startsWith(bytes, "\xFF\xD8\xFF")) return decodeJpeg(bytes);
    if (startsWith(bytes, "\x89PNG")) return decodePng(bytes);
    for (const char* magic : {"P2", "P3", "P5", "P6"}) {
        if (startsWith(bytes, magic)) return decodePnm(bytes);
    }
    if (startsWith(bytes, {"II*\0", 4}) || startsWith(bytes, {"MM\0*", 4})) return decodeTiff(bytes);
    if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return decodeWebp(bytes);
    if (startsWith(bytes, "jP  ", 4) || startsWith(bytes, "\xFF\x4F\xFF\x51")) return decodeJpeg2000(bytes);
    return std::nullopt;
}

}  // namespace engine
