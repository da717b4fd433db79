// Operators of com.microsoft.nchwc: ONNX Runtime writes them into models that it saves optimized to the full.
// Its tensors of that layout have their channels padded to blocks as wide as the vectors of the processor at
// hand, and lie by blocks. Here they are padded alike, but lie by channels as in ONNX: only the weights,
// which the file holds, have to be put in order. The layouts are those of ONNX Runtime's MLAS library.

#include <cstdlib>

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

constexpr const char* variable = "OPSCOPE_NCHWC_BLOCK";
constexpr int64_t smallBlock = 8;
constexpr int64_t largeBlock = 16;
constexpr int64_t mostChannels = int64_t{1} << 40;

/// The channels in a block of `what`, which the user has to say. Throws Error if not, or if it is not
/// possible.
int64_t blockTold(const char* what) {
    const char* value = std::getenv(variable);
    const std::string found = value == nullptr ? "" : value;
    if (found.empty()) {
        fail(what, ": its channels lie in blocks of 8 or of 16, and the file does not say which; set ",
             variable, " to 16 if the model was optimized on a processor with AVX-512, else to 8");
    }
    if (found != "8" && found != "16") fail(variable, ": found '", found, "', expected 8 or 16");
    return found == "8" ? smallBlock : largeBlock;
}

/// `channels` and what is missing to a whole block.
int64_t padded(int64_t channels) {
    const auto filled = [&](int64_t block) { return channels + (block - channels % block) % block; };
    if (filled(smallBlock) == filled(largeBlock)) return filled(smallBlock);
    return filled(blockTold("X"));
}

/// The channels in a block of the weights, which have that many outputs.
int64_t weightsBlock(int64_t outputs) {
    if (outputs % largeBlock == smallBlock) return smallBlock;
    const int64_t block = blockTold("W");
    if (outputs % block != 0) fail("W: found ", outputs, " outputs, expected a multiple of ", block);
    return block;
}

/// Throws Error if they are not known.
Dims knownDims(const BodyWriter& writer, size_t input, const char* what) {
    Dims result;
    const Shape* shape = writer.shape(input);
    if (shape == nullptr) fail(what, ": its shape must be known");
    for (const Dim& dim : *shape) {
        if (!dim.isNumber()) fail(what, ": found a size of ", dim, ", expected a number");
        result.push_back(dim.number());
    }
    return result;
}

/// Adds "w": the weights W [outputs, inputs of a group, ...] out of the order in which the file has them.
/// They lie by blocks of outputs and inputs, with the taps between: outputs/b, inputs/b, taps, b inputs, b
/// outputs. Where the inputs make no block (the first convolution, depthwise ones) only the outputs do.
void writeWeights(BodyWriter& writer) {
    const Dims dims = knownDims(writer, 1, "W");
    if (dims.size() < 3) fail("W: found rank ", dims.size(), ", expected channels and spatial axes");
    const int64_t block = weightsBlock(dims[0]);
    const int64_t outputs = dims[0] / block;
    const int64_t inputs = dims[1];
    if (inputs > block && inputs % block != 0)
        fail("W: found ", inputs, " inputs, expected less than ", block, " or a multiple of it");
    if (inputs < block) {
        writer.integers("blocks", {outputs, inputs, -1, block});
        writer.line("blocked = Reshape (W, blocks)");
        writer.line("turned = Transpose <perm: ints = [0, 3, 1, 2]> (blocked)");
    } else {
        writer.integers("blocks", {outputs, inputs / block, -1, block, block});
        writer.line("blocked = Reshape (W, blocks)");
        writer.line("turned = Transpose <perm: ints = [0, 4, 1, 3, 2]> (blocked)");
    }
    writer.integers("dims", dims).line("w = Reshape (turned, dims)");
}

std::string conv(BodyWriter& writer) {
    writeWeights(writer);
    writer.call("Y", "com.microsoft.FusedConv", {"X", "w", writer.given(2, "B"), writer.given(3, "Sum")},
                {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides", "activation",
                 "activation_params"});
    return writer.function("(X, W, B, Sum) => (Y)");
}

/// For what does the same to each channel.
std::string asOfOnnx(BodyWriter& writer, const char* operatorType,
                     const std::vector<std::string>& attributes) {
    writer.call("Y", operatorType, {"X"}, attributes);
    return writer.function("(X) => (Y)");
}

std::string maxPool(BodyWriter& writer) {
    return asOfOnnx(writer, "MaxPool",
                    {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"});
}

std::string averagePool(BodyWriter& writer) {
    return asOfOnnx(
        writer, "AveragePool",
        {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides"});
}

std::string globalMaxPool(BodyWriter& writer) { return asOfOnnx(writer, "GlobalMaxPool", {}); }

std::string globalAveragePool(BodyWriter& writer) { return asOfOnnx(writer, "GlobalAveragePool", {}); }

std::string upsample(BodyWriter& writer) {
    writer.integers("factors", writer.attributes.integers("scales")).line("scales = Cast <to = 1> (factors)");
    const std::string mode = writer.attributes.choice("mode", "nearest", {"nearest", "linear"});
    const std::string places = writer.attributes.choice("coordinate_transformation_mode", "asymmetric",
                                                        {"asymmetric", "align_corners", "half_pixel"});
    writer.line("Y = Resize <mode = \"" + mode +
                "\", nearest_mode = \"floor\", coordinate_transformation_mode = \"" + places +
                "\"> (X, , scales)");
    return writer.function("(X) => (Y)");
}

int64_t pictureRank(const BodyWriter& writer) {
    const int64_t rank = writer.rank(0, "X");
    if (rank < 3) fail("X: found rank ", rank, ", expected a batch, channels and spatial axes");
    return rank;
}

std::string reorderInput(BodyWriter& writer) {
    const int64_t rank = pictureRank(writer);
    const bool isLast = writer.attributes.integer("channels_last", 0) != 0;
    const Dim channels = (*writer.shape(0))[static_cast<size_t>(isLast ? rank - 1 : 1)];
    if (!channels.isNumber()) fail("X: found ", channels, " channels, expected a number");
    if (channels.number() > mostChannels)
        fail("X: found ", channels, " channels, expected ", mostChannels, " at most");
    std::vector<int64_t> pads(static_cast<size_t>(2 * rank), 0);
    pads[static_cast<size_t>(rank + 1)] = padded(channels.number()) - channels.number();
    writer.integers("pads", pads);
    writer.line("first = " + (isLast ? transposed("X", channelsFirst(rank)) : "Identity (X)"));
    writer.line("Y = Pad (first, pads)");
    return writer.function("(X) => (Y)");
}

std::string reorderOutput(BodyWriter& writer) {
    const int64_t rank = pictureRank(writer);
    const int64_t channels = writer.attributes.integer("channels");
    if (channels < 1) fail("channels: found ", channels, ", expected at least 1");
    writer.integers("start", {0}).integers("end", {channels}).integers("axis", {1});
    writer.line("real = Slice (X, start, end, axis)");
    const bool isLast = writer.attributes.integer("channels_last", 0) != 0;
    writer.line("Y = " + (isLast ? transposed("real", channelsLast(rank)) : "Identity (real)"));
    return writer.function("(X) => (Y)");
}

const OpBody table[] = {
    {"Conv", "com.microsoft.nchwc", conv},
    {"MaxPool", "com.microsoft.nchwc", maxPool},
    {"AveragePool", "com.microsoft.nchwc", averagePool},
    {"GlobalMaxPool", "com.microsoft.nchwc", globalMaxPool},
    {"GlobalAveragePool", "com.microsoft.nchwc", globalAveragePool},
    {"Upsample", "com.microsoft.nchwc", upsample},
    {"ReorderInput", "com.microsoft.nchwc", reorderInput},
    {"ReorderOutput", "com.microsoft.nchwc", reorderOutput},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
