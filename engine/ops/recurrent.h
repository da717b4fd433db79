#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/ops/activation.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {

/// The attributes of LSTM, GRU and RNN; each reads those it has.
struct RecurrentAttributes {
    int64_t directions = 1;
    bool startsReversed = false;  ///< direction 0 runs backwards; of two, direction 1 always does
    bool isBatchFirst = false;    ///< the attribute `layout`
    float clip = 0;               ///< limit of what goes into the activations; 0: none
    std::optional<int64_t> hidden = {};
    bool linearBeforeReset = false;            ///< GRU
    bool inputForget = false;                  ///< LSTM
    std::vector<Activation> activations = {};  ///< for each direction as many as it has by default
};

/// `defaults` names the activations of one direction.
RecurrentAttributes readRecurrent(const AttributeReader& reader, const std::vector<std::string>& defaults);

/// Types of Y, Y_h and (LSTM) Y_c. The hidden size comes from the attribute, else from the last axis of R.
void inferRecurrent(InferContext& context);
/// Multiply-adds of all products with `gates` gates, and `specials` special functions per unit and step.
Work recurrentWork(const WorkContext& context, int64_t gates, int64_t specials);

struct RecurrentSizes {
    int64_t steps = 0;
    int64_t batch = 0;
    int64_t input = 0;
    int64_t hidden = 0;
    int64_t gates = 0;

    int64_t width() const { return gates * hidden; }
};

/// Some of a cell's gates: others may have to be computed first.
struct GateRange {
    int64_t first = 0;
    int64_t count = 0;
};

/// Adds rows * weights to `sums`, whose rows hold all gates; only gates of the range change.
using RowProduct = std::function<void(const double* rows, int64_t count, GateRange gates, double* sums)>;

/// What one direction is made of.
struct RecurrentCell {
    RecurrentSizes sizes = {};
    std::vector<Activation> activations = {};  ///< of this direction
    float clip = 0;
    bool linearBeforeReset = false;
    bool inputForget = false;
    RowProduct inputProduct = {};
    RowProduct recurrentProduct = {};
    std::vector<double> inputBias = {};      ///< [gates * hidden]; zeros without B
    std::vector<double> recurrentBias = {};  ///< likewise
    std::vector<double> peepholes = {};      ///< [3 * hidden]; zeros without P

    GateRange allGates() const { return {0, sizes.gates}; }
    /// Function `index` of this direction, after the clip.
    double activated(size_t index, double x) const;
};

/// The state of one direction, a row for each sequence of the batch.
struct RecurrentState {
    std::vector<double> hidden = {};
    std::vector<double> cell = {};    ///< LSTM
    std::vector<char> isActive = {};  ///< the sequence has not ended
};

/// How a recurrent operator differs from the others.
struct RecurrentKind {
    int64_t gates = 1;
    /// W is [directions, input, gates * hidden] and R [directions, hidden, gates * hidden], not their
    /// transposes.
    bool isTransposed = false;
    /// Computes the next state of the active sequences from the gates' sums over the input and the input's
    /// bias, [batch, gates * hidden], which it may overwrite.
    void (*step)(const RecurrentCell& cell, std::vector<double>& sums, RecurrentState& state) = nullptr;
    /// Sets the cell's two products.
    void (*makeProducts)(KernelContext& context, int64_t direction, RecurrentCell& cell) = nullptr;
};

/// Runs all directions over all sequences and sets the outputs. Throws Error where inputs and attributes do
/// not fit each other.
void runRecurrent(KernelContext& context, const RecurrentKind& kind);

/// The products with weights of floating point, for RecurrentKind::makeProducts.
void makeDenseProducts(KernelContext& context, int64_t direction, RecurrentCell& cell);

/// The LSTM's step, which its quantized form shares.
void lstmStep(const RecurrentCell& cell, std::vector<double>& sums, RecurrentState& state);
RecurrentAttributes readLstm(const AttributeReader& reader);
Work lstmWork(const WorkContext& context);

}  // namespace engine
