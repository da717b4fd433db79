#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/pace.h"

namespace engine {

/// Vectors of attention heads: [batch, heads, length, size].
struct Heads {
    int64_t batch = 0;
    int64_t heads = 0;
    int64_t length = 0;
    int64_t size = 0;
    std::vector<float> values = {};

    Heads() = default;
    Heads(int64_t batchSize, int64_t headCount, int64_t steps, int64_t headSize);
    float* at(int64_t b, int64_t head, int64_t step) {
        return values.data() + ((b * heads + head) * length + step) * size;
    }
    const float* at(int64_t b, int64_t head, int64_t step) const {
        return values.data() + ((b * heads + head) * length + step) * size;
    }
    Dims dims() const { return {batch, heads, length, size}; }
};

/// Of a tensor [batch, length, heads * size], or [batch, heads, length, size]. Throws Error, naming it, if
/// the heads do not go into it.
Heads readHeads(const Tensor& tensor, int64_t heads, const char* what);

/// The heads at `first` and after, `count` of them, of a tensor in which several kinds of heads follow each
/// other: [batch, length, all heads * size].
Heads readPackedHeads(const Tensor& tensor, int64_t allHeads, int64_t first, int64_t count, const char* what);

/// One after the other along the steps.
Heads joined(const Heads& past, const Heads& now);

/// Output `index` as [batch, length, heads * size], or as the heads lie.
void writeHidden(KernelContext& context, size_t index, DataType element, const Heads& heads);
void writeHeads(KernelContext& context, size_t index, DataType element, const Heads& heads);

/// What is added to the score of a query step and a key step: -infinity where the key is hidden.
using ScoreBias = std::function<float(int64_t b, int64_t head, int64_t query, int64_t key)>;

/// Key steps from `begin` up to `end`, that one left out.
struct KeyRange {
    int64_t begin = 0;
    int64_t end = 0;
};

/// Is told the numbers that a query step has for the keys that it sees.
using ScoreObserver = std::function<void(int64_t b, int64_t head, int64_t query, KeyRange seen,
                                         std::span<const float> numbers)>;

struct AttentionRule {
    float scale = 1;
    float softcap = 0;  ///< 0: none
    ScoreBias bias = {};
    /// The keys that a query step sees, by default all. The others are not read, whatever they are.
    std::function<KeyRange(int64_t b, int64_t query)> seen = {};
    /// Of each head of the query a score that takes its share of the softmax and gives no value. Neither
    /// scale nor softcap nor bias changes it. Empty: none.
    std::vector<float> sinks = {};
    ScoreObserver onScores = {};   ///< as they go into the softmax
    ScoreObserver onWeights = {};  ///< as they come out of it
};

/// Puts the numbers into `shown`, whose vectors are the keys of a query step. It must outlive the observer.
ScoreObserver copyTo(Heads& shown);

/// softmax(scale * query * key + bias) * value. The heads of key and value may be fewer: each serves as many
/// heads of the query. A step that sees no key gives zeroes.
Heads attend(const Heads& query, const Heads& key, const Heads& value, const AttentionRule& rule, Pace& pace);

/// A bias that broadcasts to [batch, heads, query steps, key steps].
ScoreBias broadcastBias(const Tensor& tensor, const Dims& scores, const char* what);

/// How masks of integers say which keys are to be left out: lengths [batch], ends and starts [2 * batch], or
/// 0 where hidden, [batch, keys], [batch, queries, keys] or [batch, 1, longest, longest]. Hidden keys get
/// `hidden`.
ScoreBias maskBias(const Tensor& mask, const Dims& scores, float hidden);

/// The sum of biases, of which some may be empty.
ScoreBias sumOf(std::vector<ScoreBias> biases);

}  // namespace engine
