#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/image.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

enum class PixelFormat : uint8_t { rgb, bgr, gray };

struct Attributes {
    PixelFormat format = PixelFormat::rgb;

    int64_t channels() const { return format == PixelFormat::gray ? 1 : 3; }
};

Attributes parse(const AttributeReader& reader) {
    const std::string format = reader.choice("pixel_format", "RGB", {"RGB", "BGR", "Grayscale"});
    return {format == "RGB" ? PixelFormat::rgb : format == "BGR" ? PixelFormat::bgr : PixelFormat::gray};
}

void infer(InferContext& context) {
    context.checkRank(0, 1, "encoded_stream");
    context.setOutput(0, DataType::uint8, {Dim(), Dim(), context.attributes<Attributes>().channels()});
}

/// The luma of ITU-R 601.
uint8_t grayOf(const uint8_t* pixel) {
    const uint32_t sum = 19595U * pixel[0] + 38470U * pixel[1] + 7471U * pixel[2];
    return static_cast<uint8_t>((sum + 0x8000U) >> 16U);
}

// What is no image gives a picture of no pixels, as ONNX says.
void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRank(context.input(0), 1, "encoded_stream");
    const auto bytes = checkedValues<uint8_t>(context.input(0), "encoded_stream");
    const Image image = decodeImage(bytes).value_or(Image());
    const auto output =
        context.output(0, {image.height, image.width, attributes.channels()}).mutableValues<uint8_t>();
    const auto& pixels = image.pixels;
    if (attributes.format == PixelFormat::rgb) {
        std::copy(pixels.begin(), pixels.end(), output.begin());
        return;
    }
    for (size_t i = 0; i < pixels.size() / 3; ++i) {
        if (attributes.format == PixelFormat::gray) {
            output[i] = grayOf(&pixels[i * 3]);
        } else {
            for (size_t channel = 0; channel < 3; ++channel) {
                output[i * 3 + channel] = pixels[i * 3 + 2 - channel];
            }
        }
    }
}

const OpDef imageDecoder{
    .name = "ImageDecoder",
    .sinceVersion = 20,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{imageDecoder};

}  // namespace
}  // namespace engine
