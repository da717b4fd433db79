// MultiHeadAttention, Attention and QAttention of com.microsoft. The first takes projected queries, keys and
// values, the others project their input themselves, QAttention from 8-bit numbers.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/attention_heads.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    int64_t heads = 1;
    float scale = 0;  ///< 0: by the head size
    float hidden = -10000;
    bool isCausal = false;
    std::vector<int64_t> sizes = {};  ///< of all heads of queries, keys and values together; Attention only
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.heads = reader.integer("num_heads"),
                          .scale = reader.number("scale", 0),
                          .hidden = reader.number("mask_filter_value", -10000),
                          .isCausal = reader.integer("unidirectional", 0) != 0,
                          .sizes = reader.integers("qkv_hidden_sizes")};
    if (attributes.heads < 1) fail("num_heads: found ", attributes.heads, ", expected at least 1");
    if (reader.integer("do_rotary", 0) != 0) fail("do_rotary is not supported");
    if (reader.integer("past_present_share_buffer", 0) != 0) {
        fail("past_present_share_buffer is not supported");
    }
    return attributes;
}

float scaleFor(const Attributes& attributes, const Heads& query) {
    if (attributes.scale != 0) return attributes.scale;
    return static_cast<float>(1 / std::sqrt(static_cast<double>(query.size)));
}

Work work(const WorkContext& context) {
    const Dim batch = context.inputDim(0, 0);
    const Dim steps = context.inputDim(0, 1);
    const Dim hidden = context.outputDim(0, 2);
    return {.multiplyAdds = batch * steps * steps * hidden * Dim(2)};
}

/// Adds the part of a bias that begins at `start` to all steps.
void addBias(Heads& heads, const std::vector<double>& bias, int64_t start) {
    if (bias.empty()) return;
    if (start + heads.heads * heads.size > static_cast<int64_t>(bias.size())) {
        fail("bias: found ", bias.size(), " values, expected at least ", start + heads.heads * heads.size);
    }
    for (int64_t b = 0; b < heads.batch; ++b) {
        for (int64_t head = 0; head < heads.heads; ++head) {
            for (int64_t step = 0; step < heads.length; ++step) {
                float* to = heads.at(b, head, step);
                for (int64_t i = 0; i < heads.size; ++i) {
                    to[i] += static_cast<float>(bias[static_cast<size_t>(start + head * heads.size + i)]);
                }
            }
        }
    }
}

struct Masks {
    size_t keys = 0;  ///< the inputs at which they are
    size_t bias = 0;
};

/// `shown`, if not null, is given the scores as they go into the softmax.
Heads attendMasked(const KernelContext& context, const Heads& query, const Heads& key, const Heads& value,
                   const Masks& masks, int64_t past, Heads* shown = nullptr) {
    const auto& attributes = context.attributes<Attributes>();
    const Dims scores{query.batch, query.heads, query.length, key.length};
    std::vector<ScoreBias> biases;
    if (context.hasInput(masks.keys)) {
        biases.push_back(maskBias(context.input(masks.keys), scores, attributes.hidden));
    }
    if (context.hasInput(masks.bias)) {
        biases.push_back(broadcastBias(context.input(masks.bias), scores, "attention_bias"));
    }
    if (attributes.isCausal) {
        // As in ONNX Runtime: the last step sees all keys, however many there are, and a hidden one has the
        // lowest number for a score.
        biases.emplace_back([past, last = query.length - 1](int64_t, int64_t, int64_t step, int64_t at) {
            const bool isHidden = step != last && at > past + step;
            return isHidden ? std::numeric_limits<float>::lowest() : 0.0F;
        });
    }
    AttentionRule rule{.scale = scaleFor(attributes, query), .bias = sumOf(std::move(biases))};
    if (shown != nullptr) {
        *shown = Heads(query.batch, query.heads, query.length, key.length);
        rule.onScores = copyTo(*shown);
    }
    Pace pace(context);
    return attend(query, key, value, rule, pace);
}

// --- MultiHeadAttention: query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value ---

void inferMultiHead(InferContext& context) {
    const DataType element = context.inputElement(0);
    const int64_t heads = context.attributes<Attributes>().heads;
    const Shape* query = context.inputShape(0);
    const Shape* value = context.hasInput(2) ? context.inputShape(2) : nullptr;
    if (query == nullptr) {
        for (size_t i = 0; i < 4; ++i) context.setOutput(i, element);
        return;
    }
    if (query->size() != 3 && query->size() != 5)
        fail("query: found rank ", query->size(), ", expected 3 or 5");
    if (value != nullptr && value->size() != 3 && value->size() != 4) {
        fail("value: found rank ", value->size(), ", expected 3 or 4");
    }
    Dim size = query->size() == 3 ? floorDiv((*query)[2], heads) : query->back();
    if (value != nullptr) size = value->size() == 3 ? floorDiv((*value)[2], heads) : value->back();
    context.setOutput(0, element, {(*query)[0], (*query)[1], size * Dim(heads)});
    Dim keys = query->size() == 5 ? (*query)[1] : Dim();
    const Shape* key = context.hasInput(1) ? context.inputShape(1) : nullptr;
    if (key != nullptr && (key->size() < 3 || key->size() > 5)) {
        fail("key: found rank ", key->size(), ", expected 3, 4 or 5");
    }
    if (key != nullptr) keys = key->size() == 4 ? (*key)[2] : (*key)[1];
    if (context.hasInput(6)) {
        const Shape* past = context.inputShape(6);
        keys = keys + (past != nullptr && past->size() == 4 ? (*past)[2] : Dim());
    }
    for (size_t i = 1; i < 3; ++i) context.setOutput(i, element, {(*query)[0], heads, keys, Dim()});
    context.setOutput(3, element, {(*query)[0], heads, (*query)[1], keys});
}

/// One of `count` kinds of vectors that lie together for each head: [batch, length, heads, count, size].
Heads unpack(const Tensor& tensor, int64_t heads, int64_t count, int64_t kind, const char* what) {
    const Dims& dims = tensor.dims();
    checkDims(tensor, {dims[0], dims[1], heads, count, dims[4]}, what);
    const Tensor flat = tensor.reshaped({dims[0], dims[1], heads * count * dims[4]});
    const Heads all = readPackedHeads(flat, heads * count, 0, heads * count, what);
    Heads result(all.batch, heads, all.length, all.size);
    for (int64_t b = 0; b < all.batch; ++b) {
        for (int64_t head = 0; head < heads; ++head) {
            std::copy_n(all.at(b, head * count + kind, 0), all.length * all.size, result.at(b, head, 0));
        }
    }
    return result;
}

struct Projected {
    Heads query = {};
    Heads key = {};
    Heads value = {};
};

Projected readProjected(const KernelContext& context, int64_t heads) {
    const Tensor& query = context.input(0);
    if (query.rank() == 5) {
        return {unpack(query, heads, 3, 0, "query"), unpack(query, heads, 3, 1, "query"),
                unpack(query, heads, 3, 2, "query")};
    }
    const Tensor& key = context.input(1);
    if (key.rank() == 5) {
        return {readHeads(query, heads, "query"), unpack(key, heads, 2, 0, "key"),
                unpack(key, heads, 2, 1, "key")};
    }
    return {readHeads(query, heads, "query"), readHeads(key, heads, "key"),
            readHeads(context.input(2), heads, "value")};
}

void multiHead(KernelContext& context) {
    const int64_t heads = context.attributes<Attributes>().heads;
    Projected all = readProjected(context, heads);
    if (context.hasInput(3)) {
        const std::vector<double> bias = context.input(3).toDouble();
        const int64_t hidden = heads * all.query.size;
        addBias(all.query, bias, 0);
        addBias(all.key, bias, hidden);
        addBias(all.value, bias, 2 * hidden);
    }
    const int64_t now = all.key.length;
    if (context.hasInput(6)) {
        all.key = joined(readHeads(context.input(6), heads, "past_key"), all.key);
        all.value = joined(readHeads(context.input(7), heads, "past_value"), all.value);
    }
    const DataType element = context.input(0).type();
    Heads scores;
    const Heads result = attendMasked(context, all.query, all.key, all.value, {.keys = 4, .bias = 5},
                                      all.key.length - now, context.hasOutput(3) ? &scores : nullptr);
    writeHidden(context, 0, element, result);
    writeHeads(context, 1, element, all.key);
    writeHeads(context, 2, element, all.value);
    writeHeads(context, 3, element, scores);
}

// --- Attention: input, weights, bias, mask_index, past, attention_bias ---

/// Where the columns of the weights for queries, keys and values begin and end.
std::vector<int64_t> columnStarts(const Attributes& attributes, int64_t columns) {
    std::vector<int64_t> sizes = attributes.sizes;
    if (sizes.empty()) sizes = {columns / 3, columns / 3, columns / 3};
    const bool isSound = sizes.size() == 3 && sizes[0] == sizes[1] &&
                         sizes[0] + sizes[1] + sizes[2] == columns && sizes[0] % attributes.heads == 0 &&
                         sizes[2] % attributes.heads == 0;
    if (!isSound) {
        fail("weights: found ", columns, " columns, expected queries, keys and values for ", attributes.heads,
             " heads");
    }
    return {0, sizes[0], sizes[0] + sizes[1], columns};
}

void inferAttentionShapes(InferContext& context, DataType element, size_t pastInput) {
    const auto& attributes = context.attributes<Attributes>();
    context.checkRank(0, 3, "input");
    context.checkRank(1, 2, "weights");
    const Shape* input = context.inputShape(0);
    const Shape* weights = context.inputShape(1);
    Shape output(3);
    Shape present{2, Dim(), attributes.heads, Dim(), Dim()};
    if (input != nullptr) {
        output = *input;
        output[2] = Dim();
        present[1] = (*input)[0];
        present[3] = (*input)[1];
    }
    if (weights != nullptr) {
        output[2] = attributes.sizes.size() == 3 ? Dim(attributes.sizes[2]) : floorDiv((*weights)[1], 3);
        present[4] = floorDiv(output[2], attributes.heads);
    }
    if (context.hasInput(pastInput)) {
        const Shape* past = context.inputShape(pastInput);
        present[3] = present[3] + (past != nullptr && past->size() == 5 ? (*past)[3] : Dim());
    }
    context.setOutput(0, element, std::move(output));
    context.setOutput(1, element, std::move(present));
}

void inferAttention(InferContext& context) { inferAttentionShapes(context, context.inputElement(0), 4); }

/// Where the inputs of Attention or QAttention are, and the values of the two that are multiplied.
struct Projection {
    std::vector<double> input = {};
    std::vector<double> weights = {};
    size_t bias = 0;
    size_t past = 0;
    Masks masks = {};
    DataType element = DataType::float32;
};

Tensor projected(const KernelContext& context, const Projection& projection, int64_t from, int64_t to,
                 Pace& pace) {
    const Dims& dims = context.input(0).dims();
    const int64_t columns = context.input(1).dims()[1];
    Tensor result = Tensor::allocate(DataType::float64, {dims[0], dims[1], to - from});
    const auto sums = result.mutableValues<double>();
    std::fill(sums.begin(), sums.end(), 0.0);
    addProduct(projection.input.data(), {dims[0] * dims[1], dims[2], dims[2], 1},
               projection.weights.data() + from, {dims[2], to - from, columns, 1}, sums.data(), pace);
    return result;
}

void checkFactors(const KernelContext& context) {
    checkRank(context.input(0), 3, "input");
    checkRank(context.input(1), 2, "weights");
    checkDims(context.input(1), {context.input(0).dims()[2], context.input(1).dims()[1]}, "weights");
}

/// Puts keys and values that came before, [2, batch, heads, steps, size], in front.
void joinPast(const Tensor& past, int64_t heads, std::vector<Heads>& parts) {
    checkRank(past, 5, "past");
    const Dims half(past.dims().begin() + 1, past.dims().end());
    checkDims(past, {2, half[0], half[1], half[2], half[3]}, "past");
    const std::vector<double> values = past.toDouble();
    const size_t count = values.size() / 2;
    for (size_t i = 0; i < 2; ++i) {
        const Tensor part = Tensor::of<double>(half, std::span(values).subspan(i * count, count));
        parts[i + 1] = joined(readHeads(part, heads, "past"), parts[i + 1]);
    }
}

void writePresent(KernelContext& context, DataType element, const Heads& key, const Heads& value) {
    if (!context.hasOutput(1)) return;
    if (key.size != value.size) fail("present: expected keys and values of one head size");
    std::vector<float> both = key.values;
    both.insert(both.end(), value.values.begin(), value.values.end());
    Tensor& present = context.output(1, element, {2, key.batch, key.heads, key.length, key.size});
    dispatchFloat(element, [&]<typename T>(std::type_identity<T>) {
        std::transform(both.begin(), both.end(), present.mutableValues<T>().begin(),
                       [](float number) { return static_cast<T>(number); });
    });
}

void attendProjected(KernelContext& context, const Projection& projection) {
    const auto& attributes = context.attributes<Attributes>();
    const std::vector<int64_t> starts = columnStarts(attributes, context.input(1).dims()[1]);
    const std::vector<double> bias =
        context.hasInput(projection.bias) ? context.input(projection.bias).toDouble() : std::vector<double>();
    Pace pace(context);
    std::vector<Heads> parts;
    for (size_t i = 0; i < 3; ++i) {
        parts.push_back(readHeads(projected(context, projection, starts[i], starts[i + 1], pace),
                                  attributes.heads, "input"));
        addBias(parts.back(), bias, starts[i]);
    }
    if (context.hasInput(projection.past)) joinPast(context.input(projection.past), attributes.heads, parts);
    const Heads result = attendMasked(context, parts[0], parts[1], parts[2], projection.masks,
                                      parts[1].length - parts[0].length);
    writeHidden(context, 0, projection.element, result);
    writePresent(context, projection.element, parts[1], parts[2]);
}

void attention(KernelContext& context) {
    checkFactors(context);
    attendProjected(context, {.input = context.input(0).toDouble(),
                              .weights = context.input(1).toDouble(),
                              .bias = 2,
                              .past = 4,
                              .masks = {.keys = 3, .bias = 5},
                              .element = context.input(0).type()});
}

// --- QAttention: input, weight, bias, their scales, mask_index, their zero points, past ---

constexpr size_t noInput = 99;

void inferQuantizedAttention(InferContext& context) {
    inferAttentionShapes(context, context.inputElement(2), 8);
}

/// The real numbers of an 8-bit matrix; its scale and zero point may be one for each column.
std::vector<double> dequantized(const KernelContext& context, size_t index, size_t scale, size_t zeroPoint) {
    std::vector<double> values = context.input(index).toDouble();
    const std::vector<double> scales = context.input(scale).toDouble();
    const std::vector<double> zeros =
        context.hasInput(zeroPoint) ? context.input(zeroPoint).toDouble() : std::vector<double>{0};
    const auto columns = static_cast<size_t>(context.input(index).dims().back());
    const auto fits = [&](size_t count) { return count == 1 || count == columns; };
    if (!fits(scales.size()) || !fits(zeros.size())) {
        fail("found ", scales.size(), " scales and ", zeros.size(), " zero points, expected one or ",
             columns);
    }
    for (size_t i = 0; i < values.size(); ++i) {
        const size_t column = i % columns;
        values[i] =
            (values[i] - zeros[zeros.size() == 1 ? 0 : column]) * scales[scales.size() == 1 ? 0 : column];
    }
    return values;
}

void quantizedAttention(KernelContext& context) {
    checkFactors(context);
    attendProjected(context, {.input = dequantized(context, 0, 3, 6),
                              .weights = dequantized(context, 1, 4, 7),
                              .bias = 2,
                              .past = 8,
                              .masks = {.keys = 5, .bias = noInput},
                              .element = context.input(2).type()});
}

const OpDef table[] = {
    {.name = "MultiHeadAttention",
     .sinceVersion = 1,
     .attributes = parsed<parse>,
     .infer = inferMultiHead,
     .work = work,
     .reference = multiHead,
     .domain = "com.microsoft"},
    {.name = "Attention",
     .sinceVersion = 1,
     .attributes = parsed<parse>,
     .infer = inferAttention,
     .work = work,
     .reference = attention,
     .domain = "com.microsoft"},
    {.name = "QAttention",
     .sinceVersion = 1,
     .attributes = parsed<parse>,
     .infer = inferQuantizedAttention,
     .work = work,
     .reference = quantizedAttention,
     .domain = "com.microsoft"},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
