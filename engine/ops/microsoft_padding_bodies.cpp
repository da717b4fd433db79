// Operators of com.microsoft on batches from which the padding between sequences is taken out. The offsets of
// the real tokens come first in `token_offset`, those of the padding after them.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

/// "padded" [batch, steps, …]: the rows of `packed` at their places, zeros between.
void writeRestored(BodyWriter& writer, const std::string& packed, const std::string& padded) {
    const std::string p = padded;
    writer.line(p + "_rows = Shape <end = 1> (" + packed + ")")
        .line(p + "_size = Shape <start = 1> (" + packed + ")");
    writer.line(p + "_spread = Size (token_offset)").line(p + "_total = Reshape (" + p + "_spread, one)");
    writer.line(p + "_dims = Concat <axis = 0> (" + p + "_total, " + p + "_size)");
    writer.line(p + "_zero = CastLike (none, " + packed + ")");
    writer.line(p + "_empty = Expand (" + p + "_zero, " + p + "_dims)");
    writer.line(p + "_flat = Reshape (offsets, minus)");
    writer.line(p + "_first = Slice (" + p + "_flat, zero, " + p + "_rows)");
    writer.line(p + "_places = Unsqueeze (" + p + "_first, one)");
    writer.line(p + "_full = ScatterND (" + p + "_empty, " + p + "_places, " + packed + ")");
    writer.line(p + "_batch = Shape (token_offset)");
    writer.line(p + "_shape = Concat <axis = 0> (" + p + "_batch, " + p + "_size)");
    writer.line(p + " = Reshape (" + p + "_full, " + p + "_shape)");
}

void writeNumbers(BodyWriter& writer) {
    writer.integers("zero", {0}).integers("one", {1}).integers("minus", {-1}).number("none", 0);
    writer.line("offsets = Cast <to = 7> (token_offset)");
}

/// "output": the real tokens of `padded` [batch, steps, hidden], as many as `packed` has.
void writePacked(BodyWriter& writer, const std::string& padded, const std::string& packed) {
    writer.line("count = Shape <end = 1> (" + packed + ")").line("size = Shape <start = 2> (" + padded + ")");
    writer.line("rows = Concat <axis = 0> (minus, size)").line("flat = Reshape (" + padded + ", rows)");
    writer.line("order = Reshape (offsets, minus)").line("real = Slice (order, zero, count)");
    writer.line("output = Gather <axis = 0> (flat, real)");
}

/// "lengths": of each sequence, from the running totals.
void writeLengths(BodyWriter& writer, const std::string& totals) {
    writer.integers("far", {INT64_MAX});
    writer.line("ends = Slice (" + totals + ", one, far)")
        .line("starts = Slice (" + totals + ", zero, minus)");
    writer.line("lengths = Sub (ends, starts)");
}

std::string restorePadding(BodyWriter& writer) {
    writeNumbers(writer);
    writeRestored(writer, "input", "output");
    return writer.function("(input, token_offset) => (output)");
}

std::string removePadding(BodyWriter& writer) {
    writer.integers("zero", {0}).integers("one", {1}).integers("minus", {-1}).integers("none", {});
    writer.line("counts = Cast <to = 7> (sequence_token_count)").line("column = Unsqueeze (counts, one)");
    writer.line("start = Constant <value_int = 0> ()").line("step = Constant <value_int = 1> ()");
    writer.line("steps = Shape <start = 1, end = 2> (input)").line("length = Reshape (steps, none)");
    writer.line("places = Range (start, length, step)").line("isReal = Less (places, column)");
    writer.line("flags = Reshape (isReal, minus)").line("isPadding = Not (flags)");
    writer.line("real2 = NonZero (flags)").line("padding2 = NonZero (isPadding)");
    writer.line("real = Squeeze (real2, zero)").line("padding = Squeeze (padding2, zero)");
    writer.line("offsets = Concat <axis = 0> (real, padding)").line("batch = Shape <end = 2> (input)");
    writer.line("grid = Reshape (offsets, batch)").line("token_offset = Cast <to = 6> (grid)");
    writer.line("size = Shape <start = 2> (input)").line("rows = Concat <axis = 0> (minus, size)");
    writer.line("flat = Reshape (input, rows)").line("output = Gather <axis = 0> (flat, real)");
    writer.line("axis = Constant <value_int = 0> ()").line("sums = CumSum (counts, axis)");
    writer.line("totals = Concat <axis = 0> (zero, sums)").line("cumulated_seq_len = Cast <to = 6> (totals)");
    writer.line("largest = ReduceMax <keepdims = 1> (counts, zero)")
        .line("max_seq_len = Cast <to = 6> (largest)");
    return writer.function(
        "(input, sequence_token_count) => (output, token_offset, cumulated_seq_len, max_seq_len)");
}

std::string packedAttention(BodyWriter& writer) {
    writeNumbers(writer);
    writeRestored(writer, "input", "padded");
    writeLengths(writer, "cumulative_sequence_length");
    writer.call("attended", "com.microsoft.Attention",
                {"padded", "weights", "bias", "lengths", "", writer.given(5, "attention_bias")},
                {"num_heads", "qkv_hidden_sizes", "scale"});
    writePacked(writer, "attended", "input");
    return writer.function(
        "(input, weights, bias, token_offset, cumulative_sequence_length, attention_bias) => (output)");
}

std::string packedMultiHeadAttention(BodyWriter& writer) {
    writeNumbers(writer);
    writeLengths(writer, "cumulative_sequence_length");
    writeRestored(writer, "query", "q");
    if (writer.has(1) != writer.has(2)) fail("key and value: expected both or none");
    if (writer.has(1)) {
        writeRestored(writer, "key", "k");
        writeRestored(writer, "value", "v");
    }
    writer.call("attended", "com.microsoft.MultiHeadAttention",
                {"q", writer.given(1, "k"), writer.given(2, "v"), writer.given(3, "bias"), "lengths",
                 writer.given(6, "attention_bias")},
                {"num_heads", "scale", "mask_filter_value"});
    writePacked(writer, "attended", "query");
    return writer.function(
        "(query, key, value, bias, token_offset, cumulative_sequence_length, attention_bias) => (output)");
}

const OpBody table[] = {
    {"RestorePadding", "com.microsoft", restorePadding},
    {"RemovePadding", "com.microsoft", removePadding},
    {"PackedAttention", "com.microsoft", packedAttention},
    {"PackedMultiHeadAttention", "com.microsoft", packedMultiHeadAttention},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
