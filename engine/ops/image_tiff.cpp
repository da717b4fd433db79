#include <cstring>
#include <memory>

#include <tiffio.h>

#include "engine/ops/image.h"

namespace engine {
namespace {

/// A file in memory, as libtiff reads one.
struct Source {
    std::span<const uint8_t> bytes;
    uint64_t at = 0;
};

tmsize_t readSource(thandle_t handle, void* to, tmsize_t size) {
    auto& source = *static_cast<Source*>(handle);
    if (source.at > source.bytes.size()) return 0;
    const auto count = std::min<uint64_t>(static_cast<uint64_t>(size), source.bytes.size() - source.at);
    std::memcpy(to, source.bytes.data() + source.at, count);
    source.at += count;
    return static_cast<tmsize_t>(count);
}

tmsize_t writeNothing(thandle_t, void*, tmsize_t) { return 0; }

toff_t seekSource(thandle_t handle, toff_t offset, int whence) {
    auto& source = *static_cast<Source*>(handle);
    const uint64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? source.at : source.bytes.size();
    return source.at = from + offset;
}

int closeNothing(thandle_t) { return 0; }
toff_t sizeOfSource(thandle_t handle) { return static_cast<Source*>(handle)->bytes.size(); }
int ignoreMessage(TIFF*, void*, const char*, const char*, va_list) { return 1; }

struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

}  // namespace

std::optional<Image> decodeTiff(std::span<const uint8_t> bytes) {
    constexpr tmsize_t largestBlock = tmsize_t{1} << 29;
    Source source{bytes};
    const std::unique_ptr<TIFFOpenOptions, Close> options(TIFFOpenOptionsAlloc());
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), ignoreMessage, nullptr);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignoreMessage, nullptr);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largestBlock);
    const std::unique_ptr<TIFF, Close> tiff(TIFFClientOpenExt("image", "rm", &source, readSource,
                                                              writeNothing, seekSource, closeNothing,
                                                              sizeOfSource, nullptr, nullptr, options.get()));
    if (!tiff) return std::nullopt;
    uint32_t width = 0;
    uint32_t height = 0;
    TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
    auto image = blankImage(height, width);
    if (!image) return std::nullopt;
    std::vector<uint32_t> packed(image->pixels.size() / 3);
    if (TIFFReadRGBAImageOriented(tiff.get(), width, height, packed.data(), ORIENTATION_TOPLEFT, 1) == 0) {
        return std::nullopt;
    }
    for (size_t i = 0; i < packed.size(); ++i) {
        image->pixels[i * 3] = static_cast<uint8_t>(TIFFGetR(packed[i]));
        image->pixels[i * 3 + 1] = static_cast<uint8_t>(TIFFGetG(packed[i]));
        image->pixels[i * 3 + 2] = static_cast<uint8_t>(TIFFGetB(packed[i]));
    }
    return image;
}

}  // namespace engine
