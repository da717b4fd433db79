#include <algorithm>
#include <cstring>

#include "engine/ops/recurrent.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/chain.h"
#include "engine/providers/cpu/dense.h"
#include "engine/providers/cpu/kernel.h"
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

Support accepts(const NodeView& node) {
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
    return acceptFloat(node);
}

struct Sizes {
    int64_t steps;
    int64_t batch;
    int64_t input;
    int64_t hidden;
    int64_t directions;
    bool startsReversed;
};

/// Where one run's data lies.
struct Pointers {
    const float* x;
    const float* initialState;  ///< of this direction; may be null
    const float* initialCell;
    float* y;          ///< of this direction's first step; may be null
    float* lastState;  ///< may be null
    float* lastCell;
    float* gates;  ///< scratch: steps * batch * 4 hidden
    float* sums;   ///< batch * 4 hidden
    float* state;  ///< batch * hidden
    float* cell;
};

void runDirection(const Sizes& sizes, const Pointers& at, const float* inputPanels, const float* statePanels,
                  const float* bias, bool isReversed, int threads) {
    const int64_t width = 4 * sizes.hidden;
    const int64_t stateSize = sizes.batch * sizes.hidden;
    const auto start = [&](float* to, const float* from) {
        if (from != nullptr)
            std::memcpy(to, from, stateSize * sizeof(float));
        else
            std::fill(to, to + stateSize, 0.0F);
    };
    start(at.state, at.initialState);
    start(at.cell, at.initialCell);
    multiplyPanels({.m = sizes.steps * sizes.batch,
                    .k = sizes.input,
                    .n = width,
                    .xStride = sizes.input,
                    .yStride = width},
                   at.x, inputPanels, bias, at.gates, threads);
    const PanelProduct recurrent{
        .m = sizes.batch, .k = sizes.hidden, .n = width, .xStride = sizes.hidden, .yStride = width};
    for (int64_t turn = 0; turn < sizes.steps; ++turn) {
        const int64_t t = isReversed ? sizes.steps - 1 - turn : turn;
        multiplyPanels(recurrent, at.state, statePanels, nullptr, at.sums, threads);
        for (int64_t n = 0; n < sizes.batch; ++n) {
            float* gates = at.gates + (t * sizes.batch + n) * width;
            const float* sums = at.sums + n * width;
            applyBinary(Function::add, gates, sums, gates, width);
            lstmCell(gates, at.cell + n * sizes.hidden, at.state + n * sizes.hidden, sizes.hidden);
        }
        if (at.y != nullptr)
            std::memcpy(at.y + t * sizes.directions * stateSize, at.state, stateSize * sizeof(float));
    }
    if (at.lastState != nullptr) std::memcpy(at.lastState, at.state, stateSize * sizeof(float));
    if (at.lastCell != nullptr) std::memcpy(at.lastCell, at.cell, stateSize * sizeof(float));
}

/// The sum of the two biases, zeros without B.
std::vector<float> biasOf(const Tensor* bias, int64_t direction, int64_t width) {
    std::vector<float> result(width, 0);
    if (bias == nullptr) return result;
    const float* from = bias->values<float>().data() + direction * 2 * width;
    for (int64_t k = 0; k < width; ++k) result[k] = from[k] + from[width + k];
    return result;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const auto& attributes = node.attributes<RecurrentAttributes>();
    const Dims& x = builder.dims(raw.inputs[0]);
    const Tensor& w = *builder.constant(raw.inputs[1]);
    const Tensor& r = *builder.constant(raw.inputs[2]);
    const Tensor* b = node.hasInput(3) ? builder.constant(raw.inputs[3]) : nullptr;
    const Sizes sizes{.steps = x[0],
                      .batch = x[1],
                      .input = x[2],
                      .hidden = r.dims()[2],
                      .directions = attributes.directions,
                      .startsReversed = attributes.startsReversed};
    const int64_t width = 4 * sizes.hidden;
    const bool hasState = node.hasInput(5);
    const bool hasCell = node.hasInput(6);
    Step step{
        .kernel = "highway lstm", .nodes = {node.id()}, .inputs = {builder.takeRowMajor(raw.inputs[0])}};
    step.inputs.push_back(hasState ? builder.takeRowMajor(raw.inputs[5]) : SlotId());
    step.inputs.push_back(hasCell ? builder.takeRowMajor(raw.inputs[6]) : SlotId());
    for (int64_t direction = 0; direction < sizes.directions; ++direction) {
        const float* inputWeights = w.values<float>().data() + direction * width * sizes.input;
        const float* stateWeights = r.values<float>().data() + direction * width * sizes.hidden;
        step.inputs.push_back(
            builder.addConstant(packPanels(inputWeights, sizes.input, width, 1, sizes.input), "panels"));
        step.inputs.push_back(
            builder.addConstant(packPanels(stateWeights, sizes.hidden, width, 1, sizes.hidden), "panels"));
        step.inputs.push_back(
            builder.addConstant(Tensor::of<float>({width}, biasOf(b, direction, width)), "bias"));
    }
    for (size_t index = 0; index < 3; ++index) {
        step.outputs.push_back(node.hasOutput(index) ? builder.defineRowMajor(raw.outputs[index]) : SlotId());
    }
    const int64_t gates = (sizes.steps * sizes.batch * width + 15) / 16 * 16;
    const int64_t sums = (sizes.batch * width + 15) / 16 * 16;
    const int64_t state = (sizes.batch * sizes.hidden + 15) / 16 * 16;
    step.workspaceBytes = (gates + sums + 2 * state) * sizeof(float);
    step.code = [sizes, gates, sums, state, threads = builder.threads()](StepContext& context) {
        auto* scratch = static_cast<float*>(context.workspace());
        const int64_t stateSize = sizes.batch * sizes.hidden;
        const auto input = [&](size_t index, int64_t direction) {
            return context.hasInput(index) ? context.input<float>(index) + direction * stateSize : nullptr;
        };
        const auto output = [&](size_t index, int64_t direction) {
            return context.hasOutput(index) ? context.output<float>(index) + direction * stateSize : nullptr;
        };
        for (int64_t direction = 0; direction < sizes.directions; ++direction) {
            const Pointers at{.x = context.input<float>(0),
                              .initialState = input(1, direction),
                              .initialCell = input(2, direction),
                              .y = output(0, direction),
                              .lastState = output(1, direction),
                              .lastCell = output(2, direction),
                              .gates = scratch,
                              .sums = scratch + gates,
                              .state = scratch + gates + sums,
                              .cell = scratch + gates + sums + state};
            const size_t first = 3 + 3 * direction;
            runDirection(sizes, at, context.input<float>(first), context.input<float>(first + 1),
                         context.input<float>(first + 2), direction == 1 || sizes.startsReversed, threads);
        }
    };
    builder.add(std::move(step));
}

const CpuKernel lstm{"LSTM", "", accepts, prepare};
const Register<CpuKernel> registered{lstm};

}  // namespace
}  // namespace engine::cpu
