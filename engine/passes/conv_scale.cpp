#include "engine/passes/conv_scale.h"

namespace engine {

bool isFoldableConv(const Pattern& pattern, NodeId conv, NodeId reader) {
    if (!pattern.is(conv, "Conv") || pattern.onlyReader(pattern.node(conv).outputs[0]) != reader)
        return false;
    const Tensor* weights = pattern.constant(pattern.input(conv, 1));
    if (weights == nullptr || weights->rank() < 3 || !floatValues(weights)) return false;
    const ValueId bias = pattern.input(conv, 2);
    if (!bias.isValid()) return true;
    const Tensor* values = pattern.constant(bias);
    return values != nullptr && values->type() == weights->type() &&
           values->dims() == Dims{weights->dims()[0]};
}

int64_t convChannels(const Pattern& pattern, NodeId conv) {
    return pattern.constant(pattern.input(conv, 1))->dims()[0];
}

void foldIntoConv(const Pattern& pattern, NodeId conv, NodeId reader, const ChannelScale& change,
                  Edits& edits) {
    const Tensor& weights = *pattern.constant(pattern.input(conv, 1));
    const auto channels = static_cast<size_t>(weights.dims()[0]);
    std::vector<double> scaled = weights.toDouble();
    const size_t perChannel = channels == 0 ? 0 : scaled.size() / channels;
    for (size_t i = 0; i < scaled.size(); ++i) scaled[i] *= change.scale[i / perChannel];
    const Tensor* oldBias = pattern.constant(pattern.input(conv, 2));
    std::vector<double> bias = oldBias == nullptr ? std::vector<double>(channels, 0) : oldBias->toDouble();
    for (size_t i = 0; i < channels; ++i) bias[i] = bias[i] * change.scale[i] + change.shift[i];

    const Node& old = pattern.node(conv);
    Node folded = old;
    folded.outputs = {pattern.node(reader).outputs[0]};
    folded.origins = mergedOrigins({&old, &pattern.node(reader)});
    const std::string weightName = pattern.graph().value(old.inputs[1]).name;
    folded.inputs = {
        old.inputs[0],
        edits.addConstant(weightName + "/folded", floatTensor(weights.type(), weights.dims(), scaled)),
        edits.addConstant(weightName + "/bias", floatTensor(weights.type(), {weights.dims()[0]}, bias))};
    edits.removeNode(conv);
    edits.replaceNode(reader, std::move(folded));
}

}  // namespace engine
