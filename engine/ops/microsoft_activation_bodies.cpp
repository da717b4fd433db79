// Activations, gates and dropouts that com.microsoft fuses, made of ONNX's.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

double numberOf(const BodyWriter& writer, const char* name, float fallback) {
    return static_cast<double>(writer.attributes.number(name, fallback));
}

std::string gemmFastGelu(BodyWriter& writer) {
    writer.line("product = MatMul (X, W)");
    writer.line(writer.has(2) ? "Y = com.microsoft.FastGelu (product, bias)"
                              : "Y = com.microsoft.FastGelu (product)");
    return writer.function("(X, W, bias) => (Y)");
}

/// Softmax over all axes from `axis` on at once.
std::string biasSoftmax(BodyWriter& writer) {
    writer.line("sum = Add (data, bias)").line("shape = Shape (sum)");
    writer.line("flat = Flatten <axis = " + std::to_string(writer.attributes.integer("axis", 1)) + "> (sum)");
    writer.line("even = Softmax <axis = -1> (flat)").line("output = Reshape <allowzero = 1> (even, shape)");
    return writer.function("(data, bias) => (output)");
}

/// "y, kept = Dropout …" of the value `data`, with the node's inputs from `ratio` on.
void writeDropout(BodyWriter& writer, const std::string& data, size_t ratio) {
    writer.call("y, kept", "Dropout",
                {data, writer.given(ratio, "ratio"), writer.given(ratio + 1, "training_mode")}, {"seed"});
}

/// Packs "kept" into "mask": 32 elements a number, the first in its lowest bit.
void writeBitmask(BodyWriter& writer) {
    std::vector<int64_t> places;
    for (int64_t i = 0; i < 32; ++i) places.push_back(i);
    writer.integers("flat_shape", {-1}).integers("rows", {-1, 32}).integers("last", {1});
    writer.integers("zero", {0}).integers("width", {32}).integers("places", places);
    writer.line("bits = Cast <to = 12> (kept)").line("flat = Reshape (bits, flat_shape)");
    writer.line("count = Shape (flat)").line("negative = Neg (count)");
    writer.line("missing = Mod (negative, width)").line("pads = Concat <axis = 0> (zero, missing)");
    writer.line("padded = Pad (flat, pads)").line("grid = Reshape (padded, rows)");
    writer.line("shifts = Cast <to = 12> (places)")
        .line("placed = BitShift <direction = \"LEFT\"> (grid, shifts)");
    writer.line("mask = ReduceSum <keepdims = 0> (placed, last)");
}

std::string bitmaskDropout(BodyWriter& writer) {
    writeDropout(writer, "data", 1);
    writer.line("output = Identity (y)");
    if (!writer.wants(1)) return writer.function("(data, ratio, training_mode) => (output)");
    writeBitmask(writer);
    return writer.function("(data, ratio, training_mode) => (output, mask)");
}

void writeBiasDropout(BodyWriter& writer) {
    writer.line("sum = Add (data, bias)");
    writeDropout(writer, "sum", 3);
    writer.line(writer.has(2) ? "output = Add (y, residual)" : "output = Identity (y)");
}

constexpr const char* biasDropoutInputs = "(data, bias, residual, ratio, training_mode)";

std::string biasDropout(BodyWriter& writer) {
    writeBiasDropout(writer);
    writer.line("mask = Identity (kept)");
    return writer.function(std::string(biasDropoutInputs) + " => (output, mask)");
}

std::string bitmaskBiasDropout(BodyWriter& writer) {
    writeBiasDropout(writer);
    if (!writer.wants(1)) return writer.function(std::string(biasDropoutInputs) + " => (output)");
    writeBitmask(writer);
    return writer.function(std::string(biasDropoutInputs) + " => (output, mask)");
}

std::string scaledSilu(BodyWriter& writer) {
    writer.line("x = Cast <to = 1> (X)");
    if (writer.has(1)) {
        writer.line("factor = Cast <to = 1> (scale)");
    } else {
        writer.number("factor", numberOf(writer, "alpha", 1));
    }
    writer.line("wide = Mul (x, factor)").line("z = CastLike (wide, X)").line("zf = Cast <to = 1> (z)");
    writer.line("gate = Sigmoid (zf)").line("s = CastLike (gate, X)").line("Y = Mul (z, s)");
    return writer.function("(X, scale) => (Y)");
}

std::string gatedAdd(BodyWriter& writer) {
    if (writer.has(3)) {
        writer.line("a = Cast <to = 1> (gate)").line("w = Cast <to = 1> (gate_weight)");
        writer.line("logit = MatMul (a, w)").line("open = Sigmoid (logit)").line("g = CastLike (open, X)");
    } else {
        writer.line("g = Identity (gate)");
    }
    writer.line("scaled = Mul (Y, g)").line("output = Add (X, scaled)");
    return writer.function("(X, Y, gate, gate_weight) => (output)");
}

std::string gatedRmsNorm(BodyWriter& writer) {
    const std::string activation =
        writer.attributes.choice("activation", "silu", {"silu", "swish", "sigmoid"});
    writer.line("x = Cast <to = 1> (X)")
        .line("g = Cast <to = 1> (gate)")
        .line("weight = Cast <to = 1> (scale)");
    writer.line("shape = Shape (X)").line("lead = Shape <end = -1> (X)").line("size = Shape (scale)");
    writer.integers("rest", {-1}).line("split = Concat <axis = 0> (lead, rest, size)");
    writer.line("heads = Reshape (x, split)");
    writer.line("normal = RMSNormalization <axis = -1, epsilon = " +
                floatText(numberOf(writer, "epsilon", 1e-5F)) + "> (heads, weight)");
    writer.line("back = Reshape (normal, shape)").line("open = Sigmoid (g)");
    writer.line(activation == "sigmoid" ? "factor = Identity (open)" : "factor = Mul (g, open)");
    writer.line("wide = Mul (back, factor)").line("Y = CastLike (wide, X)");
    return writer.function("(X, scale, gate) => (Y)");
}

/// com.microsoft's SwiGLU: one tensor that holds both halves, or two.
std::string swiGlu(BodyWriter& writer) {
    if (writer.has(1)) {
        writer.line("g0 = Cast <to = 1> (gate)").line("u0 = Cast <to = 1> (up)");
    } else {
        writer.line("both = Cast <to = 1> (gate)");
        writer.line("g0, u0 = Split <axis = -1, num_outputs = 2> (both)");
    }
    const double limit = numberOf(writer, "limit", 0);
    writer.number("top", limit).number("bottom", -limit);
    writer.line(limit > 0 ? "g = Min (g0, top)" : "g = Identity (g0)");
    writer.line(limit > 0 ? "u = Clip (u0, bottom, top)" : "u = Identity (u0)");
    writer.number("alpha", numberOf(writer, "activation_alpha", 1));
    writer.number("beta", numberOf(writer, "activation_beta", 0));
    writer.line("bent = Mul (g, alpha)").line("open = Sigmoid (bent)").line("wide = Mul (g, open)");
    if (writer.attributes.integer("round_activation", 0) != 0) {
        writer.line("rounded = CastLike (wide, gate)").line("active = Cast <to = 1> (rounded)");
    } else {
        writer.line("active = Identity (wide)");
    }
    writer.line("moved = Add (u, beta)").line("result = Mul (active, moved)");
    writer.line("output = CastLike (result, gate)");
    return writer.function("(gate, up) => (output)");
}

std::string linearAttentionGate(BodyWriter& writer) {
    writer.line("wide = Cast <to = 1> (a)").line("sum = Add (wide, dt_bias)").line("soft = Softplus (sum)");
    writer.line("scaled = Mul (soft, decay_scale)").line("decay = CastLike (scaled, a)");
    if (!writer.has(3)) return writer.function("(a, dt_bias, decay_scale) => (decay)");
    writer.line("rate = Cast <to = 1> (b)").line("open = Sigmoid (rate)").line("beta = CastLike (open, b)");
    return writer.function("(a, dt_bias, decay_scale, b) => (decay, beta)");
}

const OpBody table[] = {
    {"GemmFastGelu", "com.microsoft", gemmFastGelu},
    {"BiasSoftmax", "com.microsoft", biasSoftmax},
    {"BitmaskDropout", "com.microsoft", bitmaskDropout},
    {"BiasDropout", "com.microsoft", biasDropout},
    {"BitmaskBiasDropout", "com.microsoft", bitmaskBiasDropout},
    {"ScaledSiLU", "com.microsoft", scaledSilu},
    {"GatedAdd", "com.microsoft", gatedAdd},
    {"GatedRMSNorm", "com.microsoft", gatedRmsNorm},
    {"SwiGLU", "com.microsoft", swiGlu},
    {"LinearAttentionGate", "com.microsoft", linearAttentionGate},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
