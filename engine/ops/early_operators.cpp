// Operators that ai.onnx had on trial in its first versions, and that files of that time hold: made of those
// that stayed.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

double numberOf(const BodyWriter& writer, const char* name, float fallback) {
    return static_cast<double>(writer.attributes.number(name, fallback));
}

std::string affine(BodyWriter& writer) {
    writer.scalar("alpha", numberOf(writer, "alpha", 1), "X")
        .scalar("beta", numberOf(writer, "beta", 0), "X");
    writer.line("scaled = Mul (X, alpha)").line("Y = Add (scaled, beta)");
    return writer.function("(X) => (Y)");
}

std::string scale(BodyWriter& writer) {
    writer.scalar("scale", numberOf(writer, "scale", 1), "input").line("output = Mul (input, scale)");
    return writer.function("(input) => (output)");
}

std::string imageScaler(BodyWriter& writer) {
    std::vector<std::string> parts;
    for (const float each : writer.attributes.numbers("bias")) {
        parts.push_back(floatText(static_cast<double>(each)));
    }
    writer.scalar("scale", numberOf(writer, "scale", 1), "input").line("scaled = Mul (input, scale)");
    if (parts.empty()) {
        writer.line("output = Identity (scaled)");
    } else {
        writer.line("row_float = Constant <value_floats: floats = [" + join(parts, ", ") + "]> ()");
        writer.integers("plane", {1, 2}).line("row = CastLike (row_float, input)");
        writer.line("bias = Unsqueeze (row, plane)").line("output = Add (scaled, bias)");
    }
    return writer.function("(input) => (output)");
}

std::string parametricSoftplus(BodyWriter& writer) {
    writer.scalar("alpha", numberOf(writer, "alpha", 1), "X")
        .scalar("beta", numberOf(writer, "beta", 1), "X");
    writer.line("inner = Mul (X, beta)").line("soft = Softplus (inner)").line("Y = Mul (soft, alpha)");
    return writer.function("(X) => (Y)");
}

std::string scaledTanh(BodyWriter& writer) {
    writer.scalar("alpha", numberOf(writer, "alpha", 1), "input");
    writer.scalar("beta", numberOf(writer, "beta", 1), "input");
    writer.line("inner = Mul (input, beta)").line("bent = Tanh (inner)").line("output = Mul (bent, alpha)");
    return writer.function("(input) => (output)");
}

std::string crop(BodyWriter& writer) {
    const std::vector<int64_t> border = writer.attributes.integers("border");
    if (border.size() != 4) fail("border: found ", border.size(), " numbers, expected 4");
    const std::optional<std::vector<int64_t>> size = writer.attributes.maybeIntegers("scale");
    if (size && size->size() != 2) fail("scale: found ", size->size(), " numbers, expected 2");
    std::vector<int64_t> ends{-border[3], -border[2]};
    if (size) ends = {border[1] + (*size)[0], border[0] + (*size)[1]};
    for (int64_t& end : ends) {
        if (end == 0 && !size) end = INT64_MAX;
    }
    writer.integers("starts", {border[1], border[0]}).integers("ends", ends).integers("axes", {2, 3});
    writer.line("output = Slice (input, starts, ends, axes)");
    return writer.function("(input) => (output)");
}

std::string dynamicSlice(BodyWriter& writer) {
    writer.line(writer.has(3) ? "output = Slice (data, starts, ends, axes)"
                              : "output = Slice (data, starts, ends)");
    return writer.function("(data, starts, ends, axes) => (output)");
}

std::string copy(BodyWriter& writer) {
    writer.line("Y = Identity (X)");
    return writer.function("(X) => (Y)");
}

const OpBody table[] = {
    {"Affine", "", affine},
    {"Scale", "", scale},
    {"ImageScaler", "", imageScaler},
    {"ParametricSoftplus", "", parametricSoftplus},
    {"ScaledTanh", "", scaledTanh},
    {"Crop", "", crop},
    {"DynamicSlice", "", dynamicSlice},
    {"MemcpyFromHost", "", copy},
    {"MemcpyToHost", "", copy},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
