#include <cmath>

#include "engine/passes/conv_scale.h"

namespace engine {
namespace {

/// Scale and shift of a BatchNormalization in its inference form with constant parameters.
std::optional<ChannelScale> scaleOf(const Pattern& pattern, NodeId norm, int64_t channels) {
    const AttributeReader attributes(pattern.node(norm));
    if (attributes.integer("training_mode", 0) != 0) return std::nullopt;
    std::vector<std::vector<double>> parameters;
    for (size_t i = 1; i <= 4; ++i) {
        const std::optional<std::vector<double>> values =
            floatValues(pattern.constant(pattern.input(norm, i)));
        if (!values || static_cast<int64_t>(values->size()) != channels) return std::nullopt;
        parameters.push_back(*values);
    }
    const double epsilon = attributes.number("epsilon", 1e-5F);
    ChannelScale result;
    for (size_t i = 0; i < parameters[0].size(); ++i) {
        const double scale = parameters[0][i] / std::sqrt(parameters[3][i] + epsilon);
        if (!std::isfinite(scale)) return std::nullopt;
        result.scale.push_back(scale);
        result.shift.push_back(parameters[1][i] - parameters[2][i] * scale);
    }
    return result;
}

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Pattern pattern(typed, uses);
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const NodeId norm(i);
        if (!pattern.is(norm, "BatchNormalization")) continue;
        const NodeId conv = pattern.producer(pattern.input(norm, 0));
        if (!isFoldableConv(pattern, conv, norm) || edits.touched(conv)) continue;
        if (const auto scale = scaleOf(pattern, norm, convChannels(pattern, conv))) {
            foldIntoConv(pattern, conv, norm, *scale, edits);
        }
    }
}

const Pass fuseConvBatchNorm{
    .name = "fuse-conv-batch-norm",
    .phase = Phase::fuse,
    .summary =
        "Folds a BatchNormalization's scale and shift into the weights and bias of the Conv before it.",
    .apply = apply,
};
const Register<Pass> registered{fuseConvBatchNorm};

}  // namespace
}  // namespace engine
