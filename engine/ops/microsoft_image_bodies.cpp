// Operators of com.microsoft on images, made of ONNX's: channels last, and what diffusion models fuse.

#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

const std::vector<std::string> convAttributes{"auto_pad", "dilations",    "group",
                                              "pads",     "kernel_shape", "strides"};

/// The input's rank where it leaves room for a batch and channels.
int64_t pictureRank(const BodyWriter& writer, const char* name) {
    const int64_t rank = writer.rank(0, name);
    if (rank < 2) fail(name, ": found rank ", rank, ", expected a batch, axes of the picture and channels");
    return rank;
}

/// Whether the weights' channels may lie on that axis, and the kernel from the axis `kernel` on.
bool mayWeightsLie(const BodyWriter& writer, size_t channels, size_t kernel) {
    const Shape& weights = *writer.shape(1);
    const Dim group = writer.attributes.integer("group", 1);
    if (!(weights[channels] * group == writer.shape(0)->back())) return false;
    if (!writer.attributes.has("kernel_shape")) return true;
    const std::vector<int64_t> sizes = writer.attributes.integers("kernel_shape");
    const auto first = weights.begin() + static_cast<ptrdiff_t>(kernel);
    const auto mayBe = [](int64_t size, const Dim& dim) { return !dim.isNumber() || dim.number() == size; };
    return std::equal(sizes.begin(), sizes.end(), first, first + std::ssize(weights) - 2, mayBe);
}

/// The optimizer that writes NhwcConv also puts the weights' channels last, which the operator's
/// documentation does not say: where the shapes leave it open, they are taken to lie last.
bool hasWeightsChannelsFirst(const BodyWriter& writer) {
    const Shape* x = writer.shape(0);
    const Shape* weights = writer.shape(1);
    if (x == nullptr || weights == nullptr || x->size() != weights->size()) return false;
    return mayWeightsLie(writer, 1, 2) && !mayWeightsLie(writer, weights->size() - 1, 1);
}

std::string nhwcConv(BodyWriter& writer) {
    const int64_t rank = pictureRank(writer, "X");
    writer.line("x = " + transposed("X", channelsFirst(rank)));
    const bool isFirst = hasWeightsChannelsFirst(writer);
    writer.line("w = " + (isFirst ? "Identity (W)" : transposed("W", channelsFirst(rank))));
    writer.call("y", "Conv", {"x", "w", writer.given(2, "B")}, convAttributes);
    writer.line("Y = " + transposed("y", channelsLast(rank)));
    return writer.function("(X, W, B) => (Y)");
}

std::string nhwcFusedConv(BodyWriter& writer) {
    const int64_t rank = pictureRank(writer, "X");
    std::vector<std::string> names = convAttributes;
    names.insert(names.end(), {"activation", "activation_params"});
    writer.line("x = " + transposed("X", channelsFirst(rank)));
    if (writer.has(3)) writer.line("z = " + transposed("Z", channelsFirst(rank)));
    writer.call("y", "com.microsoft.FusedConv", {"x", "W", writer.given(2, "B"), writer.given(3, "z")},
                names);
    writer.line("Y = " + transposed("y", channelsLast(rank)));
    return writer.function("(X, W, B, Z) => (Y)");
}

std::string nhwcMaxPool(BodyWriter& writer) {
    const int64_t rank = pictureRank(writer, "x");
    writer.line("first = " + transposed("x", channelsFirst(rank)));
    writer.call("pooled", "MaxPool", {"first"},
                {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"});
    writer.line("y = " + transposed("pooled", channelsLast(rank)));
    return writer.function("(x) => (y)");
}

/// Writes the normalization of the float value "sum", of the layout that the attribute says, into "Y" of
/// X's type.
void writeGroupNorm(BodyWriter& writer, int64_t rank) {
    const bool isLast = writer.attributes.integer("channels_last", 1) != 0;
    const int64_t activation = writer.attributes.integer("activation");
    if (activation != 0 && activation != 1) fail("activation: found ", activation, ", expected 0 or 1");
    writer.line("first = " + (isLast ? transposed("sum", channelsFirst(rank)) : "Identity (sum)"));
    writer.line("scale = Cast <to = 1> (gamma)").line("shift = Cast <to = 1> (beta)");
    writer.line(
        "normal = GroupNormalization <num_groups = " + std::to_string(writer.attributes.integer("groups")) +
        ", epsilon = " + floatText(static_cast<double>(writer.attributes.number("epsilon", 1e-5F))) +
        "> (first, scale, shift)");
    writer.line("gate = Sigmoid (normal)").line("gated = Mul (normal, gate)");
    writer.line("chosen = Identity (" + std::string(activation == 1 ? "gated" : "normal") + ")");
    writer.line("back = " + (isLast ? transposed("chosen", channelsLast(rank)) : "Identity (chosen)"));
    writer.line("Y = CastLike (back, X)");
}

std::string groupNorm(BodyWriter& writer) {
    writer.line("sum = Cast <to = 1> (X)");
    writeGroupNorm(writer, pictureRank(writer, "X"));
    return writer.function("(X, gamma, beta) => (Y)");
}

std::string skipGroupNorm(BodyWriter& writer) {
    const int64_t rank = pictureRank(writer, "X");
    const bool isLast = writer.attributes.integer("channels_last", 1) != 0;
    writer.line("x = Cast <to = 1> (X)").line("skipped = Cast <to = 1> (skip)");
    std::vector<int64_t> places;
    for (int64_t i = 0; i + 2 < rank; ++i) places.push_back(i + (isLast ? 1 : 2));
    writer.integers("places", places);
    writer.line(writer.rank(3, "skip") == 2 ? "spread = Unsqueeze (skipped, places)"
                                            : "spread = Identity (skipped)");
    writer.line("added = Add (x, spread)");
    if (writer.has(4)) {
        writer.line("offset = Cast <to = 1> (bias)");
        std::vector<int64_t> after;
        for (int64_t i = 0; i + 2 < rank && !isLast; ++i) after.push_back(i + 1);
        writer.integers("after", after)
            .line("row = Unsqueeze (offset, after)")
            .line("sum = Add (added, row)");
    } else {
        writer.line("sum = Identity (added)");
    }
    writeGroupNorm(writer, rank);
    writer.line("S = CastLike (sum, X)");
    return writer.function("(X, gamma, beta, skip, bias) => (Y, S)");
}

std::string biasAdd(BodyWriter& writer) {
    writer.line("sum = Add (X, bias)").line("Y = Add (sum, skip)");
    return writer.function("(X, bias, skip) => (Y)");
}

std::string biasSplitGelu(BodyWriter& writer) {
    writer.line("sum = Add (X, bias)").line("left, right = Split <axis = -1, num_outputs = 2> (sum)");
    writer.line("gate = Gelu (right)").line("Y = Mul (left, gate)");
    return writer.function("(X, bias) => (Y)");
}

const OpBody table[] = {
    {"NhwcConv", "com.microsoft", nhwcConv},           {"NhwcFusedConv", "com.microsoft", nhwcFusedConv},
    {"NhwcMaxPool", "com.microsoft", nhwcMaxPool},     {"GroupNorm", "com.microsoft", groupNorm},
    {"SkipGroupNorm", "com.microsoft", skipGroupNorm}, {"BiasAdd", "com.microsoft", biasAdd},
    {"BiasSplitGelu", "com.microsoft", biasSplitGelu},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
