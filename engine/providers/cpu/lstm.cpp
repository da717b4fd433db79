#include <algorithm>
#include <cstring>

#include "engine/ops/recurrent.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/chain.h"
#include "engine/providers/cpu/dense.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/quantized_loops.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

bool isDefault(const std::vector<Activation>& activations) {
    for (size_t index = 0; index < activations.size(); ++index) {
        const auto wanted = index % 3 == 0 ? Activation::Kind::sigmoid : Activation::Kind::tanh;
        if (activations[index].kind != wanted) return false;
    }
    return true;
}

Support acceptsForm(const NodeView& node) {
    const auto& attributes = node.attributes<RecurrentAttributes>();
    if (attributes.isBatchFirst) return Support::no("layout 1");
    if (attributes.clip != 0 || attributes.inputForget) return Support::no("clip or input_forget");
    if (!isDefault(attributes.activations)) return Support::no("other activations than sigmoid and tanh");
    if (node.hasInput(4)) return Support::no("sequences of different lengths");
    if (node.hasInput(7)) return Support::no("peepholes");
    for (const size_t index : {1, 2, 3}) {
        if (node.hasInput(index) && node.constant(index) == nullptr)
            return Support::no("input ", index, " is no constant");
    }
    return Support::yes();
}

Support accepts(const NodeView& node) {
    const Support form = acceptsForm(node);
    return form.isYes ? acceptFloat(node) : form;
}

Support acceptsQuantized(const NodeView& node) {
    const Support form = acceptsForm(node);
    if (!form.isYes) return form;
    for (const size_t index : {1, 2}) {
        if (node.inputElement(index) != DataType::int8) return Support::no("weights are no int8");
    }
    for (const size_t index : {8, 9, 10, 11}) {
        if (!node.hasInput(index) || node.constant(index) == nullptr)
            return Support::no("input ", index, " is no constant");
    }
    for (const size_t index : {9, 11}) {
        const std::vector<int64_t> zeros = node.constant(index)->toInt64();
        if (std::any_of(zeros.begin(), zeros.end(), [](int64_t zero) { return zero != 0; }))
            return Support::no("weights have a zero point");
    }
    return Support::yes();
}

struct Sizes {
    int64_t steps = 1;
    int64_t batch = 1;
    int64_t input = 1;
    int64_t hidden = 1;
    int64_t directions = 1;
    bool startsReversed = false;

    int64_t width() const { return 4 * hidden; }
    int64_t state() const { return batch * hidden; }
};

/// One of the two products of a direction: rows times constant weights, in floats, or in integers with the
/// rows brought onto a grid of their own first.
struct GateProduct {
    int64_t inner = 1;
    int64_t width = 1;
    std::vector<float> scales = {};  ///< of the weights' columns; empty: weights are floats

    int64_t pairs() const { return (inner + 1) / 2; }
    size_t scratchBytes(int64_t rows) const {
        if (scales.empty()) return 0;
        const size_t shorts = (static_cast<size_t>(rows * pairs()) * 2 * sizeof(int16_t) + 63) / 64 * 64;
        return shorts + static_cast<size_t>(rows * width) * sizeof(int32_t);
    }

    void run(int64_t rows, const float* x, const void* weights, const float* bias, float* y, void* scratch,
             int threads) const {
        if (scales.empty()) {
            return multiplyPanels({.m = rows, .k = inner, .n = width, .xStride = inner, .yStride = width}, x,
                                  static_cast<const float*>(weights), bias, y, threads);
        }
        auto* shorts = static_cast<int16_t*>(scratch);
        const size_t shortBytes = (static_cast<size_t>(rows * pairs()) * 2 * sizeof(int16_t) + 63) / 64 * 64;
        auto* sums = reinterpret_cast<int32_t*>(static_cast<char*>(scratch) + shortBytes);
        const ByteGrid grid = gridOf(x, rows * inner);
        for (int64_t row = 0; row < rows; ++row) {
            int16_t* to = shorts + row * pairs() * 2;
            to[pairs() * 2 - 1] = 0;
            quantizeCentred(grid, x + row * inner, inner, to);
        }
        multiplyBytePairs({.m = rows, .pairs = pairs(), .columns = width}, shorts,
                          static_cast<const int8_t*>(weights), sums, threads);
        for (int64_t row = 0; row < rows; ++row) {
            for (int64_t c = 0; c < width; ++c) {
                const float product = static_cast<float>(sums[row * width + c]) * (grid.scale * scales[c]);
                y[row * width + c] = product + (bias == nullptr ? 0 : bias[c]);
            }
        }
    }
};

struct Direction {
    GateProduct input;
    GateProduct state;
};

struct Lstm {
    Sizes sizes;
    std::vector<Direction> directions;

    // The parts of the workspace, in bytes.
    size_t gates() const { return rounded(sizes.steps * sizes.batch * sizes.width()); }
    size_t sums() const { return rounded(sizes.batch * sizes.width()); }
    size_t state() const { return rounded(sizes.state()); }
    size_t scratch() const {
        size_t most = 0;
        for (const Direction& direction : directions) {
            most = std::max({most, direction.input.scratchBytes(sizes.steps * sizes.batch),
                             direction.state.scratchBytes(sizes.batch)});
        }
        return most;
    }
    size_t workspace() const { return gates() + sums() + 2 * state() + scratch(); }

private:
    static size_t rounded(int64_t floats) {
        return (static_cast<size_t>(floats) * sizeof(float) + 63) / 64 * 64;
    }
};

/// Where one direction's data lies; null: not there, or not asked for.
struct Pointers {
    const float* x;
    const float* initialState;
    const float* initialCell;
    const void* inputWeights;
    const void* stateWeights;
    const float* bias;
    float* y;
    float* lastState;
    float* lastCell;
};

void runDirection(const Lstm& lstm, const Direction& direction, const Pointers& at, bool isReversed,
                  char* workspace, int threads) {
    const Sizes& sizes = lstm.sizes;
    auto* gates = reinterpret_cast<float*>(workspace);
    auto* sums = reinterpret_cast<float*>(workspace + lstm.gates());
    auto* state = reinterpret_cast<float*>(workspace + lstm.gates() + lstm.sums());
    auto* cell = reinterpret_cast<float*>(workspace + lstm.gates() + lstm.sums() + lstm.state());
    void* scratch = workspace + lstm.gates() + lstm.sums() + 2 * lstm.state();
    const size_t stateBytes = static_cast<size_t>(sizes.state()) * sizeof(float);
    const auto start = [&](float* to, const float* from) {
        if (from != nullptr)
            std::memcpy(to, from, stateBytes);
        else
            std::fill(to, to + sizes.state(), 0.0F);
    };
    start(state, at.initialState);
    start(cell, at.initialCell);
    direction.input.run(sizes.steps * sizes.batch, at.x, at.inputWeights, at.bias, gates, scratch, threads);
    for (int64_t turn = 0; turn < sizes.steps; ++turn) {
        const int64_t t = isReversed ? sizes.steps - 1 - turn : turn;
        direction.state.run(sizes.batch, state, at.stateWeights, nullptr, sums, scratch, threads);
        for (int64_t n = 0; n < sizes.batch; ++n) {
            float* its = gates + (t * sizes.batch + n) * sizes.width();
            applyBinary(Function::add, its, sums + n * sizes.width(), its, sizes.width());
            lstmCell(its, cell + n * sizes.hidden, state + n * sizes.hidden, sizes.hidden);
        }
        if (at.y != nullptr) std::memcpy(at.y + t * sizes.directions * sizes.state(), state, stateBytes);
    }
    if (at.lastState != nullptr) std::memcpy(at.lastState, state, stateBytes);
    if (at.lastCell != nullptr) std::memcpy(at.lastCell, cell, stateBytes);
}

/// The sum of the two biases, zeros without B.
std::vector<float> biasOf(const Tensor* bias, int64_t direction, int64_t width) {
    std::vector<float> result(width, 0);
    if (bias == nullptr) return result;
    const float* from = bias->values<float>().data() + direction * 2 * width;
    for (int64_t k = 0; k < width; ++k) result[k] = from[k] + from[width + k];
    return result;
}

/// The scales of one direction's columns: one for all of them, or one for each.
std::vector<float> scalesOf(const Tensor& scales, int64_t directions, int64_t direction, int64_t width) {
    const auto values = scales.values<float>();
    if (scales.elements() == directions) return std::vector<float>(width, values[direction]);
    return {values.begin() + direction * width, values.begin() + (direction + 1) * width};
}

/// Packs the weights at input `index` for one direction and says how they are multiplied with.
GateProduct packProduct(CpuBuilder& builder, const NodeView& node, size_t index, const Sizes& sizes,
                        int64_t direction, Step& step) {
    const Tensor& weights = *builder.constant(node.node().inputs[index]);
    const int64_t inner = index == 1 ? sizes.input : sizes.hidden;
    GateProduct product{.inner = inner, .width = sizes.width()};
    const int64_t offset = direction * inner * sizes.width();
    if (weights.type() == DataType::float32) {
        const float* from = weights.values<float>().data() + offset;
        step.inputs.push_back(
            builder.addConstant(packPanels(from, inner, sizes.width(), 1, inner), "panels"));
        return product;
    }
    const Tensor& scales = *builder.constant(node.node().inputs[index == 1 ? 8 : 10]);
    product.scales = scalesOf(scales, sizes.directions, direction, sizes.width());
    const int8_t* from = weights.values<int8_t>().data() + offset;
    step.inputs.push_back(builder.addConstant(packBytePairs(from, inner, sizes.width()), "byte pairs"));
    return product;
}

/// Step inputs: X, initial state, initial cell, then per direction the weights of both products and the bias.
void runLstm(const Lstm& lstm, const StepContext& context, int threads) {
    const Sizes& its = lstm.sizes;
    const auto input = [&](size_t index, int64_t direction) {
        return context.hasInput(index) ? context.input<float>(index) + direction * its.state() : nullptr;
    };
    const auto output = [&](size_t index, int64_t direction) {
        return context.hasOutput(index) ? context.output<float>(index) + direction * its.state() : nullptr;
    };
    for (int64_t direction = 0; direction < its.directions; ++direction) {
        const size_t first = 3 + 3 * direction;
        const Pointers at{.x = context.input<float>(0),
                          .initialState = input(1, direction),
                          .initialCell = input(2, direction),
                          .inputWeights = context.input<void>(first),
                          .stateWeights = context.input<void>(first + 1),
                          .bias = context.input<float>(first + 2),
                          .y = output(0, direction),
                          .lastState = output(1, direction),
                          .lastCell = output(2, direction)};
        runDirection(lstm, lstm.directions[direction], at, direction == 1 || its.startsReversed,
                     static_cast<char*>(context.workspace()), threads);
    }
}

/// Whether all inputs have the dims that follow from X and R.
bool hasFittingInputs(const CpuBuilder& builder, const NodeView& node, const Sizes& sizes) {
    const auto& attributes = node.attributes<RecurrentAttributes>();
    const bool isQuantized = node.node().operatorType != "LSTM";
    const int64_t d = sizes.directions;
    const auto matrix = [&](int64_t inner) {
        return isQuantized ? Dims{d, inner, sizes.width()} : Dims{d, sizes.width(), inner};
    };
    bool fits = (!attributes.hidden || *attributes.hidden == sizes.hidden) &&
                builder.fits(node, 1, matrix(sizes.input)) && builder.fits(node, 2, matrix(sizes.hidden)) &&
                builder.fits(node, 3, {d, 2 * sizes.width()});
    for (const size_t index : {5, 6})
        fits = fits && builder.fits(node, index, {d, sizes.batch, sizes.hidden});
    for (const size_t index : {8, 10}) {
        const bool isScaleOk =
            builder.fits(node, index, {d}) || builder.fits(node, index, {d, sizes.width()});
        fits = fits && (!isQuantized || isScaleOk);
    }
    return fits;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const auto& attributes = node.attributes<RecurrentAttributes>();
    const Dims& x = builder.dims(raw.inputs[0]);
    const Tensor& r = *builder.constant(raw.inputs[2]);
    const bool isQuantized = r.type() != DataType::float32;
    auto lstm = std::make_shared<Lstm>();
    lstm->sizes = {.steps = x[0],
                   .batch = x[1],
                   .input = x[2],
                   .hidden = isQuantized ? r.dims()[1] : r.dims()[2],
                   .directions = attributes.directions,
                   .startsReversed = attributes.startsReversed};
    const Sizes& sizes = lstm->sizes;
    if (!hasFittingInputs(builder, node, sizes)) return builder.addReference(node.id());
    const Tensor* b = node.hasInput(3) ? builder.constant(raw.inputs[3]) : nullptr;
    Step step{.kernel = isQuantized ? "highway lstm int8 weights" : "highway lstm",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(raw.inputs[0])}};
    for (const size_t index : {5, 6}) {
        step.inputs.push_back(node.hasInput(index) ? builder.takeRowMajor(raw.inputs[index]) : SlotId());
    }
    for (int64_t direction = 0; direction < sizes.directions; ++direction) {
        Direction its{.input = packProduct(builder, node, 1, sizes, direction, step),
                      .state = packProduct(builder, node, 2, sizes, direction, step)};
        step.inputs.push_back(builder.addConstant(
            Tensor::of<float>({sizes.width()}, biasOf(b, direction, sizes.width())), "bias"));
        lstm->directions.push_back(std::move(its));
    }
    for (size_t index = 0; index < 3; ++index) {
        step.outputs.push_back(node.hasOutput(index) ? builder.defineRowMajor(raw.outputs[index]) : SlotId());
    }
    step.workspaceBytes = lstm->workspace();
    step.code = [lstm = std::shared_ptr<const Lstm>(lstm),
                 threads = builder.threads()](StepContext& context) { runLstm(*lstm, context, threads); };
    builder.add(std::move(step));
}

const CpuKernel lstmKernel{"LSTM", "", accepts, prepare};
const CpuKernel quantized{"DynamicQuantizeLSTM", "com.microsoft", acceptsQuantized, prepare};
const Register<CpuKernel> registered[] = {Register{lstmKernel}, Register{quantized}};

}  // namespace
}  // namespace engine::cpu
