#include "engine/ops/convolution.h"
#include "engine/providers/cpu/conv_step.h"
#include "engine/providers/cpu/kernel.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    const Support types = acceptFloat(node);
    if (!types.isYes) return types;
    const int64_t spatial = static_cast<int64_t>(node.inputType(0).shape->size()) - 2;
    if (spatial < 1 || spatial > 3)
        return Support::no("found ", spatial, " spatial axes, oneDNN convolves over 1 to 3");
    if (node.attributes<ConvAttributes>().activation.kind == Activation::Kind::scaledTanh) {
        return Support::no("no vector form of its activation");
    }
    return Support::yes();
}

/// The residual and the activation of a FusedConv as the first operations of its epilogue.
Epilogue epilogueOf(CpuBuilder& builder, const NodeView& node) {
    const ValueId output = node.node().outputs[0];
    Epilogue own{.start = output, .posts = {}};
    if (node.hasInput(3)) {
        own.posts.push_back({.kind = PostOp::Kind::binary,
                             .algorithm = dnnl::algorithm::binary_add,
                             .operand = node.node().inputs[3],
                             .result = output});
    }
    if (const auto activation = unaryOf(node.attributes<ConvAttributes>().activation)) {
        own.posts.push_back({.unary = *activation, .result = output});
    }
    Epilogue rest = matchEpilogue(builder, output, 1);
    own.posts.insert(own.posts.end(), rest.posts.begin(), rest.posts.end());
    return own;
}

/// How many operations at the front belong to the node itself and cannot be left to other steps.
size_t ownPosts(const NodeView& node) {
    const bool hasActivation = node.attributes<ConvAttributes>().activation.kind != Activation::Kind::none;
    return (node.hasInput(3) ? 1 : 0) + (hasActivation ? 1 : 0);
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const Tensor* weights = builder.constant(raw.inputs[1]);
    const Dims& weightDims = builder.dims(raw.inputs[1]);
    if (!builder.fits(node, 2, {weightDims[0]}) || !builder.fits(node, 3, builder.dims(raw.outputs[0]))) {
        return builder.addReference(node.id());
    }
    ConvRequest request{
        .geometry = convGeometry(node.attributes<ConvAttributes>(), builder.dims(raw.inputs[0]), weightDims),
        .input = raw.inputs[0],
        .weightDims = weightDims,
        .weightsValue = raw.inputs[1],
        .hasBias = node.hasInput(2),
        .nodes = {node.id()},
        .epilogue = epilogueOf(builder, node),
        .ownPosts = ownPosts(node)};
    if (weights != nullptr) request.weights = *weights;
    if (request.hasBias) {
        request.biasValue = raw.inputs[2];
        if (const Tensor* bias = builder.constant(raw.inputs[2])) request.bias = *bias;
    }
    if (!addConvStep(builder, request)) builder.addReference(node.id());
}

const CpuKernel conv{"Conv", "", accepts, prepare};
const CpuKernel fusedConv{"FusedConv", "opscope", accepts, prepare};
const CpuKernel microsoftFusedConv{"FusedConv", "com.microsoft", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{conv}, Register{fusedConv}, Register{microsoftFusedConv}};

}  // namespace
}  // namespace engine::cpu
