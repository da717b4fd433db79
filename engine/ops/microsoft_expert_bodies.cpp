// Mixtures of experts and products with weights in blocks of 4 bits, of com.microsoft, made of ONNX's
// operators. Every expert computes every token; the router's weights choose.

#include "engine/core/divide.h"
#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

double numberOf(const BodyWriter& writer, const char* name, float fallback) {
    return static_cast<double>(writer.attributes.number(name, fallback));
}

/// "routed" [experts, tokens, 1]: how much each expert counts for each token, 0 for those not chosen. The
/// softmax goes over the chosen ones where the weights are normalized, else over all.
void writeRouting(BodyWriter& writer, bool hasOwnWeights) {
    const int64_t chosen = writer.attributes.integer("k", 1);
    if (chosen < 1) fail("k: found ", chosen, ", expected at least 1");
    writer.integers("k", {chosen}).integers("last", {-1}).integers("second", {1});
    writer.line("logits = Cast <to = 1> (router_probs)");
    const bool isNormalized = writer.attributes.integer("normalize_routing_weights", 0) != 0;
    writer.line("even = Softmax <axis = -1> (logits)");
    writer.line("scores, chosen = TopK <axis = -1> (logits, k)");
    if (hasOwnWeights) {
        writer.line("given = Cast <to = 1> (router_weights)");
        writer.line("picked = GatherElements <axis = 1> (given, chosen)");
        writer.line("total = ReduceSum <keepdims = 1> (picked, last)");
        writer.line(isNormalized ? "weights = Div (picked, total)" : "weights = Identity (picked)");
    } else if (isNormalized) {
        writer.line("weights = Softmax <axis = -1> (scores)");
    } else {
        writer.line("weights = GatherElements <axis = 1> (even, chosen)");
    }
    writer.number("none", 0).line("blank = Mul (even, none)");
    writer.line("spread = ScatterElements <axis = 1> (blank, chosen, weights)");
    writer.line("byExpert = Transpose <perm: ints = [1, 0]> (spread)")
        .line("routed = Unsqueeze (byExpert, last)");
}

/// "to" [experts, tokens, …]: the product of "from" with the experts' transposed matrices, plus their bias.
void writeLinear(BodyWriter& writer, const std::string& from, const std::string& matrices,
                 const std::string& bias, const std::string& to) {
    writer.line(to + "_matrix = Transpose <perm: ints = [0, 2, 1]> (" + matrices + ")");
    writer.line(to + "_product = MatMul (" + from + ", " + to + "_matrix)");
    if (bias.empty()) {
        writer.line(to + " = Identity (" + to + "_product)");
    } else {
        writer.line(to + "_bias32 = Cast <to = 1> (" + bias + ")");
        writer.line(to + "_bias = Unsqueeze (" + to + "_bias32, second)");
        writer.line(to + " = Add (" + to + "_product, " + to + "_bias)");
    }
}

/// "active" of "hidden", and of "linear" where the gate has a projection of its own.
void writeSwiGlu(BodyWriter& writer, bool hasLinear) {
    const int64_t fusion = writer.attributes.integer("swiglu_fusion", 0);
    if (hasLinear == (fusion != 0)) fail("swiglu_fusion: found ", fusion, ", which does not go with fc3");
    if (fusion == 1) {
        writer.integers("pairs", {0, 0, -1, 2}).line("paired = Reshape (hidden, pairs)");
        writer.line("gate4, up4 = Split <axis = -1, num_outputs = 2> (paired)");
        writer.line("g0 = Squeeze (gate4, last)").line("u0 = Squeeze (up4, last)");
    } else if (fusion == 2) {
        writer.line("g0, u0 = Split <axis = -1, num_outputs = 2> (hidden)");
    } else {
        writer.line("g0 = Identity (hidden)").line("u0 = Identity (linear)");
    }
    const bool isAfter = writer.attributes.integer("swiglu_limit_after_activation", 0) != 0;
    const bool hasLimit = writer.attributes.has("swiglu_limit");
    const double limit = numberOf(writer, "swiglu_limit", 1);
    writer.number("top", limit).number("bottom", -limit);
    writer.line(hasLimit && !isAfter ? "g = Min (g0, top)" : "g = Identity (g0)");
    writer.line(hasLimit ? "u = Clip (u0, bottom, top)" : "u = Identity (u0)");
    writer.number("alpha", numberOf(writer, "activation_alpha", 1));
    writer.number("beta", numberOf(writer, "activation_beta", 0));
    writer.line("bent = Mul (g, alpha)").line("open = Sigmoid (bent)").line("swish = Mul (g, open)");
    writer.line(hasLimit && isAfter ? "gated = Min (swish, top)" : "gated = Identity (swish)");
    writer.line("moved = Add (u, beta)").line("active = Mul (gated, moved)");
}

void writeActivation(BodyWriter& writer, bool hasLinear) {
    const std::string activation =
        writer.attributes.choice("activation_type", "relu", {"relu", "gelu", "silu", "swiglu", "identity"});
    if (activation == "swiglu") return writeSwiGlu(writer, hasLinear);
    if (activation == "relu") writer.line("acted = Relu (hidden)");
    if (activation == "gelu") writer.line("acted = Gelu <approximate = \"tanh\"> (hidden)");
    if (activation == "silu") writer.line("acted = Swish (hidden)");
    if (activation == "identity") writer.line("acted = Identity (hidden)");
    writer.line(hasLinear ? "active = Mul (acted, linear)" : "active = Identity (acted)");
}

struct Biases {
    std::string first;
    std::string second;
    std::string third;
};

/// The whole of it, from the float32 matrices "m1", "m2" and, if there are three, "m3".
void writeExperts(BodyWriter& writer, const Biases& biases, bool hasThird) {
    writer.line("x = Cast <to = 1> (input)").line("hiddenSize = Shape <start = -1> (input)");
    writer.line("rows = Concat <axis = 0> (last, hiddenSize)").line("flat = Reshape (x, rows)");
    writer.integers("front", {0}).line("tokens = Unsqueeze (flat, front)");
    writeLinear(writer, "tokens", "m1", biases.first, "hidden");
    if (hasThird) writeLinear(writer, "tokens", "m3", biases.third, "linear");
    writeActivation(writer, hasThird);
    writeLinear(writer, "active", "m2", biases.second, "result");
    // A choice, not a product: what an expert that is not asked makes of a token may be infinite.
    writer.line("isOut = Equal (routed, none)").line("weighted = Mul (result, routed)");
    writer.line("counted = Where (isOut, none, weighted)");
    writer.line("sum = ReduceSum <keepdims = 0> (counted, front)").line("shape = Shape (input)");
    writer.line("shaped = Reshape (sum, shape)").line("output = CastLike (shaped, input)");
}

void checkMixer(const BodyWriter& writer) {
    if (writer.attributes.integer("use_sparse_mixer", 0) != 0) fail("use_sparse_mixer: is not supported");
}

std::string mixtureOfExperts(BodyWriter& writer) {
    checkMixer(writer);
    writeRouting(writer, false);
    const bool hasThird = writer.has(6);
    writer.line("m1 = Cast <to = 1> (fc1)").line("m2 = Cast <to = 1> (fc2)");
    if (hasThird) writer.line("m3 = Cast <to = 1> (fc3)");
    writeExperts(
        writer,
        {writer.has(3) ? "fc1_bias" : "", writer.has(5) ? "fc2_bias" : "", writer.has(7) ? "fc3_bias" : ""},
        hasThird);
    return writer.function("(input, router_probs, fc1, fc1_bias, fc2, fc2_bias, fc3, fc3_bias) => (output)");
}

/// "to": the elements of `bits` bits that lie in the bytes "from", low ones first, as float32, along the last
/// axis.
void writeUnpacked(BodyWriter& writer, const std::string& from, const std::string& to, int64_t bits) {
    if (bits == 8) {
        writer.line(to + " = Cast <to = 1> (" + from + ")");
        return;
    }
    std::vector<int64_t> shifts;
    for (int64_t shift = 0; shift < 8; shift += bits) shifts.push_back(shift);
    writer.integers(to + "_shifts64", shifts).line(to + "_shifts = Cast <to = 2> (" + to + "_shifts64)");
    writer.integers(to + "_mask64", {(int64_t{1} << bits) - 1});
    writer.line(to + "_mask = Cast <to = 2> (" + to + "_mask64)");
    writer.line(to + "_open = Unsqueeze (" + from + ", last)");
    writer.line(to + "_moved = BitShift <direction = \"RIGHT\"> (" + to + "_open, " + to + "_shifts)");
    writer.line(to + "_parts = BitwiseAnd (" + to + "_moved, " + to + "_mask)");
    writer.line(to + "_lead = Shape <end = -1> (" + from + ")");
    writer.line(to + "_dims = Concat <axis = 0> (" + to + "_lead, last)");
    writer.line(to + "_codes = Reshape (" + to + "_parts, " + to + "_dims)");
    writer.line(to + " = Cast <to = 1> (" + to + "_codes)");
}

/// "to" [experts, rows, columns] of integers with scales for each row, or for each block along the columns.
void writeDequantized(BodyWriter& writer, const std::string& name, const std::string& to, int64_t bits,
                      bool hasZeroPoints) {
    const int64_t block = writer.attributes.integer("block_size", 0);
    const std::string t = to;
    writeUnpacked(writer, name, t + "_codes32", bits);
    writer.line(t + "_scale32 = Cast <to = 1> (" + name + "_scales)");
    if (block > 0) {
        writer.integers(t + "_split", {0, 0, -1, block});
        writer.line(t + "_grid = Reshape (" + t + "_codes32, " + t + "_split)");
    } else {
        writer.line(t + "_grid = Identity (" + t + "_codes32)");
    }
    writer.line(t + "_scale = Unsqueeze (" + t + "_scale32, last)");
    if (hasZeroPoints) {
        writeUnpacked(writer, name + "_zeros", t + "_zero32", bits);
        // Rows of zero points are padded to whole bytes.
        writer.line(t + "_like = Shape (" + t + "_scale32)");
        writer.line(t + "_from = Sub (" + t + "_like, " + t + "_like)");
        writer.line(t + "_exact = Slice (" + t + "_zero32, " + t + "_from, " + t + "_like)");
        writer.line(t + "_zero = Unsqueeze (" + t + "_exact, last)");
    } else {
        writer.number(t + "_zero", static_cast<double>(int64_t{1} << (bits - 1)));
    }
    writer.line(t + "_centred = Sub (" + t + "_grid, " + t + "_zero)");
    writer.line(t + "_scaled = Mul (" + t + "_centred, " + t + "_scale)");
    writer.line(t + "_lead = Shape <end = 2> (" + name + ")");
    writer.line(t + "_shape = Concat <axis = 0> (" + t + "_lead, last)");
    writer.line(t + " = Reshape (" + t + "_scaled, " + t + "_shape)");
}

std::string quantizedMixture(BodyWriter& writer) {
    checkMixer(writer);
    writer.attributes.choice("quant_type", "int", {"int"});
    if (writer.attributes.integer("weights_prepacked", 0) > 0) {
        fail("weights_prepacked: found ", writer.attributes.integer("weights_prepacked"),
             ", a layout of one provider only, expected 0");
    }
    const int64_t bits = writer.attributes.integer("expert_weight_bits", 4);
    writeRouting(writer, writer.has(14));
    const bool hasThird = writer.has(8);
    for (const auto& [number, weights] : {std::pair<int, size_t>{1, 2}, {2, 5}, {3, 8}}) {
        if (number == 3 && !hasThird) continue;
        const std::string n = std::to_string(number);
        const int64_t own = writer.attributes.integer("fc" + n + "_expert_weight_bits", bits);
        if (own != 2 && own != 4 && own != 8) fail("expert_weight_bits: found ", own, ", expected 2, 4 or 8");
        if (!writer.has(weights + 1)) fail("fc", n, "_scales: expected to be given");
        writeDequantized(writer, "fc" + n, "m" + n, own, writer.has(10 + static_cast<size_t>(number)));
    }
    writeExperts(
        writer,
        {writer.has(4) ? "fc1_bias" : "", writer.has(7) ? "fc2_bias" : "", writer.has(10) ? "fc3_bias" : ""},
        hasThird);
    return writer.function(
        "(input, router_probs, fc1, fc1_scales, fc1_bias, fc2, fc2_scales, fc2_bias, fc3, fc3_scales, "
        "fc3_bias, fc1_zeros, fc2_zeros, fc3_zeros, router_weights) => (output)");
}

constexpr const char* fourBitFloats =
    "0.0, 0.00520833333, 0.66666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25, -0.0, -0.00520833333, "
    "-0.66666667, -1.0, -0.33333333, -0.5, -0.16666667, -0.25";
// The quantiles of a normal distribution, of the format's definition.
constexpr const char* normalFloats =
    "-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, "
    "-0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, "
    "0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, "
    "1.0";

/// Two codes a byte, the first in its high bits; they choose from a table, times the largest magnitude of
/// their block.
std::string matMulBnb4(BodyWriter& writer) {
    const int64_t type = writer.attributes.integer("quant_type");
    if (type != 0 && type != 1) fail("quant_type: found ", type, ", expected 0 or 1");
    const int64_t rows = writer.attributes.integer("N");
    const int64_t columns = writer.attributes.integer("K");
    const int64_t block = writer.attributes.integer("block_size");
    for (const int64_t size : {rows, columns, block}) {
        if (size < 1 || size > (int64_t{1} << 30)) {
            fail("N, K and block_size: found ", size, ", expected 1 to 2^30");
        }
    }
    writer.integers("shifts64", {4, 0}).line("shifts = Cast <to = 2> (shifts64)").integers("last", {-1});
    writer.integers("mask64", {15}).line("mask = Cast <to = 2> (mask64)").line("open = Unsqueeze (B, last)");
    writer.line("moved = BitShift <direction = \"RIGHT\"> (open, shifts)")
        .line("parts = BitwiseAnd (moved, mask)");
    writer.line("flat = Reshape (parts, last)").integers("zero", {0}).integers("count", {rows * columns});
    writer.line("real = Slice (flat, zero, count)").line("codes = Cast <to = 7> (real)");
    writer.line("table = Constant <value_floats: floats = [" +
                std::string(type == 0 ? fourBitFloats : normalFloats) + "]> ()");
    writer.line("values = Gather (table, codes)");
    writer.integers("pads", {0, (block - rows * columns % block) % block})
        .line("padded = Pad (values, pads)");
    writer.integers("grid", {-1, block}).line("blocks = Reshape (padded, grid)");
    writer.line("largest = Cast <to = 1> (absmax)")
        .integers("scale_shape", {ceilDivide(rows * columns, block), 1})
        .line("scales = Reshape (largest, scale_shape)");
    writer.line("scaled = Mul (blocks, scales)").line("line = Reshape (scaled, last)");
    writer.line("whole = Slice (line, zero, count)").integers("shape", {rows, columns});
    writer.line("matrix = Reshape (whole, shape)").line("x = Cast <to = 1> (A)");
    const bool isTransposed = writer.attributes.integer("transB", 1) != 0;
    writer.line(isTransposed ? "right = Transpose <perm: ints = [1, 0]> (matrix)"
                             : "right = Identity (matrix)");
    writer.line("product = MatMul (x, right)").line("Y = CastLike (product, A)");
    return writer.function("(A, B, absmax) => (Y)");
}

const OpBody table[] = {
    {"MoE", "com.microsoft", mixtureOfExperts},
    {"QMoE", "com.microsoft", quantizedMixture},
    {"MatMulBnb4", "com.microsoft", matMulBnb4},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
