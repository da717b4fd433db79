#include <algorithm>
#include <map>

#include <zlib.h>

#include "engine/ops/image.h"

namespace engine {
namespace {

using Bytes = std::span<const uint8_t>;

/// Tags with their numbers, as far as pictures of 8 bits a sample in strips need them.
class Directory {
public:
    explicit Directory(Bytes bytes) : bytes_(bytes), isBigEndian_(bytes[0] == 'M') {
        const size_t start = read(4, 4);
        if (!has(start, 2)) return;
        const size_t count = read(start, 2);
        for (size_t i = 0; i < count; ++i) {
            const size_t entry = start + 2 + 12 * i;
            if (!has(entry, 12)) return;
            readEntry(entry);
        }
        isSound_ = true;
    }

    bool isSound() const { return isSound_; }
    std::vector<uint32_t> list(uint32_t tag) const {
        const auto found = numbers_.find(tag);
        return found == numbers_.end() ? std::vector<uint32_t>() : found->second;
    }
    uint32_t number(uint32_t tag, uint32_t fallback) const {
        const std::vector<uint32_t> values = list(tag);
        return values.empty() ? fallback : values[0];
    }

private:
    bool has(size_t at, size_t size) const { return at <= bytes_.size() && bytes_.size() - at >= size; }

    uint32_t read(size_t at, size_t size) const {
        uint32_t value = 0;
        if (!has(at, size)) return value;
        for (size_t i = 0; i < size; ++i) {
            const size_t index = isBigEndian_ ? i : size - 1 - i;
            value = value << 8U | bytes_[at + index];
        }
        return value;
    }

    void readEntry(size_t entry) {
        const uint32_t type = read(entry + 2, 2);
        const size_t size = type == 3 ? 2 : type == 4 ? 4 : type == 1 ? 1 : 0;
        const size_t count = read(entry + 4, 4);
        if (size == 0 || count > bytes_.size()) return;
        const size_t at = count * size <= 4 ? entry + 8 : read(entry + 8, 4);
        if (!has(at, count * size)) return;
        std::vector<uint32_t>& values = numbers_[read(entry, 2)];
        for (size_t i = 0; i < count; ++i) values.push_back(read(at + i * size, size));
    }

    Bytes bytes_;
    bool isBigEndian_;
    bool isSound_ = false;
    std::map<uint32_t, std::vector<uint32_t>> numbers_;
};

constexpr uint32_t widthTag = 256;
constexpr uint32_t heightTag = 257;
constexpr uint32_t bitsTag = 258;
constexpr uint32_t compressionTag = 259;
constexpr uint32_t colorTag = 262;
constexpr uint32_t stripOffsetsTag = 273;
constexpr uint32_t samplesTag = 277;
constexpr uint32_t stripSizesTag = 279;
constexpr uint32_t planesTag = 284;
constexpr uint32_t predictorTag = 317;
constexpr uint32_t paletteTag = 320;

bool unpackBits(Bytes from, size_t wanted, std::vector<uint8_t>& to) {
    const size_t end = to.size() + wanted;
    for (size_t i = 0; i < from.size() && to.size() < end;) {
        const auto head = static_cast<int8_t>(from[i++]);
        if (head == -128) continue;
        const size_t count = static_cast<size_t>(head < 0 ? 1 - head : 1 + head);
        if (i + (head < 0 ? 1 : count) > from.size()) return false;
        for (size_t k = 0; k < count && to.size() < end; ++k) to.push_back(from[head < 0 ? i : i + k]);
        i += head < 0 ? 1 : count;
    }
    return true;
}

bool inflate(Bytes from, size_t wanted, std::vector<uint8_t>& to) {
    const size_t before = to.size();
    to.resize(before + wanted);
    uLongf size = wanted;
    const int status = uncompress(to.data() + before, &size, from.data(), from.size());
    to.resize(before + size);
    return status == Z_OK || status == Z_BUF_ERROR;
}

/// All strips, one after the other, or nothing.
std::optional<std::vector<uint8_t>> samples(Bytes bytes, const Directory& directory, size_t wanted) {
    const std::vector<uint32_t> offsets = directory.list(stripOffsetsTag);
    const std::vector<uint32_t> sizes = directory.list(stripSizesTag);
    const uint32_t compression = directory.number(compressionTag, 1);
    if (offsets.empty() || offsets.size() != sizes.size()) return std::nullopt;
    std::vector<uint8_t> result;
    for (size_t i = 0; i < offsets.size() && result.size() < wanted; ++i) {
        if (offsets[i] > bytes.size() || sizes[i] > bytes.size() - offsets[i]) return std::nullopt;
        const Bytes strip = bytes.subspan(offsets[i], sizes[i]);
        const size_t left = wanted - result.size();
        bool isRead = false;
        if (compression == 1) {
            result.insert(result.end(), strip.begin(),
                          strip.begin() + static_cast<ptrdiff_t>(std::min(left, strip.size())));
            isRead = true;
        } else if (compression == 32773) {
            isRead = unpackBits(strip, left, result);
        } else if (compression == 8 || compression == 32946) {
            isRead = inflate(strip, left, result);
        }
        if (!isRead) return std::nullopt;
    }
    if (result.size() < wanted) return std::nullopt;
    return result;
}

}  // namespace

std::optional<Image> decodeTiff(Bytes bytes) {
    const Directory directory(bytes);
    if (!directory.isSound()) return std::nullopt;
    auto image = blankImage(directory.number(heightTag, 0), directory.number(widthTag, 0));
    const uint32_t perPixel = directory.number(samplesTag, 1);
    const uint32_t color = directory.number(colorTag, 1);
    const std::vector<uint32_t> bits = directory.list(bitsTag);
    const bool areBytes =
        !bits.empty() && std::all_of(bits.begin(), bits.end(), [](uint32_t bit) { return bit == 8; });
    const bool isKnown = color == 2 ? perPixel >= 3 && perPixel <= 4 : color <= 3 && perPixel <= 2;
    const bool isPlain = directory.number(planesTag, 1) == 1 && directory.number(predictorTag, 1) == 1;
    const std::vector<uint32_t> palette = directory.list(paletteTag);
    const bool lacksPalette = color == 3 && palette.size() != 768;
    if (!image || !areBytes || !isKnown || !isPlain || perPixel == 0 || lacksPalette) return std::nullopt;
    const size_t count = image->pixels.size() / 3;
    const auto values = samples(bytes, directory, count * perPixel);
    if (!values) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
        for (size_t channel = 0; channel < 3; ++channel) {
            const uint8_t sample = (*values)[i * perPixel + (color == 2 ? channel : 0)];
            uint8_t& pixel = image->pixels[i * 3 + channel];
            pixel = color == 0   ? static_cast<uint8_t>(255 - sample)
                    : color == 3 ? static_cast<uint8_t>(palette[channel * 256 + sample] >> 8)
                                 : sample;
        }
    }
    return image;
}

}  // namespace engine
