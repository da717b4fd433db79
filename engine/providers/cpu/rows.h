#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {

/// How elements are brought together.
enum class Reduction : uint8_t { sum, mean, maximum, minimum, l1, l2, sumSquare };

/// y[o, i] of x[o, r, i] over r.
struct ReduceSpace {
    int64_t outer = 1;
    int64_t reduced = 1;
    int64_t inner = 1;
};
void reduce(Reduction reduction, const ReduceSpace& space, const float* x, float* y, int threads);

/// Calls function(from, to) for each o: where its slice begins in x and in y, in elements. `size`: bytes of
/// an element of x.
template <class Function>
void forEachSlice(const ReduceSpace& space, size_t size, int threads, const Function& function) {
    const int64_t slice = space.reduced * space.inner;
    const int64_t bytes = space.outer * slice * static_cast<int64_t>(size);
    parallelRange(threadsFor(threads, bytes), space.outer, [&](int64_t begin, int64_t end, int) {
        for (int64_t outer = begin; outer < end; ++outer) function(outer * slice, outer * space.inner);
    });
}

/// Of several equal elements the first is taken, or the last. A NaN is neither more nor less than anything.
struct ArgChoice {
    bool isMaximum = true;
    bool takesLast = false;
};
/// y[o, i]: where along the middle of x[o, r, i] the largest or smallest element is.
void argReduce(const ArgChoice& choice, const ReduceSpace& space, const float* x, int64_t* y, int threads);

/// The first place of x, from `from` on, that holds no number on the wrong side of `bound`; n if there is
/// none.
int64_t nextCandidate(bool wantsLarge, const float* x, int64_t from, int64_t n, float bound);

/// Softmax along the middle of x[o, r, i].
enum class SoftmaxKind : uint8_t { plain, logarithm };
void softmax(SoftmaxKind kind, const ReduceSpace& space, const float* x, float* y, int threads);

/// softmax(x * scale + mask) of n numbers in place; mask may be null.
void softmaxRow(float* x, const float* mask, float scale, size_t n);

/// Each row of n numbers brought to mean 0 and variance 1, times gamma plus beta. With a second operand the
/// sum of both is normalized, and stored if `sum` is not null.
struct NormRows {
    int64_t rows = 1;
    int64_t n = 1;
    float epsilon = 1e-5F;
    bool isCentred = true;  ///< false: divided by the root of the mean square
};
struct NormPointers {
    const float* x;
    const float* residual;  ///< may be null
    const float* gamma;     ///< may be null
    const float* beta;      ///< may be null
    float* y;
    float* sum;  ///< may be null; may be x or residual
};
void normalizeRows(const NormRows& rows, const NormPointers& pointers, int threads);

/// Pixels of `channels` numbers each, `count` of them: pixel k of the result is the maximum (or the sum times
/// factor) of the pixels that begin at from + k * step + offsets[0 …], all in elements.
enum class PoolKind : uint8_t { maximum, average };
struct PoolRow {
    PoolKind kind = PoolKind::maximum;
    int64_t count = 1;
    int64_t channels = 1;
    int64_t step = 1;
    float factor = 1;
};
void poolRow(const PoolRow& row, const float* from, const int64_t* offsets, size_t taps, float* to);

/// to[c] = sum of weights[k] from[k][c].
void blendPixel(const float* const* from, const float* weights, size_t taps, float* to, size_t channels);

/// One step of an LSTM for one sequence: gates hold the sums for input, output, forget and cell, `hidden`
/// each; cell is updated, and the new hidden state stored.
void lstmCell(const float* gates, float* cell, float* state, size_t hidden);

}  // namespace engine::cpu
