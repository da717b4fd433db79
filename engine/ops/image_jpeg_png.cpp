// JPEG and PNG, by their own libraries.

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>
#include <png.h>

#include "engine/ops/image.h"

namespace engine {

namespace {

struct JpegProblem {
    jpeg_error_mgr manager;
    jmp_buf back;
};

[[noreturn]] void onJpegError(j_common_ptr info) {
    longjmp(reinterpret_cast<JpegProblem*>(info->err)->back, 1);
}

void ignoreJpegMessage(j_common_ptr) {}

struct JpegReader {
    jpeg_decompress_struct info;
    JpegProblem problem;

    JpegReader() {
        std::memset(&info, 0, sizeof(info));
        info.err = jpeg_std_error(&problem.manager);
        problem.manager.error_exit = onJpegError;
        problem.manager.output_message = ignoreJpegMessage;
    }
    ~JpegReader() { jpeg_destroy_decompress(&info); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    // Errors come back by longjmp, past no object that would have to be destroyed.
    bool start(const uint8_t* data, size_t size) {
        if (setjmp(problem.back) != 0) return false;
        jpeg_create_decompress(&info);
        jpeg_mem_src(&info, data, size);
        if (jpeg_read_header(&info, TRUE) != JPEG_HEADER_OK) return false;
        info.out_color_space = JCS_RGB;
        return jpeg_start_decompress(&info) == TRUE && info.output_components == 3;
    }
    bool readRows(uint8_t* to) {
        if (setjmp(problem.back) != 0) return false;
        while (info.output_scanline < info.output_height) {
            JSAMPROW row = to + size_t{info.output_scanline} * info.output_width * 3;
            jpeg_read_scanlines(&info, &row, 1);
        }
        // A warning says that the data were damaged and made up.
        return jpeg_finish_decompress(&info) == TRUE && problem.manager.num_warnings == 0;
    }
};

}  // namespace

std::optional<Image> decodeJpeg(std::span<const uint8_t> bytes) {
    JpegReader reader;
    if (!reader.start(bytes.data(), bytes.size())) return std::nullopt;
    auto image = blankImage(reader.info.output_height, reader.info.output_width);
    if (!image || !reader.readRows(image->pixels.data())) return std::nullopt;
    return image;
}

std::optional<Image> decodePng(std::span<const uint8_t> bytes) {
    png_image png;
    std::memset(&png, 0, sizeof(png));
    png.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) return std::nullopt;
    png.format = PNG_FORMAT_RGBA;
    auto image = blankImage(png.height, png.width);
    std::vector<uint8_t> rgba(image ? image->pixels.size() / 3 * 4 : 0);
    if (!image || png_image_finish_read(&png, nullptr, rgba.data(), 0, nullptr) == 0) {
        png_image_free(&png);
        return std::nullopt;
    }
    for (size_t i = 0; i < image->pixels.size(); ++i) image->pixels[i] = rgba[i / 3 * 4 + i % 3];
    return image;
}

}  // namespace engine
