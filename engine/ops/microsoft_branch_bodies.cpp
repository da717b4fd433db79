// Streams that run side by side through a network, of com.microsoft, made of ONNX's operators: [...,
// branches, hidden], or flat [..., branches * hidden] where `num_branches` says how many.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

int64_t branchesOf(const BodyWriter& writer) {
    const int64_t branches = writer.attributes.integer("num_branches", 0);
    if (branches < 0) fail("num_branches: found ", branches, ", expected at least 0");
    return branches;
}

/// "to": "from" as float32, with an axis for the branches.
void writeGrouped(BodyWriter& writer, const std::string& from, const std::string& to) {
    writer.line(to + "_wide = Cast <to = 1> (" + from + ")");
    const int64_t branches = branchesOf(writer);
    if (branches == 0) {
        writer.line(to + " = Identity (" + to + "_wide)");
        return;
    }
    writer.integers(to + "_split", {branches, -1}).line(to + "_lead = Shape <end = -1> (" + from + ")");
    writer.line(to + "_dims = Concat <axis = 0> (" + to + "_lead, " + to + "_split)");
    writer.line(to + " = Reshape (" + to + "_wide, " + to + "_dims)");
}

/// "to": the gates "from", of one number for each branch or for each of its elements, with both axes.
void writeGates(BodyWriter& writer, const std::string& from, const std::string& to, int64_t rank,
                int64_t streamsRank) {
    writer.integers(to + "_end", {-1}).line(to + "_wide = Cast <to = 1> (" + from + ")");
    const bool isFlat = branchesOf(writer) > 0;
    const int64_t groupedRank = streamsRank + (isFlat ? 1 : 0);
    if (rank == groupedRank) {
        writer.line(to + " = Identity (" + to + "_wide)");
    } else if (rank == groupedRank - 1) {
        // [..., branches], or flat [..., branches * hidden]: which of both, the sizes tell.
        writer.line(to + "_lead = Shape <end = -1> (" + from + ")");
        writer.line(to + "_count = Shape <start = -2, end = -1> (streams_grouped)");
        writer.line(to + "_dims = Concat <axis = 0> (" + to + "_lead, " + to + "_count, " + to + "_end)");
        writer.line(to + " = Reshape (" + to + "_wide, " + to + "_dims)");
    } else {
        fail(from, ": found rank ", rank, ", expected ", groupedRank - 1, " or ", groupedRank);
    }
}

std::string branchwiseRmsNorm(BodyWriter& writer) {
    writeGrouped(writer, "X", "x");
    writer.integers("last", {-1}).line("squares = Mul (x, x)");
    writer.line("mean = ReduceMean <keepdims = 1> (squares, last)");
    writer.number("epsilon", static_cast<double>(writer.attributes.number("epsilon", 1e-5F)));
    writer.line("moved = Add (mean, epsilon)").line("root = Sqrt (moved)").line("normal = Div (x, root)");
    if (writer.has(1)) {
        writer.line("wide = Cast <to = 1> (scale)");
        if (writer.rank(1, "scale") == 1) {
            // [branches * hidden] or [hidden]: rows of the hidden size.
            writer.line("size = Shape <start = -1> (x)").line("rows = Concat <axis = 0> (last, size)");
            writer.line("factor = Reshape (wide, rows)");
        } else {
            writer.line("factor = Identity (wide)");
        }
        writer.line("scaled = Mul (normal, factor)");
    } else {
        writer.line("scaled = Identity (normal)");
    }
    writer.line("shape = Shape (X)").line("back = Reshape (scaled, shape)").line("Y = CastLike (back, X)");
    return writer.function("(X, scale) => (Y)");
}

std::string preMix(BodyWriter& writer) {
    writeGrouped(writer, "streams", "streams_grouped");
    writeGates(writer, "pre_mix", "gates", writer.rank(1, "pre_mix"), writer.rank(0, "streams"));
    writer.integers("branch", {-2}).line("gated = Mul (streams_grouped, gates)");
    writer.line("sum = ReduceSum <keepdims = 0> (gated, branch)");
    writer.number("factor", static_cast<double>(writer.attributes.number("reduction_scale", 1)));
    writer.line("scaled = Mul (sum, factor)").line("output = CastLike (scaled, streams)");
    return writer.function("(streams, pre_mix) => (output)");
}

std::string postMix(BodyWriter& writer) {
    writeGrouped(writer, "streams", "streams_grouped");
    writeGates(writer, "post_mix", "gates", writer.rank(2, "post_mix"), writer.rank(0, "streams"));
    writer.integers("branch", {-2}).line("block = Cast <to = 1> (block_output)");
    writer.line("row = Unsqueeze (block, branch)").line("added = Mul (gates, row)");
    if (writer.has(3)) {
        const int64_t rank = writer.rank(3, "stream_mix");
        std::vector<int64_t> permutation;
        for (int64_t i = 0; i + 2 < rank; ++i) permutation.push_back(i);
        permutation.insert(permutation.end(), {rank - 1, rank - 2});
        writer.line("mix = Cast <to = 1> (stream_mix)");
        writer.line("turned = Transpose <perm: ints = " + integersText(permutation) + "> (mix)");
        writer.line("kept = MatMul (turned, streams_grouped)");
    } else {
        writer.line("kept = Identity (streams_grouped)");
    }
    writer.line("sum = Add (kept, added)")
        .line("shape = Shape (streams)")
        .line("back = Reshape (sum, shape)");
    writer.line("output = CastLike (back, streams)");
    return writer.function("(streams, block_output, post_mix, stream_mix) => (output)");
}

/// "to": the RMS norm of the float32 value "from" along its last axis, scaled.
void writeNormal(BodyWriter& writer, const std::string& from, const std::string& scale,
                 const std::string& to) {
    writer.line(to + "_squares = Mul (" + from + ", " + from + ")");
    writer.line(to + "_mean = ReduceMean <keepdims = 1> (" + to + "_squares, last)");
    writer.line(to + "_moved = Add (" + to + "_mean, epsilon)").line(to + "_root = Sqrt (" + to + "_moved)");
    writer.line(to + "_normal = Div (" + from + ", " + to + "_root)");
    writer.line(to + "_scale = Cast <to = 1> (" + scale + ")");
    writer.line(to + " = Mul (" + to + "_normal, " + to + "_scale)");
}

std::string engramGate(BodyWriter& writer) {
    writer.integers("last", {-1}).integers("branch", {2}).number("least", 1e-6);
    writer.number("epsilon", static_cast<double>(writer.attributes.number("epsilon", 1e-5F)));
    writer.line("k = Cast <to = 1> (key)").line("q = Cast <to = 1> (query)");
    writeNormal(writer, "k", "key_norm_scale", "keys");
    writeNormal(writer, "q", "query_norm_scale", "queries");
    writer.line("products = Mul (keys, queries)").line("sum = ReduceSum <keepdims = 1> (products, last)");
    writer.line("size = Shape <start = -1> (key)").line("wide = Cast <to = 1> (size)");
    writer.line("root = Sqrt (wide)").line("dot = Div (sum, root)").line("sign = Sign (dot)");
    writer.line("away = Abs (dot)").line("atLeast = Max (away, least)").line("bent = Sqrt (atLeast)");
    writer.line("signed = Mul (sign, bent)").line("gate = Sigmoid (signed)");
    writer.line("v = Cast <to = 1> (value)")
        .line("row = Unsqueeze (v, branch)")
        .line("gated = Mul (gate, row)");
    writer.line("output = CastLike (gated, value)");
    if (!writer.wants(1)) {
        return writer.function(
            "(key, query, value, key_norm_scale, query_norm_scale, conv_norm_scale) => (output)");
    }
    if (!writer.has(5)) fail("conv_norm_scale: expected for gated_value_normed");
    writeNormal(writer, "gated", "conv_norm_scale", "normed");
    writer.line("gated_value_normed = CastLike (normed, value)");
    return writer.function(
        "(key, query, value, key_norm_scale, query_norm_scale, conv_norm_scale) => (output, "
        "gated_value_normed)");
}

const OpBody table[] = {
    {"BranchwiseRMSNorm", "com.microsoft", branchwiseRmsNorm},
    {"HyperConnectionPreMix", "com.microsoft", preMix},
    {"HyperConnectionPostMix", "com.microsoft", postMix},
    {"EngramGate", "com.microsoft", engramGate},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
