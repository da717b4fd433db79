#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/core/error.h"
#include "engine/ops/attention_heads.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/rotary.h"

namespace engine {
namespace {

// Inputs: query [batch, steps, hidden] (or with key and value behind it), key, value, past_key and past_value
// [batch, key heads, room, size], seqlens_k (steps in all, less 1, of each of the batch), the longest of
// them, tables of cosines and sines, position_ids, attention_bias, head_sink [heads], scales, which are not
// supported, q_norm_weight and k_norm_weight [size], and query_seqlens: how many of each of the batch's query
// steps are real, the others padding. The first past steps of the room are used; what lies behind them may be
// anything.
struct Attributes {
    enum class Shown { nothing, scores, weights };

    int64_t heads = 1;
    int64_t keyHeads = 1;
    float scale = 0;
    float softcap = 0;
    int64_t window = -1;
    bool isRotated = false;
    bool isInterleaved = false;
    bool isCausal = true;
    bool isSmooth = false;         ///< unless there are sinks, each head has one of 0
    Shown shown = Shown::nothing;  ///< in the last output
    float queryEpsilon = 1e-6F;    ///< of the norms of queries and keys, where there are any
    float keyEpsilon = 1e-6F;
};

Attributes::Shown shownOf(int64_t qkOutput) {
    if (qkOutput < 0 || qkOutput > 2) fail("qk_output: found ", qkOutput, ", expected 0, 1 or 2");
    constexpr Attributes::Shown all[] = {Attributes::Shown::nothing, Attributes::Shown::scores,
                                         Attributes::Shown::weights};
    return all[qkOutput];
}

float epsilonOf(const AttributeReader& reader, const char* name) {
    const float epsilon = reader.number(name, reader.number("qk_norm_epsilon", 1e-6F));
    if (!std::isfinite(epsilon) || epsilon <= 0) fail(name, ": found ", epsilon, ", expected above 0");
    return epsilon;
}

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.heads = reader.integer("num_heads"),
                                .keyHeads = reader.integer("kv_num_heads"),
                                .scale = reader.number("scale", 0),
                                .softcap = reader.number("softcap", 0),
                                .window = reader.integer("local_window_size", -1),
                                .isRotated = reader.integer("do_rotary", 0) != 0,
                                .isInterleaved = reader.integer("rotary_interleaved", 0) != 0,
                                .isCausal = reader.integer("causal", 1) != 0,
                                .isSmooth = reader.integer("smooth_softmax", -1) == 1,
                                .shown = shownOf(reader.integer("qk_output", 0)),
                                .queryEpsilon = epsilonOf(reader, "q_norm_epsilon"),
                                .keyEpsilon = epsilonOf(reader, "k_norm_epsilon")};
    if (attributes.keyHeads < 1 || attributes.heads < 1 || attributes.heads % attributes.keyHeads != 0) {
        fail("found num_heads ", attributes.heads, " and kv_num_heads ", attributes.keyHeads,
             ", expected the one to be a multiple of the other");
    }
    for (const char* name : {"kv_cache_bit_width", "sliding_window_cache"}) {
        if (reader.integer(name, 0) > 0) fail(name, " is not supported");
    }
    if (const int64_t causal = reader.integer("causal", 1); causal != 0 && causal != 1) {
        fail("causal: found ", causal, ", expected 0 or 1");
    }
    if (!attributes.isCausal && attributes.window != -1) {
        fail("local_window_size: found ", attributes.window, ", expected -1 where causal is 0");
    }
    return attributes;
}

void checkSinks(const Dims& dims, const Attributes& attributes) {
    if (dims != Dims{attributes.heads}) {
        fail("head_sink: found shape ", listText(dims), ", expected [", attributes.heads, "]");
    }
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    if (const auto sinks = knownDims(context, 11)) checkSinks(*sinks, attributes);
    if (context.hasInput(16)) context.checkRank(16, 1, "query_seqlens");
    const DataType element = context.inputElement(0);
    context.checkRank(0, 3, "query");
    const Shape* query = context.inputShape(0);
    Shape output(3);
    Shape present{Dim(), attributes.keyHeads, Dim(), Dim()};
    Shape scores{Dim(), attributes.heads, Dim(), Dim()};
    if (query != nullptr) {
        output = *query;
        present[0] = scores[0] = (*query)[0];
        scores[2] = (*query)[1];
        const int64_t all = attributes.heads + (context.hasInput(1) ? 0 : 2 * attributes.keyHeads);
        present[3] = floorDiv((*query)[2], Dim(all));
        output[2] = present[3] * Dim(attributes.heads);
    }
    const auto total = context.inputElements(6);
    if (total && total->size() == 1) {
        present[2] = scores[3] = total->front();
        if (context.hasInput(3)) {
            const Shape* past = context.inputShape(3);
            present[2] = past != nullptr && past->size() == 4 ? maximum((*past)[2], present[2]) : Dim();
        }
    }
    context.setOutput(0, element, std::move(output));
    context.setOutput(1, element, present);
    context.setOutput(2, element, std::move(present));
    context.setOutput(3, element, std::move(scores));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.inputDim(0, 1) * context.outputDim(1, 2) * context.outputDim(0, 2) *
                            context.inputDim(0, 0) * Dim(2)};
}

struct Projected {
    Heads query = {};
    Heads key = {};
    Heads value = {};
};

Projected readProjected(const KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& query = context.input(0);
    checkRank(query, 3, "query");
    if (context.hasInput(1)) {
        return {readHeads(query, attributes.heads, "query"),
                readHeads(context.input(1), attributes.keyHeads, "key"),
                readHeads(context.input(2), attributes.keyHeads, "value")};
    }
    const int64_t n = attributes.heads;
    const int64_t k = attributes.keyHeads;
    return {readPackedHeads(query, n + 2 * k, 0, n, "query"),
            readPackedHeads(query, n + 2 * k, n, k, "query"),
            readPackedHeads(query, n + 2 * k, n + k, k, "query")};
}

void checkAlike(const Projected& all) {
    if (all.key.size != all.query.size || all.value.size != all.query.size ||
        all.key.batch != all.query.batch || all.value.batch != all.query.batch) {
        fail("found query, key and value of heads ", listText(all.query.dims()), ", ",
             listText(all.key.dims()), " and ", listText(all.value.dims()),
             ", expected the same batch and size of heads");
    }
    if (all.value.length != all.key.length || (all.key.length != all.query.length && all.key.length != 0)) {
        fail("found query, key and value of ", all.query.length, ", ", all.key.length, " and ",
             all.value.length,
             " steps, expected as many of each, or no keys and values but those of the past");
    }
}

/// Of each of the batch: the steps in all, the place of its first query step among them, and how many query
/// steps are computed.
struct Steps {
    std::vector<int64_t> all = {};
    std::vector<int64_t> first = {};
    std::vector<int64_t> now = {};
    bool isPrompt = false;  ///< nothing comes before the queries
};

std::vector<int64_t> readLengths(const KernelContext& context, int64_t batch) {
    if (context.input(5).elements() != batch) {
        fail("seqlens_k: found ", context.input(5).elements(), " values, expected ", batch);
    }
    return context.input(5).toInt64();
}

Steps readSteps(const KernelContext& context, int64_t batch, int64_t queries, int64_t total) {
    Steps steps{.isPrompt = queries == total};
    const int64_t smallest = steps.isPrompt ? 0 : queries - 1;
    for (const int64_t each : readLengths(context, batch)) {
        if (each < smallest || each >= total) {
            fail("seqlens_k: found ", each, ", expected ", smallest, " to ", total - 1);
        }
        steps.all.push_back(each + 1);
        steps.first.push_back(steps.isPrompt ? 0 : each + 1 - queries);
        steps.now.push_back(queries);
    }
    return steps;
}

/// Where query_seqlens says which query steps are real.
Steps readPaddedSteps(const KernelContext& context, const Heads& query, const Heads& key, int64_t total) {
    if (!context.attributes<Attributes>().isCausal) fail("query_seqlens: found causal 0, expected 1");
    if (!context.hasInput(3)) fail("query_seqlens: found no past, expected one");
    if (key.length != query.length) {
        fail("query_seqlens: found ", key.length, " keys, expected ", query.length);
    }
    checkRank(context.input(3), 4, "past");
    const int64_t room = std::max(total, context.input(3).dims()[2]);
    checkDims(context.input(16), {query.batch}, "query_seqlens");
    Steps steps{.now = context.input(16).toInt64()};
    for (const int64_t each : readLengths(context, query.batch)) {
        if (each < 0 || each >= total) fail("seqlens_k: found ", each, ", expected 0 to ", total - 1);
        const int64_t now = steps.now[steps.all.size()];
        const int64_t most = std::min(query.length, each + 1);
        if (now < 0 || now > most) fail("query_seqlens: found ", now, ", expected 0 to ", most);
        steps.all.push_back(each + 1);
        steps.first.push_back(each + 1 - now);
        if (steps.first.back() + query.length > room) {
            fail("past_key: found room for ", room, " steps, expected ", steps.first.back(),
                 " and a whole chunk of ", query.length);
        }
    }
    return steps;
}

/// Where each step of the query is, one of the batch after the other. Of the positions that are given a
/// prompt uses the first alone, and counts on from there.
std::vector<int64_t> readPositions(const KernelContext& context, const Heads& query, const Steps& steps) {
    std::vector<int64_t> given;
    if (context.hasInput(9)) {
        checkDims(context.input(9), {query.batch, query.length}, "position_ids");
        given = context.input(9).toInt64();
        if (!steps.isPrompt) return given;
    }
    std::vector<int64_t> positions;
    for (int64_t b = 0; b < query.batch; ++b) {
        for (int64_t i = 0; i < query.length; ++i) {
            positions.push_back((given.empty() ? steps.first[static_cast<size_t>(b)] : given[0]) + i);
        }
    }
    return positions;
}

/// Divides each vector by the root of its mean square, and multiplies by the weights.
void normalize(Heads& heads, const Tensor& weight, float epsilon, const char* name) {
    checkDims(weight, {heads.size}, name);
    const std::vector<double> weights = weight.toDouble();
    for (auto vector = heads.values.begin(); vector < heads.values.end(); vector += heads.size) {
        const double squares = std::inner_product(vector, vector + heads.size, vector, 0.0);
        const double root = std::sqrt(squares / static_cast<double>(heads.size) + epsilon);
        std::transform(
            vector, vector + heads.size, weights.begin(), vector,
            [&](float number, double factor) { return static_cast<float>(number / root * factor); });
    }
}

void normalize(const KernelContext& context, Projected& all) {
    if (!context.hasInput(14) && !context.hasInput(15)) return;
    if (!context.hasInput(14) || !context.hasInput(15)) {
        fail("found one of q_norm_weight and k_norm_weight, expected both or none");
    }
    const auto& attributes = context.attributes<Attributes>();
    normalize(all.query, context.input(14), attributes.queryEpsilon, "q_norm_weight");
    normalize(all.key, context.input(15), attributes.keyEpsilon, "k_norm_weight");
}

void rotate(const KernelContext& context, Projected& all, const Steps& steps) {
    const auto& attributes = context.attributes<Attributes>();
    const Rotary rotary(context.input(7), context.input(8), attributes.isInterleaved);
    if (rotary.size() > all.query.size) {
        fail("cos_cache: found ", rotary.size() / 2, " angles for heads of ", all.query.size);
    }
    const std::vector<int64_t> positions = readPositions(context, all.query, steps);
    for (Heads* heads : {&all.query, &all.key}) {
        for (int64_t b = 0; b < heads->batch; ++b) {
            const int64_t count = std::min(heads->length, steps.now[static_cast<size_t>(b)]);
            for (int64_t i = 0; i < count; ++i) {
                const int64_t position = positions[static_cast<size_t>(b * all.query.length + i)];
                for (int64_t head = 0; head < heads->heads; ++head) {
                    rotary.turn(heads->at(b, head, i), position);
                }
            }
        }
    }
}

/// What came before with the new steps behind it, in room for `room` steps; zeroes fill it up.
Heads extended(const KernelContext& context, size_t pastInput, const Heads& now, const Steps& steps,
               int64_t room) {
    const bool hasPast = context.hasInput(pastInput);
    Heads before;
    if (hasPast) {
        checkRank(context.input(pastInput), 4, "past");
        before = readHeads(context.input(pastInput), now.heads, "past");
        room = std::max(room, before.length);
        if (before.batch != now.batch || before.size != now.size) {
            fail("past: found shape ", listText(before.dims()), ", expected [", now.batch, ", ", now.heads,
                 ", room, ", now.size, "]");
        }
    }
    Heads result(now.batch, now.heads, room, now.size);
    for (int64_t b = 0; b < now.batch; ++b) {
        const int64_t count = std::min(now.length, steps.now[static_cast<size_t>(b)]);
        // Padding comes after the steps in all, so that a padded prompt has more than these.
        const int64_t start = std::max<int64_t>(steps.all[static_cast<size_t>(b)] - count, 0);
        if (start > before.length) fail("past: found ", before.length, " steps, seqlens_k says ", start);
        for (int64_t head = 0; head < now.heads; ++head) {
            if (hasPast) std::copy_n(before.at(b, head, 0), start * now.size, result.at(b, head, 0));
            std::copy_n(now.at(b, head, 0), count * now.size, result.at(b, head, start));
        }
    }
    return result;
}

std::vector<float> readSinks(const KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    if (!context.hasInput(11)) {
        return std::vector<float>(static_cast<size_t>(attributes.isSmooth ? attributes.heads : 0), 0.0F);
    }
    checkSinks(context.input(11).dims(), attributes);
    const std::vector<double> sinks = context.input(11).toDouble();
    return {sinks.begin(), sinks.end()};
}

/// Refers to the steps.
AttentionRule ruleOf(const KernelContext& context, const Heads& query, const Steps& steps, int64_t total) {
    const auto& attributes = context.attributes<Attributes>();
    const auto seen = [&attributes, &steps](int64_t b, int64_t i) {
        const auto at = static_cast<size_t>(b);
        if (i >= steps.now[at]) return KeyRange{};
        if (!attributes.isCausal) return KeyRange{0, steps.all[at]};
        const int64_t end = std::min(steps.first[at] + i + 1, steps.all[at]);
        return KeyRange{attributes.window < 0 ? 0 : std::max<int64_t>(end - attributes.window, 0), end};
    };
    ScoreBias bias;
    if (context.hasInput(10)) {
        const Dims scores{query.batch, query.heads, query.length, total};
        bias = broadcastBias(context.input(10), scores, "attention_bias");
    }
    const auto usual = static_cast<float>(1 / std::sqrt(static_cast<double>(query.size)));
    return {.scale = attributes.scale == 0 ? usual : attributes.scale,
            .softcap = attributes.softcap,
            .bias = std::move(bias),
            .seen = seen,
            .sinks = readSinks(context)};
}

void refuseUnsupported(const KernelContext& context) {
    constexpr std::pair<size_t, const char*> unsupported[] = {{12, "k_scale"}, {13, "v_scale"}};
    for (const auto& [index, name] : unsupported) {
        if (context.hasInput(index)) fail(name, " is not supported");
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    refuseUnsupported(context);
    if (context.hasOutput(3) && attributes.shown == Attributes::Shown::nothing) {
        fail("output_qk: found qk_output 0, expected 1 or 2 where the output is asked for");
    }
    Projected all = readProjected(context);
    checkAlike(all);
    const std::vector<int64_t> totals = context.input(6).toInt64();
    if (totals.size() != 1) failNotSingle(context.input(6), "total_sequence_length");
    const Steps steps = context.hasInput(16)
                            ? readPaddedSteps(context, all.query, all.key, totals[0])
                            : readSteps(context, all.query.batch, all.query.length, totals[0]);
    normalize(context, all);
    if (attributes.isRotated) rotate(context, all, steps);
    const Heads key = extended(context, 3, all.key, steps, totals[0]);
    const Heads value = extended(context, 4, all.value, steps, totals[0]);
    AttentionRule rule = ruleOf(context, all.query, steps, totals[0]);
    Heads shown;
    if (context.hasOutput(3)) {
        shown = Heads(all.query.batch, all.query.heads, all.query.length, totals[0]);
        auto& observer = attributes.shown == Attributes::Shown::scores ? rule.onScores : rule.onWeights;
        observer = copyTo(shown);
    }
    Pace pace(context);
    const Heads result = attend(all.query, key, value, rule, pace);
    const DataType element = context.input(0).type();
    writeHidden(context, 0, element, result);
    writeHeads(context, 1, element, key);
    writeHeads(context, 2, element, value);
    writeHeads(context, 3, element, shown);
}

const OpDef groupQueryAttention{
    .name = "GroupQueryAttention",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{groupQueryAttention};

}  // namespace
}  // namespace engine
