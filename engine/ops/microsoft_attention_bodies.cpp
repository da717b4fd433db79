// Parts of attention of com.microsoft, made of ONNX's operators and of com.microsoft's attention itself.

#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

/// The number at that place of the input's shape; throws Error if it is not known before the run.
int64_t knownDim(const BodyWriter& writer, size_t input, size_t axis, const char* what) {
    const Shape* shape = writer.shape(input);
    if (shape == nullptr || axis >= shape->size() || !(*shape)[axis].isNumber()) {
        fail(what, ": dim ", axis, " must be known");
    }
    return (*shape)[axis].number();
}

void refuse(const BodyWriter& writer, const char* attribute, int64_t expected) {
    const int64_t found = writer.attributes.integer(attribute, expected);
    if (found != expected) fail(attribute, ": found ", found, ", expected ", expected);
}

constexpr int64_t mostAngles = 65536;

/// Of the table of cosines; where its shape is not known before the run, what the sections add up to.
int64_t anglesOf(const BodyWriter& writer) {
    const Shape* table = writer.shape(2);
    if (table != nullptr && table->size() == 2 && (*table)[1].isNumber()) return (*table)[1].number();
    int64_t sum = 0;
    for (const int64_t section : writer.attributes.integers("mrope_section")) {
        sum += std::clamp<int64_t>(section, 0, mostAngles + 1);
    }
    return sum;
}

/// Which of the three streams of positions gives each angle.
std::vector<int64_t> streamsOf(const BodyWriter& writer, int64_t half) {
    const std::vector<int64_t> sections = writer.attributes.integers("mrope_section");
    if (sections.size() != 3) fail("mrope_section: found ", sections.size(), " numbers, expected 3");
    std::vector<int64_t> streams;
    if (writer.attributes.integer("mrope_layout", 0) == 0) {
        for (size_t stream = 0; stream < 3; ++stream) {
            const auto left = half - static_cast<int64_t>(streams.size());
            const int64_t count = std::min(std::max<int64_t>(sections[stream], 0), left);
            streams.insert(streams.end(), static_cast<size_t>(count), static_cast<int64_t>(stream));
        }
    } else {
        for (int64_t i = 0; i < half; ++i) {
            const int64_t stream = i % 3;
            streams.push_back(stream != 0 && i < 3 * sections[static_cast<size_t>(stream)] ? stream : 0);
        }
    }
    if (static_cast<int64_t>(streams.size()) != half) {
        fail("mrope_section: found ", listText(sections), ", expected a sum of ", half);
    }
    return streams;
}

/// The angles' table, by each stream's positions, and of each angle the stream that it belongs to.
void writeMixed(BodyWriter& writer, const std::string& name, const std::string& cache) {
    writer.line(name + "_all = Gather <axis = 0> (" + cache + ", position_ids)");
    writer.line(name + "_last = Transpose <perm: ints = [1, 2, 3, 0]> (" + name + "_all)");
    writer.line(name + "_spread = Expand (streams, wanted)");
    writer.line(name + "_one = GatherElements <axis = 3> (" + name + "_last, " + name + "_spread)");
    writer.line(name + " = Squeeze (" + name + "_one, end)");
}

std::string mRotaryEmbedding(BodyWriter& writer) {
    refuse(writer, "is_packed_batching", 0);
    if (writer.attributes.number("scale", 1) != 1) fail("scale: expected 1");
    const int64_t half = anglesOf(writer);
    if (half < 1 || half > mostAngles) {
        fail("cos_cache: found ", half, " angles, expected 1 to ", mostAngles);
    }
    int64_t heads = writer.attributes.integer("num_heads", 0);
    if (heads == 0 && writer.rank(0, "input") == 3) heads = knownDim(writer, 0, 2, "input") / (2 * half);
    writer.integers("end", {3}).integers("row", streamsOf(writer, half)).integers("tail", {half, 1});
    writer.integers("angles", {1, 1, half, 1}).line("streams = Reshape (row, angles)");
    writer.line("steps = Shape <start = 1> (position_ids)").line("wanted = Concat <axis = 0> (steps, tail)");
    writeMixed(writer, "cosines", "cos_cache");
    writeMixed(writer, "sines", "sin_cache");
    const int64_t rotated = writer.attributes.integer("rotary_embedding_dim", 0);
    writer.line("output = RotaryEmbedding <interleaved = " +
                std::to_string(writer.attributes.integer("interleaved", 0)) +
                ", num_heads = " + std::to_string(heads) +
                ", rotary_embedding_dim = " + std::to_string(rotated) + "> (input, cosines, sines)");
    return writer.function("(input, position_ids, cos_cache, sin_cache) => (output)");
}

/// The buckets of T5: near distances have one each, those beyond share them by their logarithm.
std::string relativePositionBias(BodyWriter& writer) {
    const int64_t buckets = knownDim(writer, 0, 0, "bias_table");
    const int64_t heads = knownDim(writer, 0, 1, "bias_table");
    const int64_t distance = writer.attributes.integer("max_distance");
    const bool isBoth = writer.attributes.integer("is_bidirectional", 0) != 0;
    const int64_t ofSide = isBoth ? buckets / 2 : buckets;
    const int64_t exact = ofSide / 2;
    if (exact < 1 || distance <= exact) {
        fail("max_distance: found ", distance, " for ", buckets, " buckets, expected more than ", exact);
    }
    writer.integers("none", {}).integers("one", {1}).integers("zero", {0});
    writer.line("start = Constant <value_int = 0> ()").line("step = Constant <value_int = 1> ()");
    writer.line("queries = Reshape (query_length, none)").line("keys = Reshape (key_length, none)");
    writer.line("q = Range (start, queries, step)").line("k = Range (start, keys, step)");
    writer.line("column = Unsqueeze (q, one)").line("ahead = Sub (k, column)");
    writer.line("size = Constant <value_int = " + std::to_string(ofSide) + "> ()");
    writer.line("isAhead = Greater (ahead, start)").line("behind = Neg (ahead)");
    writer.line("offset = Where (isAhead, " + std::string(isBoth ? "size" : "start") + ", start)");
    writer.line(isBoth ? "away = Abs (ahead)" : "away = Max (behind, start)");
    writer.line("exact = Constant <value_int = " + std::to_string(exact) + "> ()");
    writer.line("isNear = Less (away, exact)")
        .line("far = Max (away, step)")
        .line("real = Cast <to = 1> (far)");
    writer.number("exactFloat", static_cast<double>(exact));
    writer.number("spanFloat", static_cast<double>(distance) / static_cast<double>(exact));
    writer.number("restFloat", static_cast<double>(ofSide - exact));
    writer.line("ratio = Div (real, exactFloat)").line("logarithm = Log (ratio)");
    writer.line("span = Log (spanFloat)").line("share = Div (logarithm, span)");
    writer.line("place = Mul (share, restFloat)").line("whole = Cast <to = 7> (place)");
    writer.line("beyond = Add (whole, exact)").line("last = Sub (size, step)");
    writer.line("capped = Min (beyond, last)").line("inSide = Where (isNear, away, capped)");
    writer.line("bucket = Add (inSide, offset)");
    writer.integers("order", {heads, buckets}).line("table = Reshape (bias_table, order)");
    writer.line("bias = Gather <axis = 1> (table, bucket)").line("output = Unsqueeze (bias, zero)");
    return writer.function("(bias_table, query_length, key_length) => (output)");
}

std::string gatedRelativePositionBias(BodyWriter& writer) {
    if (writer.has(6)) fail("token_offset: packed tokens are not supported");
    const int64_t heads = writer.attributes.integer("num_heads");
    writer.integers("split", {0, 0, heads, -1}).integers("halves", {0, 0, 0, 2, -1}).integers("last", {-1});
    writer.line("biased = Add (query_layer, query_bias)").line("grid = Reshape (biased, split)");
    writer.line("q = Transpose <perm: ints = [0, 2, 1, 3]> (grid)").line("product = MatMul (q, weight)");
    writer.line("linear = Add (product, bias)").line("pairs = Reshape (linear, halves)");
    writer.line("sums = ReduceSum <keepdims = 0> (pairs, last)").line("gates = Sigmoid (sums)");
    writer.line("u, r = Split <axis = -1, num_outputs = 2> (gates)");
    writer.scalar("one", 1, "query_layer").scalar("two", 2, "query_layer");
    writer.line("scaled = Mul (r, eco_a)").line("less = Sub (scaled, one)").line("gated = Mul (u, less)");
    writer.line("factor = Add (gated, two)").line("output = Mul (factor, rel_pos)");
    return writer.function("(query_layer, query_bias, rel_pos, weight, bias, eco_a) => (output)");
}

/// "hidden" [batch, heads, steps, total]: which keys the blocks leave out, from their rows (as bounds) and
/// columns. Head h has layout h modulo their number; the queries' rows follow from how many steps came
/// before.
void writeBlockMask(BodyWriter& writer, int64_t heads, int64_t block) {
    const auto constant = [&](const std::string& name, int64_t value) {
        writer.line(name + " = Constant <value_int = " + std::to_string(value) + "> ()");
    };
    constant("start", 0);
    constant("step", 1);
    constant("heads", heads);
    constant("block", block);
    writer.integers("none", {}).integers("zero", {0}).integers("one", {1}).integers("minus", {-1});
    writer.integers("two", {2}).integers("far", {INT64_MAX});
    writer.line("bounds = Cast <to = 7> (block_row_indices)")
        .line("columns = Cast <to = 7> (block_col_indices)");
    writer.line("from2 = Slice (bounds, zero, minus, one)").line("till2 = Slice (bounds, one, far, one)");
    writer.line("from = Unsqueeze (from2, two)").line("till = Unsqueeze (till2, two)");
    writer.line("entries1 = Shape <start = 1> (columns)").line("entries = Reshape (entries1, none)");
    writer.line("places = Range (start, entries, step)").line("isBefore = Less (places, from)");
    writer.line("isWithin = Less (places, till)").line("isAfter = Not (isBefore)");
    writer.line("isOf = And (isAfter, isWithin)").line("rows = Cast <to = 1> (isOf)");
    writer.line("blocks1 = Shape <start = 1> (from2)").line("blocks = Reshape (blocks1, none)");
    writer.line("onOff = Constant <value_floats: floats = [0.0, 1.0]> ()");
    writer.line("hot = OneHot <axis = -1> (columns, blocks1, onOff)").line("counts = MatMul (rows, hot)");
    writer.line("layouts1 = Shape <end = 1> (columns)").line("layouts = Reshape (layouts1, none)");
    writer.line("each = Range (start, heads, step)").line("owner = Mod (each, layouts)");
    writer.line("ofHeads = Gather <axis = 0> (counts, owner)");
}

/// Grouped attention with a bias that hides what the sparse blocks leave out.
std::string sparseAttention(BodyWriter& writer) {
    const int64_t heads = writer.attributes.integer("num_heads");
    const int64_t block = writer.attributes.integer("sparse_block_size");
    if (heads < 1 || heads > 65536 || block < 1) {
        fail("num_heads and sparse_block_size: found ", heads, " and ", block, ", expected at least 1");
    }
    writeBlockMask(writer, heads, block);
    writer.line("totals = Cast <to = 7> (key_total_sequence_lengths)")
        .line("total7 = Cast <to = 7> (total_length)");
    writer.line("total = Reshape (total7, none)").line("steps1 = Shape <start = 1, end = 2> (query)");
    writer.line("steps = Reshape (steps1, none)").line("isFirst = Equal (steps, total)");
    writer.line("before = Sub (totals, steps)").line("past = Where (isFirst, start, before)");
    writer.line("queries = Range (start, steps, step)").line("past2 = Unsqueeze (past, one)");
    writer.line("positions = Add (past2, queries)").line("queryBlocks = Div (positions, block)");
    writer.line("keys = Range (start, total, step)").line("keyBlocks = Div (keys, block)");
    writer.line("seen1 = Gather <axis = 1> (ofHeads, queryBlocks)")
        .line("seen2 = Gather <axis = 3> (seen1, keyBlocks)");
    writer.line("seen = Transpose <perm: ints = [1, 0, 2, 3]> (seen2)").number("nothing", 0);
    writer.line("isSeen = Greater (seen, nothing)").number("finite", 1);
    writer.line("endless = Div (finite, nothing)").line("hidden = Neg (endless)");
    writer.line("bias32 = Where (isSeen, nothing, hidden)").line("bias = CastLike (bias32, query)");
    writer.line("less1 = Sub (totals, step)").line("lengths = Cast <to = 6> (less1)");
    writer.line("longest = Cast <to = 6> (total7)");
    writer.call(
        "output, present_key, present_value", "com.microsoft.GroupQueryAttention",
        {"query", writer.given(1, "key"), writer.given(1, "value"), "past_key", "past_value", "lengths",
         "longest", writer.given(9, "cos_cache"), writer.given(9, "sin_cache"), "", "bias"},
        {"num_heads", "kv_num_heads", "scale", "do_rotary", "rotary_interleaved"});
    return writer.function(
        "(query, key, value, past_key, past_value, block_row_indices, block_col_indices, total_length, "
        "key_total_sequence_lengths, cos_cache, sin_cache) => (output, present_key, present_value)");
}

std::string linearAttention(BodyWriter& writer) {
    refuse(writer, "state_window", 0);
    for (const char* required : {"q_num_heads", "kv_num_heads"}) writer.attributes.integer(required);
    writer.call("output, present_state", "LinearAttention",
                {"query", "key", "value", writer.given(3, "past_state"), writer.given(4, "decay"),
                 writer.given(5, "beta")},
                {"chunk_size", "kv_num_heads", "q_num_heads", "scale", "update_rule"});
    return writer.function("(query, key, value, past_state, decay, beta) => (output, present_state)");
}

std::string causalConvWithState(BodyWriter& writer) {
    for (const auto& [name, usual] : {std::pair<const char*, int64_t>{"ndim", 1},
                                      {"dilation", 1},
                                      {"channels_last", 0},
                                      {"state_window", 0},
                                      {"state_length", 0},
                                      {"state_update_capacity", 0},
                                      {"input_channels", 0}}) {
        refuse(writer, name, usual);
    }
    writer.call("output, present_state", "CausalConvWithState",
                {"input", "weight", writer.given(2, "bias"), writer.given(3, "past_state")}, {"activation"});
    return writer.function("(input, weight, bias, past_state) => (output, present_state)");
}

/// Where past and present share a buffer, only its first steps are the past, and the rest is handed on.
void writeSharedPast(BodyWriter& writer) {
    if (!writer.has(5) || !writer.has(6) || !writer.has(7)) {
        fail("past_present_share_buffer: expected past_key, past_value and past_sequence_length");
    }
    writer.integers("axis", {2}).integers("zero", {0}).integers("one", {1}).integers("far", {INT64_MAX});
    writer.line("steps = Reshape (past_length, one)").line("used = Cast <to = 7> (steps)");
    writer.line("next = Add (used, one)");
    for (const std::string side : {"key", "value"}) {
        writer.line(side + "_before = Slice (past_" + side + ", zero, used, axis)");
        writer.line(side + "_unused = Slice (past_" + side + ", next, far, axis)");
    }
}

/// One step of a decoder: MultiHeadAttention with the past handed in and out.
std::string decoderMaskedMultiHeadAttention(BodyWriter& writer) {
    if (writer.has(9)) fail("cache_indirection: beams are not supported");
    const bool isShared = writer.attributes.integer("past_present_share_buffer", 0) != 0;
    if (isShared) writeSharedPast(writer);
    const bool wantsScores = writer.wants(3);
    const bool wantsPresent = writer.wants(1) || writer.wants(2) || wantsScores;
    const std::string present = isShared ? ", key_now, value_now" : ", present_key, present_value";
    const std::string scores = wantsScores ? ", qk" : "";
    writer.call("output" + (wantsPresent ? present : "") + scores, "com.microsoft.MultiHeadAttention",
                {"query", writer.given(1, "key"), writer.given(2, "value"), writer.given(10, "bias"),
                 writer.given(3, "mask_index"), writer.given(4, "attention_bias"),
                 writer.given(5, isShared ? "key_before" : "past_key"),
                 writer.given(6, isShared ? "value_before" : "past_value")},
                {"num_heads", "scale", "mask_filter_value"});
    if (wantsPresent && isShared) {
        writer.line("present_key = Concat <axis = 2> (key_now, key_unused)");
        writer.line("present_value = Concat <axis = 2> (value_now, value_unused)");
    }
    return writer.function(
        std::string("(query, key, value, mask_index, attention_bias, past_key, past_value, past_length, "
                    "beam_width, cache_indirection, bias) => (output") +
        (wantsPresent ? ", present_key, present_value" : "") + scores + ")");
}

const OpBody table[] = {
    {"MRotaryEmbedding", "com.microsoft", mRotaryEmbedding},
    {"RelativePositionBias", "com.microsoft", relativePositionBias},
    {"GatedRelativePositionBias", "com.microsoft", gatedRelativePositionBias},
    {"SparseAttention", "com.microsoft", sparseAttention},
    {"LinearAttention", "com.microsoft", linearAttention},
    {"CausalConvWithState", "com.microsoft", causalConvWithState},
    {"DecoderMaskedMultiHeadAttention", "com.microsoft", decoderMaskedMultiHeadAttention},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
