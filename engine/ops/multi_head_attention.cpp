// MultiHeadAttention and Attention of com.microsoft. The first takes projected queries, keys and values, the
// second projects its input itself.

#include <algorithm>
#include <cmath>

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

Heads attendMasked(const KernelContext& context, const Heads& query, const Heads& key, const Heads& value,
                   const Masks& masks) {
    const auto& attributes = context.attributes<Attributes>();
    const Dims scores{query.batch, query.heads, query.length, key.length};
    std::vector<ScoreBias> biases;
    if (context.hasInput(masks.keys)) {
        biases.push_back(maskBias(context.input(masks.keys), scores, attributes.hidden));
    }
    if (context.hasInput(masks.bias)) {
        biases.push_back(broadcastBias(context.input(masks.bias), scores, "attention_bias"));
    }
    if (attributes.isCausal) biases.push_back(causalBias(key.length - query.length));
    Pace pace(context);
    return attend(query, key, value, {.scale = scaleFor(attributes, query), .bias = sumOf(std::move(biases))},
                  pace);
}

// --- MultiHeadAttention: query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value ---

void inferMultiHead(InferContext& context) {
    const DataType element = context.inputElement(0);
    const int64_t heads = context.attributes<Attributes>().heads;
    const Shape* query = context.inputShape(0);
    const Shape* value = context.hasInput(2) ? context.inputShape(2) : nullptr;
    if (query == nullptr) {
        for (size_t i = 0; i < 3; ++i) context.setOutput(i, element);
        return;
    }
    Dim size = query->size() == 3 ? floorDiv((*query)[2], heads) : query->back();
    if (value != nullptr) size = value->size() == 3 ? floorDiv((*value)[2], heads) : value->back();
    context.setOutput(0, element, {(*query)[0], (*query)[1], size * Dim(heads)});
    Dim keys = query->size() == 5 ? (*query)[1] : Dim();
    const Shape* key = context.hasInput(1) ? context.inputShape(1) : nullptr;
    if (key != nullptr) keys = key->size() == 4 ? (*key)[2] : (*key)[1];
    if (context.hasInput(6)) {
        const Shape* past = context.inputShape(6);
        keys = keys + (past != nullptr && past->size() == 4 ? (*past)[2] : Dim());
    }
    for (size_t i = 1; i < 3; ++i) context.setOutput(i, element, {(*query)[0], heads, keys, Dim()});
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
    if (context.hasInput(6)) {
        all.key = joined(readHeads(context.input(6), heads, "past_key"), all.key);
        all.value = joined(readHeads(context.input(7), heads, "past_value"), all.value);
    }
    const DataType element = context.input(0).type();
    const Heads result = attendMasked(context, all.query, all.key, all.value, {.keys = 4, .bias = 5});
    writeHidden(context, 0, element, result);
    writeHeads(context, 1, element, all.key);
    writeHeads(context, 2, element, all.value);
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

void inferAttention(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const DataType element = context.inputElement(0);
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
    if (context.hasInput(4)) {
        const Shape* past = context.inputShape(4);
        present[3] = present[3] + (past != nullptr && past->size() == 5 ? (*past)[3] : Dim());
    }
    context.setOutput(0, element, std::move(output));
    context.setOutput(1, element, std::move(present));
}

Tensor projected(const KernelContext& context, int64_t from, int64_t to, Pace& pace) {
    const Dims& dims = context.input(0).dims();
    const int64_t columns = context.input(1).dims()[1];
    const std::vector<double> input = context.input(0).toDouble();
    const std::vector<double> weights = context.input(1).toDouble();
    Tensor result = Tensor::allocate(DataType::float64, {dims[0], dims[1], to - from});
    const auto sums = result.mutableValues<double>();
    std::fill(sums.begin(), sums.end(), 0.0);
    addProduct(input.data(), {dims[0] * dims[1], dims[2], dims[2], 1}, weights.data() + from,
               {dims[2], to - from, columns, 1}, sums.data(), pace);
    return result;
}

void attention(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    checkRank(input, 3, "input");
    checkRank(context.input(1), 2, "weights");
    checkDims(context.input(1), {input.dims()[2], context.input(1).dims()[1]}, "weights");
    const std::vector<int64_t> starts = columnStarts(attributes, context.input(1).dims()[1]);
    const std::vector<double> bias =
        context.hasInput(2) ? context.input(2).toDouble() : std::vector<double>();
    Pace pace(context);
    std::vector<Heads> parts;
    for (size_t i = 0; i < 3; ++i) {
        parts.push_back(
            readHeads(projected(context, starts[i], starts[i + 1], pace), attributes.heads, "input"));
        addBias(parts.back(), bias, starts[i]);
    }
    if (context.hasInput(4)) {
        const Tensor& past = context.input(4);
        checkRank(past, 5, "past");
        const Dims half(past.dims().begin() + 1, past.dims().end());
        checkDims(past, {2, half[0], half[1], half[2], half[3]}, "past");
        const std::vector<double> values = past.toDouble();
        const size_t count = values.size() / 2;
        for (size_t i = 0; i < 2; ++i) {
            const Tensor part = Tensor::of<double>(half, std::span(values).subspan(i * count, count));
            parts[i + 1] = joined(readHeads(part, attributes.heads, "past"), parts[i + 1]);
        }
    }
    const Heads result = attendMasked(context, parts[0], parts[1], parts[2], {.keys = 3, .bias = 5});
    writeHidden(context, 0, input.type(), result);
    if (!context.hasOutput(1)) return;
    if (parts[1].size != parts[2].size) fail("present: expected keys and values of one head size");
    std::vector<float> both = parts[1].values;
    both.insert(both.end(), parts[2].values.begin(), parts[2].values.end());
    Tensor& present =
        context.output(1, input.type(), {2, parts[1].batch, parts[1].heads, parts[1].length, parts[1].size});
    dispatchFloat(input.type(), [&]<typename T>(std::type_identity<T>) {
        std::transform(both.begin(), both.end(), present.mutableValues<T>().begin(),
                       [](float value) { return static_cast<T>(value); });
    });
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
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
