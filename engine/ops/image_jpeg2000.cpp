#include <algorithm>
#include <cstring>
#include <memory>

#include <openjpeg.h>

#include "engine/ops/image.h"

namespace engine {
namespace {

/// A file in memory, as OpenJPEG reads one.
struct Source {
    std::span<const uint8_t> bytes;
    size_t at = 0;
};

OPJ_SIZE_T readSource(void* to, OPJ_SIZE_T size, void* user) {
    auto& source = *static_cast<Source*>(user);
    const size_t count = std::min<size_t>(size, source.bytes.size() - source.at);
    if (count == 0) return static_cast<OPJ_SIZE_T>(-1);
    std::memcpy(to, source.bytes.data() + source.at, count);
    source.at += count;
    return count;
}

OPJ_BOOL seekSource(OPJ_OFF_T at, void* user) {
    auto& source = *static_cast<Source*>(user);
    if (at < 0 || static_cast<uint64_t>(at) > source.bytes.size()) return OPJ_FALSE;
    source.at = static_cast<size_t>(at);
    return OPJ_TRUE;
}

OPJ_OFF_T skipSource(OPJ_OFF_T count, void* user) {
    const auto& source = *static_cast<Source*>(user);
    return seekSource(static_cast<OPJ_OFF_T>(source.at) + count, user) == OPJ_TRUE ? count : -1;
}

template <auto destroy>
struct Destroy {
    template <class T>
    void operator()(T* what) const {
        destroy(what);
    }
};
using Stream = std::unique_ptr<opj_stream_t, Destroy<opj_stream_destroy>>;
using Codec = std::unique_ptr<opj_codec_t, Destroy<opj_destroy_codec>>;
using Decoded = std::unique_ptr<opj_image_t, Destroy<opj_image_destroy>>;

Stream streamOf(Source& source) {
    Stream stream(opj_stream_default_create(OPJ_TRUE));
    opj_stream_set_user_data(stream.get(), &source, nullptr);
    opj_stream_set_user_data_length(stream.get(), source.bytes.size());
    opj_stream_set_read_function(stream.get(), readSource);
    opj_stream_set_seek_function(stream.get(), seekSource);
    opj_stream_set_skip_function(stream.get(), skipSource);
    return stream;
}

/// One, or three or more channels of one size, in 1 to 16 bits.
bool isReadable(const opj_image_t& decoded) {
    if (decoded.numcomps != 1 && decoded.numcomps < 3) return false;
    const std::span channels(decoded.comps, std::min(decoded.numcomps, 3U));
    return std::all_of(channels.begin(), channels.end(), [&](const opj_image_comp_t& channel) {
        return channel.w == channels[0].w && channel.h == channels[0].h && channel.prec >= 1 &&
               channel.prec <= 16 && channel.data != nullptr;
    });
}

uint8_t levelOf(const opj_image_comp_t& channel, size_t pixel) {
    const int64_t largest = (int64_t{1} << channel.prec) - 1;
    const int64_t shift = channel.sgnd != 0 ? int64_t{1} << (channel.prec - 1) : 0;
    const int64_t level = std::clamp<int64_t>(channel.data[pixel] + shift, 0, largest);
    return static_cast<uint8_t>((level * 255 + largest / 2) / largest);
}

}  // namespace

std::optional<Image> decodeJpeg2000(std::span<const uint8_t> bytes) {
    const bool isBare = bytes[0] == 0xFF;  // a codestream without the boxes of a .jp2
    Source source{bytes};
    const Stream stream = streamOf(source);
    const Codec codec(opj_create_decompress(isBare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_image_t* header = nullptr;
    const bool hasHeader = opj_setup_decoder(codec.get(), &parameters) != OPJ_FALSE &&
                           opj_read_header(stream.get(), codec.get(), &header) != OPJ_FALSE;
    const Decoded decoded(header);
    if (!hasHeader || !blankImage(header->y1 - header->y0, header->x1 - header->x0)) return std::nullopt;
    const bool isWhole = opj_decode(codec.get(), stream.get(), header) != OPJ_FALSE &&
                         opj_end_decompress(codec.get(), stream.get()) != OPJ_FALSE;
    if (!isWhole || !isReadable(*decoded)) return std::nullopt;
    auto image = blankImage(decoded->comps[0].h, decoded->comps[0].w);
    if (!image) return std::nullopt;
    for (size_t i = 0; i < image->pixels.size(); ++i) {
        image->pixels[i] = levelOf(decoded->comps[decoded->numcomps == 1 ? 0 : i % 3], i / 3);
    }
    return image;
}

}  // namespace engine
