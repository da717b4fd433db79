#include "engine/ops/conv_transpose.h"

#include <algorithm>

#include "engine/providers/cpu/candidates.h"
#include "engine/providers/cpu/chain.h"
#include "engine/providers/cpu/dense_step.h"
#include "engine/providers/cpu/epilogue.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/move.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/parallel.h"

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

/// Where every input pixel makes a block of output pixels of its own, the operator is a matrix product whose
/// columns are put in place: [pixels, input channels] x [input channels, kernel rows, kernel columns,
/// channels].
struct Blocks {
    int64_t rows = 1;  ///< of all input images together
    int64_t width = 1;
    int64_t inputChannels = 1;
    int64_t channels = 1;
    int64_t kernelRows = 1;
    int64_t kernelColumns = 1;

    int64_t columns() const { return kernelRows * kernelColumns * channels; }
};

std::optional<Blocks> blocksOf(const Geometry& geometry) {
    const size_t axes = geometry.strides.size();
    if (axes > 2 || geometry.weights.size() != axes + 2) return {};
    for (size_t axis = 0; axis < axes; ++axis) {
        const bool isApart = geometry.strides[axis] == geometry.weights[axis + 2] &&
                             geometry.dilations[axis] == 0 && geometry.padBegins[axis] == 0 &&
                             geometry.result[axis + 2] == geometry.source[axis + 2] * geometry.strides[axis];
        if (!isApart) return {};
    }
    Blocks blocks{.rows = geometry.source[0],
                  .width = geometry.source.back(),
                  .inputChannels = geometry.source[1],
                  .channels = geometry.outputChannels,
                  .kernelColumns = geometry.weights.back()};
    if (axes == 2) {
        blocks.rows *= geometry.source[2];
        blocks.kernelRows = geometry.weights[2];
    }
    return blocks;
}

/// The weights as a matrix with the folded scale in it.
std::vector<float> blockMatrix(const Blocks& blocks, const float* weights, const Folding& folding) {
    const int64_t taps = blocks.kernelRows * blocks.kernelColumns;
    std::vector<float> matrix(blocks.inputChannels * blocks.columns());
    for (int64_t input = 0; input < blocks.inputChannels; ++input) {
        for (int64_t c = 0; c < blocks.channels; ++c) {
            for (int64_t tap = 0; tap < taps; ++tap) {
                matrix[input * blocks.columns() + tap * blocks.channels + c] =
                    weights[(input * blocks.channels + c) * taps + tap] * folding.scale[c];
            }
        }
    }
    return matrix;
}

/// The product's columns in their places, with what follows done on them.
void placeBlocks(const Blocks& blocks, const std::vector<Unary>& posts, const float* x, float* y,
                 int threads) {
    const int64_t run = blocks.kernelColumns * blocks.channels;
    const int64_t rowSize = blocks.width * blocks.columns();
    const Move move{.dims = {blocks.kernelRows, blocks.width, run},
                    .fromStrides = {run, blocks.columns(), 1},
                    .toStrides = {blocks.width * run, run, 1}};
    parallelRange(threadsFor(threads, blocks.rows * rowSize * 8), blocks.rows,
                  [&](int64_t begin, int64_t end, int) {
                      for (int64_t row = begin; row < end; ++row) {
                          float* to = y + row * rowSize;
                          runMove(move, sizeof(float), x + row * rowSize, to, 1);
                          for (const Unary& post : posts) applyUnary(post, to, to, rowSize);
                      }
                  });
}

/// Adds the product of all pixels with the weights as a matrix; its result, or nothing if oneDNN has no such
/// product.
std::optional<ValueId> addBlockProduct(CpuBuilder& builder, const NodeView& node, const Blocks& blocks,
                                       const Folding& folding) {
    const Node& raw = node.node();
    std::vector<float> bias;
    for (int64_t column = 0; column < blocks.columns(); ++column) {
        const int64_t c = column % blocks.channels;
        const float own = node.hasInput(2) ? builder.constant(raw.inputs[2])->values<float>()[c] : 0;
        bias.push_back(own * folding.scale[c] + folding.shift[c]);
    }
    const std::vector<float> matrix =
        blockMatrix(blocks, builder.constant(raw.inputs[1])->values<float>().data(), folding);
    const int64_t pixels = blocks.rows * blocks.width;
    const ValueId product = builder.addValue(DataType::float32, {pixels, blocks.columns()});
    const DenseLayer layer{
        .m = pixels,
        .k = blocks.inputChannels,
        .n = blocks.columns(),
        .weights = matrix.data(),
        .rowStride = blocks.columns(),
        .columnStride = 1,
        .bias = bias.data(),
        .input = builder.take(raw.inputs[0], channelsLast(builder.dims(raw.inputs[0]).size())),
        .outputOrder = {0, 1},
        .nodes = {node.id()},
        .name = "deconv product",
        .epilogue = {.start = product, .posts = {}}};
    const bool isAdded =
        hasFewRows(layer) ? addPanelStep(builder, layer) : addInnerProductStep(builder, layer);
    if (!isAdded) return {};
    return product;
}

/// False if there is no way to multiply.
bool addBlocks(CpuBuilder& builder, const NodeView& node, const Geometry& geometry, const Blocks& blocks) {
    const Order order = channelsLast(geometry.source.size());
    const Epilogue epilogue = matchEpilogue(builder, node.node().outputs[0], 1);
    const Folding folding = foldLeading(epilogue, blocks.channels);
    const auto product = addBlockProduct(builder, node, blocks, folding);
    if (!product) return false;
    const int64_t taps = blocks.kernelRows * blocks.kernelColumns;
    Step step{.kernel = text("deconv ", orderText(order), " blocks of ", taps), .nodes = {node.id()}};
    step.inputs = {builder.takeRowMajor(*product)};
    std::vector<Unary> posts;
    size_t done = folding.count;
    for (; done < epilogue.posts.size() && epilogue.posts[done].kind == PostOp::Kind::unary; ++done) {
        posts.push_back(epilogue.posts[done].unary);
        step.kernel += std::string(" +") + name(posts.back().function);
    }
    for (size_t index = 0; index < done; ++index) {
        for (const NodeId id : epilogue.posts[index].nodes) {
            step.nodes.push_back(id);
            builder.absorb(id);
        }
    }
    step.outputs = {builder.define(epilogue.result(done), order)};
    step.code = [blocks, posts, threads = builder.threads()](StepContext& context) {
        placeBlocks(blocks, posts, context.input<float>(0), context.output<float>(0), threads);
    };
    builder.add(std::move(step));
    return true;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const Geometry geometry = geometryOf(builder, node);
    if (!builder.fits(node, 2, {geometry.outputChannels})) return builder.addReference(node.id());
    if (const auto blocks = blocksOf(geometry)) {
        if (addBlocks(builder, node, geometry, *blocks)) return;
    }
    const int64_t pixels = builder.elements(raw.inputs[0]) / geometry.source[1];
    const ThreadScope scope(threadsForProduct(builder.threads(), pixels * builder.elements(raw.inputs[1])));
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
