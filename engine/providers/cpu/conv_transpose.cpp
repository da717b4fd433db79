#include "engine/ops/conv_transpose.h"

#include <algorithm>

#include "engine/providers/cpu/candidates.h"
#include "engine/providers/cpu/epilogue.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/onednn.h"

namespace engine::cpu {
namespace {

using Descriptor = dnnl::deconvolution_forward::primitive_desc;

Support accepts(const NodeView& node) {
    const auto spatial = static_cast<int64_t>(node.inputType(0).shape->size()) - 2;
    if (spatial < 1 || spatial > 3)
        return Support::no("found ", spatial, " spatial axes, oneDNN takes 1 to 3");
    if (node.constant(1) == nullptr || (node.hasInput(2) && node.constant(2) == nullptr)) {
        return Support::no("weights or bias are no constants");
    }
    return acceptFloat(node);
}

struct Geometry {
    Dims source;
    Dims result;
    Dims weights;        ///< [group,] output channels, input channels, kernel
    Dims weightStrides;  ///< in ONNX's order of input channels, output channels
    Dims strides;
    Dims dilations;
    Dims padBegins;
    Dims padEnds;
    int64_t outputChannels;
};

Geometry geometryOf(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<ConvTransposeAttributes>();
    const Dims weights = builder.dims(node.node().inputs[1]);
    Geometry result{.source = builder.dims(node.node().inputs[0]),
                    .result = builder.dims(node.node().outputs[0]),
                    .weights = {},
                    .weightStrides = {},
                    .strides = {},
                    .dilations = {},
                    .padBegins = {},
                    .padEnds = {},
                    .outputChannels = 0};
    TransposedWindow transposed = attributes.transposed;
    const size_t axes = result.source.size() - 2;
    // Some exporters list batch and channels in output_shape too.
    if (transposed.outputShape.size() == axes + 2) {
        transposed.outputShape.erase(transposed.outputShape.begin(), transposed.outputShape.begin() + 2);
    }
    const Dims kernel(weights.begin() + 2, weights.end());
    for (const WindowAxis& axis :
         transposedAxes(transposed, kernel, Dims(result.source.begin() + 2, result.source.end()))) {
        result.strides.push_back(axis.stride);
        result.dilations.push_back(axis.dilation - 1);
        result.padBegins.push_back(axis.padBegin);
        result.padEnds.push_back((axis.output - 1) * axis.stride + axis.extent() - axis.input -
                                 axis.padBegin);
    }
    const int64_t group = attributes.group;
    const Dims own = strides(rowMajor(weights.size()), weights);
    result.outputChannels = weights[1] * group;
    result.weights = {weights[1], weights[0] / group};
    result.weightStrides = {own[1], own[0]};
    result.weights.insert(result.weights.end(), kernel.begin(), kernel.end());
    result.weightStrides.insert(result.weightStrides.end(), own.begin() + 2, own.end());
    if (group > 1) {
        result.weights.insert(result.weights.begin(), group);
        result.weightStrides.insert(result.weightStrides.begin(), own[0] * (weights[0] / group));
    }
    return result;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const Geometry geometry = geometryOf(builder, node);
    const bool isOdd = std::any_of(geometry.padBegins.begin(), geometry.padBegins.end(),
                                   [](int64_t pad) { return pad < 0; });
    if (isOdd) return builder.addReference(node.id());
    const Order order = channelsLast(geometry.source.size());
    const Epilogue epilogue = matchEpilogue(builder, raw.outputs[0], 1);
    const auto f32 = dnnl::memory::data_type::f32;
    const bool hasBias = node.hasInput(2);
    const dnnl::memory::desc bias =
        hasBias ? dnnl::memory::desc({geometry.outputChannels}, f32, Dims{1}) : dnnl::memory::desc();
    OnednnPosts posts;
    std::vector<Descriptor> options;
    size_t done = epilogue.posts.size();
    for (;; --done) {
        posts = onednnPosts(builder, epilogue, 0, done,
                            {.dims = geometry.result, .channelAxis = 1, .order = order});
        dnnl::primitive_attr attributes;
        attributes.set_post_ops(posts.ops);
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        const auto make = [&] {
            return Descriptor(onednnEngine(), dnnl::prop_kind::forward_inference,
                              dnnl::algorithm::deconvolution_direct, denseDesc(geometry.source, order),
                              anyDesc(geometry.weights), bias, denseDesc(geometry.result, order),
                              geometry.strides, geometry.dilations, geometry.padBegins, geometry.padEnds,
                              attributes, true);
        };
        constexpr size_t most = 3;
        options = implementations(make, most);
        const bool isFit = !options.empty() && !isPlainLoops(options[0].impl_info_str());
        if (isFit || done == 0) break;
    }
    if (options.empty()) return builder.addReference(node.id());

    const auto argumentsOf = [&](const Descriptor& option) {
        std::vector<OnednnCall::Argument> arguments = {{DNNL_ARG_SRC, option.src_desc()},
                                                       {DNNL_ARG_WEIGHTS, option.weights_desc()}};
        if (hasBias) arguments.push_back({DNNL_ARG_BIAS, bias});
        for (const auto& [id, desc] : posts.arguments) arguments.push_back({id, desc});
        arguments.push_back({DNNL_ARG_DST, option.dst_desc()});
        arguments.push_back({DNNL_ARG_SCRATCHPAD, option.scratchpad_desc()});
        return arguments;
    };
    std::vector<Candidate> candidates;
    for (const Descriptor& option : options) {
        candidates.push_back(
            {option.impl_info_str(),
             [&] { return timePrimitive(dnnl::deconvolution_forward(option), argumentsOf(option)); }});
    }
    const std::string key = text("deconv ", listText(geometry.source), listText(geometry.weights),
                                 listText(geometry.result), listText(geometry.strides), posts.text);
    const Selection selection = selectFastest(key, candidates, builder.options().measureCandidates);
    const Descriptor& chosen = options[selection.index];

    Step step{.kernel = text("onednn deconv ", chosen.impl_info_str(), " ", orderText(order), posts.text),
              .nodes = {node.id()}};
    step.note = selection.note;
    Tensor packed =
        Tensor::allocate(DataType::float32, {static_cast<int64_t>(chosen.weights_desc().get_size() / 4)});
    reorderNow(stridedDesc(geometry.weights, geometry.weightStrides), builder.constant(raw.inputs[1])->data(),
               chosen.weights_desc(), packed.mutableData());
    step.inputs = {builder.take(raw.inputs[0], order),
                   builder.addConstant(std::move(packed), "onednn packed")};
    if (hasBias) step.inputs.push_back(builder.takeRowMajor(raw.inputs[2]));
    takeOperands(builder, posts, order, step.inputs);
    for (size_t index = 0; index < done; ++index) {
        for (const NodeId id : epilogue.posts[index].nodes) {
            step.nodes.push_back(id);
            builder.absorb(id);
        }
    }
    step.outputs = {builder.define(epilogue.result(done), order)};
    step.workspaceBytes = chosen.scratchpad_desc().get_size();
    step.code = onednnCode(dnnl::deconvolution_forward(chosen), argumentsOf(chosen));
    builder.add(std::move(step));
}

const CpuKernel convTranspose{"ConvTranspose", "", accepts, prepare};
const Register<CpuKernel> registered{convTranspose};

}  // namespace
}  // namespace engine::cpu
