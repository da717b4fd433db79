#include <cmath>

#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/chain.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.read().integer("training_mode", 0) != 0) return Support::no("training mode");
    if (node.read().integer("spatial", 1) == 0) return Support::no("normalizes each element on its own");
    for (size_t index = 1; index < node.outputCount(); ++index) {
        if (node.hasOutput(index)) return Support::no("running statistics are asked for as outputs");
    }
    for (size_t index = 1; index < node.inputCount(); ++index) {
        if (node.constant(index) == nullptr) return Support::no("input ", index, " is no constant");
    }
    return acceptFloat(node);
}

/// A scale and a shift per channel, left to a chain.
void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const float epsilon = node.read().number("epsilon", 1e-5F);
    const size_t rank = builder.dims(raw.inputs[0]).size();
    const auto parameter = [&](size_t index, int64_t c) {
        return static_cast<double>(builder.constant(raw.inputs[index])->values<float>()[c]);
    };
    const int64_t channels = builder.constant(raw.inputs[1])->elements();
    for (size_t index = 1; index < raw.inputs.size(); ++index) {
        const bool fits = rank >= 2 && builder.fits(node, index, {builder.dims(raw.inputs[0])[1]});
        if (!fits) return builder.addReference(node.id());
    }
    std::vector<float> scale(channels);
    std::vector<float> shift(channels);
    for (int64_t c = 0; c < channels; ++c) {
        const double factor = parameter(1, c) / std::sqrt(parameter(4, c) + epsilon);
        scale[c] = static_cast<float>(factor);
        shift[c] = static_cast<float>(parameter(2, c) - parameter(3, c) * factor);
    }
    Dims dims = {channels};
    for (size_t axis = 2; axis < rank; ++axis) dims.push_back(1);
    builder.keepBack(raw.outputs[0],
                     {.function = Function::scaleShift,
                      .inputs = {raw.inputs[0], builder.addValue(Tensor::of<float>(dims, scale)),
                                 builder.addValue(Tensor::of<float>(dims, shift))},
                      .nodes = {node.id()}});
}

/// Each plane of its own brought to mean 0 and variance 1, then scaled and shifted by its channel's numbers.
void prepareInstance(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const Dims& dims = builder.dims(raw.inputs[0]);
    const bool fits = dims.size() > 2 && builder.fits(node, 1, {dims[1]}) && builder.fits(node, 2, {dims[1]});
    if (!fits) return builder.addReference(node.id());
    const int64_t channels = dims[1];
    NormRows rows{.rows = dims[0] * channels, .n = builder.elements(raw.inputs[0]) / (dims[0] * channels)};
    rows.epsilon = node.read().number("epsilon", 1e-5F);
    Step step{.kernel = "highway instance norm",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(raw.inputs[0]), builder.takeRowMajor(raw.inputs[1]),
                         builder.takeRowMajor(raw.inputs[2])},
              .outputs = {builder.defineRowMajor(raw.outputs[0])}};
    step.code = [rows, channels, threads = builder.threads()](StepContext& context) {
        const auto* x = context.input<float>(0);
        const auto* scale = context.input<float>(1);
        const auto* bias = context.input<float>(2);
        auto* y = context.output<float>(0);
        parallelRange(threadsFor(threads, rows.rows * rows.n * 8), rows.rows,
                      [&](int64_t begin, int64_t end, int) {
                          for (int64_t row = begin; row < end; ++row) {
                              NormRows one = rows;
                              one.rows = 1;
                              float* to = y + row * rows.n;
                              normalizeRows(one,
                                            {.x = x + row * rows.n,
                                             .residual = nullptr,
                                             .gamma = nullptr,
                                             .beta = nullptr,
                                             .y = to,
                                             .sum = nullptr},
                                            1);
                              applyUnary({Function::affine, scale[row % channels], bias[row % channels]}, to,
                                         to, rows.n);
                          }
                      });
    };
    builder.add(std::move(step));
}

const CpuKernel batchNorm{"BatchNormalization", "", accepts, prepare};
const CpuKernel instanceNorm{"InstanceNormalization", "", acceptFloat, prepareInstance};
const Register<CpuKernel> registered[] = {Register{batchNorm}, Register{instanceNorm}};

}  // namespace
}  // namespace engine::cpu
