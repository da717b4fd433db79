#include <cmath>

#include "engine/passes/conv_scale.h"

namespace engine {
namespace {

/// One number per channel from a constant that broadcasts over batch and space only: [], [1], [C, 1, 1], [1,
/// C, 1, 1].
std::optional<std::vector<double>> perChannel(const Tensor* tensor, int64_t channels, int64_t rank) {
    const std::optional<std::vector<double>> values = floatValues(tensor);
    if (!values || tensor->rank() > rank) return std::nullopt;
    if (values->size() == 1) return std::vector<double>(static_cast<size_t>(channels), values->front());
    const int64_t lead = rank - tensor->rank();
    for (int64_t axis = lead; axis < rank; ++axis) {
        const int64_t dim = tensor->dims()[static_cast<size_t>(axis - lead)];
        if (dim != (axis == 1 ? channels : 1)) return std::nullopt;
    }
    return values;
}

std::optional<ChannelScale> scaleOf(const Pattern& pattern, NodeId id, ValueId convOutput,
                                    const Tensor& weights) {
    const ValueId other = pattern.otherInput(id, convOutput);
    if (!other.isValid()) return std::nullopt;
    const auto values = perChannel(pattern.constant(other), weights.dims()[0], weights.rank());
    if (!values) return std::nullopt;
    const size_t channels = values->size();
    const bool isLeft = pattern.input(id, 0) == convOutput;
    ChannelScale result{.scale = std::vector<double>(channels, 1), .shift = std::vector<double>(channels, 0)};
    for (size_t i = 0; i < channels; ++i) {
        const double value = (*values)[i];
        if (pattern.is(id, "Mul")) result.scale[i] = value;
        if (pattern.is(id, "Div")) result.scale[i] = isLeft ? 1 / value : NAN;
        if (pattern.is(id, "Add")) result.shift[i] = value;
        if (pattern.is(id, "Sub")) {
            result.shift[i] = isLeft ? -value : value;
            result.scale[i] = isLeft ? 1 : -1;
        }
        if (!std::isfinite(result.scale[i]) || !std::isfinite(result.shift[i])) return std::nullopt;
    }
    return result;
}

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Pattern pattern(typed, uses);
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const NodeId id(i);
        if (!pattern.is(id, "Mul") && !pattern.is(id, "Add") && !pattern.is(id, "Sub") &&
            !pattern.is(id, "Div"))
            continue;
        for (const ValueId input : pattern.node(id).inputs) {
            const NodeId conv = pattern.producer(input);
            if (!isFoldableConv(pattern, conv, id) || edits.touched(conv) || edits.touched(id)) continue;
            if (const auto scale = scaleOf(pattern, id, input, *pattern.constant(pattern.input(conv, 1)))) {
                foldIntoConv(pattern, conv, id, *scale, edits);
            }
        }
    }
}

const Pass fuseConvScale{
    .name = "fuse-conv-scale",
    .phase = Phase::fuse,
    .summary =
        "Folds Mul, Div, Add and Sub by a constant per channel into the weights and bias of the Conv before "
        "them.",
    .apply = apply,
};
const Register<Pass> registered{fuseConvScale};

}  // namespace
}  // namespace engine
