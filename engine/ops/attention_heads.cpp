#include "engine/ops/attention_heads.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/offsets.h"

namespace engine {
namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

std::vector<float> numbersOf(const Tensor& tensor) {
    const std::vector<double> values = tensor.toDouble();
    return {values.begin(), values.end()};
}

void writeNumbers(KernelContext& context, size_t index, DataType element, const Dims& dims,
                  const std::vector<float>& values) {
    Tensor& output = context.output(index, element, dims);
    dispatchFloat(element, [&]<typename T>(std::type_identity<T>) {
        std::transform(values.begin(), values.end(), output.mutableValues<T>().begin(),
                       [](float value) { return static_cast<T>(value); });
    });
}

/// The sink is one more score, of which only the others' share shows.
void softmax(std::span<float> scores, float sink) {
    if (scores.empty()) return;
    const float largest = std::max(sink, *std::max_element(scores.begin(), scores.end()));
    if (largest == never) {
        std::fill(scores.begin(), scores.end(), 0.0F);
        return;
    }
    float sum = std::exp(sink - largest);
    for (float& score : scores) sum += score = std::exp(score - largest);
    for (float& score : scores) score /= sum;
}

float unbiasedScore(const float* query, const float* key, int64_t size, const AttentionRule& rule) {
    float sum = 0;
    for (int64_t d = 0; d < size; ++d) sum += query[d] * key[d];
    sum *= rule.scale;
    return rule.softcap > 0 ? rule.softcap * std::tanh(sum / rule.softcap) : sum;
}

}  // namespace

Heads::Heads(int64_t batchSize, int64_t headCount, int64_t steps, int64_t headSize)
    : batch(batchSize),
      heads(headCount),
      length(steps),
      size(headSize),
      values(static_cast<size_t>(batchSize * headCount * steps * headSize), 0.0F) {}

Heads readHeads(const Tensor& tensor, int64_t heads, const char* what) {
    const Dims& dims = tensor.dims();
    if (tensor.rank() != 4) return readPackedHeads(tensor, heads, 0, heads, what);
    if (dims[1] != heads) fail(what, ": found shape ", listText(dims), ", expected ", heads, " heads");
    Heads result(dims[0], dims[1], dims[2], dims[3]);
    result.values = numbersOf(tensor);
    return result;
}

Heads readPackedHeads(const Tensor& tensor, int64_t allHeads, int64_t first, int64_t count,
                      const char* what) {
    checkRank(tensor, 3, what);
    const Dims& dims = tensor.dims();
    constexpr int64_t mostEmptyHeads = 65536;
    if (allHeads < 1 || dims[2] % allHeads != 0 || (dims[2] == 0 && allHeads > mostEmptyHeads)) {
        fail(what, ": found shape ", listText(dims), ", expected a last axis for ", allHeads, " heads");
    }
    const std::vector<float> values = numbersOf(tensor);
    Heads result(dims[0], count, dims[1], dims[2] / allHeads);
    for (int64_t b = 0; b < dims[0]; ++b) {
        for (int64_t step = 0; step < dims[1]; ++step) {
            for (int64_t head = 0; head < count; ++head) {
                const int64_t from = (b * dims[1] + step) * dims[2] + (first + head) * result.size;
                std::copy_n(values.begin() + from, result.size, result.at(b, head, step));
            }
        }
    }
    return result;
}

Heads joined(const Heads& past, const Heads& now) {
    if (past.batch != now.batch || past.heads != now.heads || past.size != now.size) {
        fail("past: found shape ", listText(past.dims()), ", expected it to go before ",
             listText(now.dims()));
    }
    Heads result(now.batch, now.heads, past.length + now.length, now.size);
    for (int64_t b = 0; b < now.batch; ++b) {
        for (int64_t head = 0; head < now.heads; ++head) {
            float* to = std::copy_n(past.at(b, head, 0), past.length * past.size, result.at(b, head, 0));
            std::copy_n(now.at(b, head, 0), now.length * now.size, to);
        }
    }
    return result;
}

void writeHidden(KernelContext& context, size_t index, DataType element, const Heads& heads) {
    std::vector<float> values;
    values.reserve(heads.values.size());
    for (int64_t b = 0; b < heads.batch; ++b) {
        for (int64_t step = 0; step < heads.length; ++step) {
            for (int64_t head = 0; head < heads.heads; ++head) {
                const float* from = heads.at(b, head, step);
                values.insert(values.end(), from, from + heads.size);
            }
        }
    }
    writeNumbers(context, index, element, {heads.batch, heads.length, heads.heads * heads.size}, values);
}

void writeHeads(KernelContext& context, size_t index, DataType element, const Heads& heads) {
    writeNumbers(context, index, element, heads.dims(), heads.values);
}

Heads attend(const Heads& query, const Heads& key, const Heads& value, const AttentionRule& rule,
             Pace& pace) {
    const bool fits = key.batch == query.batch && value.batch == query.batch && key.heads == value.heads &&
                      key.heads > 0 && query.heads % key.heads == 0 && key.length == value.length &&
                      key.size == query.size;
    if (!fits) {
        fail("query ", listText(query.dims()), ", key ", listText(key.dims()), " and value ",
             listText(value.dims()), " do not go together");
    }
    assert(rule.sinks.empty() || static_cast<int64_t>(rule.sinks.size()) == query.heads);
    const int64_t share = query.heads / key.heads;
    Heads result(query.batch, query.heads, query.length, value.size);
    std::vector<float> scores(static_cast<size_t>(key.length));
    for (int64_t b = 0; b < query.batch && key.length > 0; ++b) {
        for (int64_t head = 0; head < query.heads; ++head) {
            const float sink = rule.sinks.empty() ? never : rule.sinks[static_cast<size_t>(head)];
            for (int64_t i = 0; i < query.length; ++i) {
                const float* q = query.at(b, head, i);
                const KeyRange seen = rule.seen ? rule.seen(b, i) : KeyRange{0, key.length};
                const auto [begin, end] = seen;
                for (int64_t j = begin; j < end; ++j) {
                    float& score = scores[static_cast<size_t>(j)];
                    score = unbiasedScore(q, key.at(b, head / share, j), query.size, rule);
                    if (rule.bias) score += rule.bias(b, head, i, j);
                }
                const std::span numbers =
                    std::span(scores).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
                if (rule.onScores) rule.onScores(b, head, i, seen, numbers);
                softmax(numbers, sink);
                if (rule.onWeights) rule.onWeights(b, head, i, seen, numbers);
                float* to = result.at(b, head, i);
                for (int64_t j = begin; j < end; ++j) {
                    const float* v = value.at(b, head / share, j);
                    for (int64_t d = 0; d < value.size; ++d) to[d] += scores[static_cast<size_t>(j)] * v[d];
                }
                pace.spend((end - begin) * (query.size + value.size));
            }
        }
    }
    return result;
}

ScoreObserver copyTo(Heads& shown) {
    return [&](int64_t b, int64_t head, int64_t query, KeyRange seen, std::span<const float> numbers) {
        std::copy(numbers.begin(), numbers.end(), shown.at(b, head, query) + seen.begin);
    };
}

ScoreBias broadcastBias(const Tensor& tensor, const Dims& scores, const char* what) {
    auto offsets = broadcastOffsets(scores, tensor.dims(), what);
    return [values = numbersOf(tensor), offsets = std::move(offsets), scores](int64_t b, int64_t head,
                                                                              int64_t i, int64_t j) {
        const int64_t at = ((b * scores[1] + head) * scores[2] + i) * scores[3] + j;
        return values[static_cast<size_t>(offsets[static_cast<size_t>(at)])];
    };
}

ScoreBias maskBias(const Tensor& mask, const Dims& scores, float hidden) {
    const int64_t batch = scores[0];
    const int64_t queries = scores[2];
    const int64_t keys = scores[3];
    const Dims& dims = mask.dims();
    std::vector<int64_t> values = mask.toInt64();
    const auto valueAt = [values](int64_t at) { return values[static_cast<size_t>(at)]; };
    if (dims == Dims{batch}) {
        return [=](int64_t b, int64_t, int64_t, int64_t j) { return j < valueAt(b) ? 0.0F : hidden; };
    }
    if (dims == Dims{2 * batch}) {
        return [=](int64_t b, int64_t, int64_t, int64_t j) {
            return j < valueAt(b) && j >= valueAt(batch + b) ? 0.0F : hidden;
        };
    }
    if (dims == Dims{batch, keys}) {
        return [=](int64_t b, int64_t, int64_t, int64_t j) {
            return valueAt(b * keys + j) != 0 ? 0.0F : hidden;
        };
    }
    if (dims == Dims{batch, queries, keys}) {
        return [=](int64_t b, int64_t, int64_t i, int64_t j) {
            return valueAt((b * queries + i) * keys + j) != 0 ? 0.0F : hidden;
        };
    }
    const bool isSquare =
        dims.size() == 4 && dims[0] == batch && dims[1] == 1 && dims[2] == dims[3] && dims[3] >= keys;
    if (!isSquare) {
        fail("mask: found shape ", listText(dims), ", expected lengths, or one for [batch, keys] of [", batch,
             ", ", keys, "]");
    }
    return [=, longest = dims[3], first = keys - queries](int64_t b, int64_t, int64_t i, int64_t j) {
        return valueAt((b * longest + first + i) * longest + j) != 0 ? 0.0F : hidden;
    };
}

ScoreBias sumOf(std::vector<ScoreBias> biases) {
    std::erase_if(biases, [](const ScoreBias& bias) { return !bias; });
    if (biases.empty()) return {};
    if (biases.size() == 1) return biases[0];
    return [biases = std::move(biases)](int64_t b, int64_t head, int64_t i, int64_t j) {
        float sum = 0;
        for (const ScoreBias& bias : biases) sum += bias(b, head, i, j);
        return sum;
    };
}

}  // namespace engine
