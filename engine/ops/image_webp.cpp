#include <webp/decode.h>

#include "engine/ops/image.h"

namespace engine {

std::optional<Image> decodeWebp(std::span<const uint8_t> bytes) {
    int width = 0;
    int height = 0;
    if (WebPGetInfo(bytes.data(), bytes.size(), &width, &height) == 0) return std::nullopt;
    auto image = blankImage(height, width);
    if (!image || WebPDecodeRGBInto(bytes.data(), bytes.size(), image->pixels.data(), image->pixels.size(),
                                    width * 3) == nullptr) {
        return std::nullopt;
    }
    return image;
}

}  // namespace engine
