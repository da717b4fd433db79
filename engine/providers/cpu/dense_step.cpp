#include "engine/providers/cpu/dense_step.h"

#include <algorithm>

#include "engine/providers/cpu/candidates.h"
#include "engine/providers/cpu/chain.h"
#include "engine/providers/cpu/dense.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

/// The weights with the folded scale in them, and the bias with the folded shift.
struct FoldedWeights {
    std::vector<float> storage;
    const float* weights;
    int64_t rowStride;
    int64_t columnStride;
    std::vector<float> bias;  ///< empty: none
};

FoldedWeights fold(const DenseLayer& layer, const Folding& folding) {
    FoldedWeights result{.storage = {},
                         .weights = layer.weights,
                         .rowStride = layer.rowStride,
                         .columnStride = layer.columnStride,
                         .bias = {}};
    if (layer.bias != nullptr) result.bias.assign(layer.bias, layer.bias + layer.n);
    if (folding.count == 0) return result;
    result.bias.resize(layer.n, 0);
    bool isScaled = false;
    for (int64_t c = 0; c < layer.n; ++c) {
        result.bias[c] = result.bias[c] * folding.scale[c] + folding.shift[c];
        isScaled = isScaled || folding.scale[c] != 1;
    }
    if (!isScaled) return result;
    result.storage.resize(layer.k * layer.n);
    for (int64_t row = 0; row < layer.k; ++row) {
        for (int64_t c = 0; c < layer.n; ++c) {
            result.storage[row * layer.n + c] =
                layer.weights[row * layer.rowStride + c * layer.columnStride] * folding.scale[c];
        }
    }
    result.weights = result.storage.data();
    result.rowStride = layer.n;
    result.columnStride = 1;
    return result;
}

/// What the panel kernel does to its result: a function, or a function of it and another whole value.
struct RowPost {
    Unary unary;
    std::optional<Function> binary;  ///< with the next input
};

std::optional<Function> binaryFunction(dnnl::algorithm algorithm) {
    switch (algorithm) {
        case dnnl::algorithm::binary_add:
            return Function::add;
        case dnnl::algorithm::binary_mul:
            return Function::multiply;
        case dnnl::algorithm::binary_sub:
            return Function::subtract;
        case dnnl::algorithm::binary_div:
            return Function::divide;
        default:
            return {};
    }
}

void addNodes(Step& step, const DenseLayer& layer, size_t posts) {
    step.nodes = layer.nodes;
    for (size_t index = 0; index < posts; ++index) {
        const auto& nodes = layer.epilogue.posts[index].nodes;
        step.nodes.insert(step.nodes.end(), nodes.begin(), nodes.end());
    }
}

void absorb(CpuBuilder& builder, const DenseLayer& layer, size_t posts) {
    for (size_t index = 0; index < posts; ++index) {
        for (const NodeId id : layer.epilogue.posts[index].nodes) builder.absorb(id);
    }
}

}  // namespace

bool hasFewRows(const DenseLayer& layer) { return layer.m <= 4; }

bool addPanelStep(CpuBuilder& builder, const DenseLayer& layer) {
    const Folding folding = foldLeading(layer.epilogue, layer.n);
    const FoldedWeights folded = fold(layer, folding);
    std::vector<RowPost> posts;
    std::vector<ValueId> operands;
    std::string names;
    size_t done = folding.count;
    for (; done < layer.epilogue.posts.size(); ++done) {
        const PostOp& post = layer.epilogue.posts[done];
        if (post.kind == PostOp::Kind::unary) {
            posts.push_back({post.unary, {}});
            names += std::string(" +") + name(post.unary.function);
            continue;
        }
        const auto function = binaryFunction(post.algorithm);
        const bool isWhole = post.kind == PostOp::Kind::binary && function &&
                             builder.dims(post.operand) == builder.dims(post.result);
        if (!isWhole) break;
        posts.push_back({{}, function});
        operands.push_back(post.operand);
        names += std::string(" +") + name(*function);
    }
    if (done < layer.ownPosts) return false;
    Step step;
    step.kernel = text("highway ", layer.name, " few rows", names);
    step.inputs = {layer.input, builder.addConstant(packPanels(folded.weights, layer.k, layer.n,
                                                               folded.rowStride, folded.columnStride),
                                                    "panels")};
    const bool hasBias = !folded.bias.empty();
    if (hasBias)
        step.inputs.push_back(builder.addConstant(Tensor::of<float>({layer.n}, folded.bias), "bias"));
    for (const ValueId operand : operands) step.inputs.push_back(builder.take(operand, layer.outputOrder));
    addNodes(step, layer, done);
    absorb(builder, layer, done);
    step.outputs = {builder.define(layer.epilogue.result(done), layer.outputOrder)};
    const PanelProduct product{
        .m = layer.m, .k = layer.k, .n = layer.n, .xStride = layer.k, .yStride = layer.n};
    step.code = [product, posts, hasBias, threads = builder.threads()](StepContext& context) {
        auto* y = context.output<float>(0);
        multiplyPanels(product, context.input<float>(0), context.input<float>(1),
                       hasBias ? context.input<float>(2) : nullptr, y, threads);
        size_t next = hasBias ? 3 : 2;
        const auto elements = static_cast<size_t>(product.m * product.n);
        for (const RowPost& post : posts) {
            if (post.binary) {
                applyBinary(*post.binary, y, context.input<float>(next++), y, elements);
            } else {
                applyUnary(post.unary, y, y, elements);
            }
        }
    };
    builder.add(std::move(step));
    return true;
}

bool addInnerProductStep(CpuBuilder& builder, const DenseLayer& layer) {
    const ThreadScope scope(threadsForProduct(builder.threads(), layer.m * layer.k * layer.n));
    const Folding folding = foldLeading(layer.epilogue, layer.n);
    const FoldedWeights folded = fold(layer, folding);
    const auto f32 = dnnl::memory::data_type::f32;
    const dnnl::memory::desc source({layer.m, layer.k}, f32, Dims{layer.k, 1});
    const dnnl::memory::desc result({layer.m, layer.n}, f32, Dims{layer.n, 1});
    const dnnl::memory::desc weights({layer.n, layer.k}, f32, dnnl::memory::format_tag::any);
    const bool hasBias = !folded.bias.empty();
    const dnnl::memory::desc bias =
        hasBias ? dnnl::memory::desc({layer.n}, f32, Dims{1}) : dnnl::memory::desc();

    const PostShape shape{.dims = {layer.m, layer.n}, .channelAxis = 1, .order = {0, 1}};
    size_t done = layer.epilogue.posts.size();
    dnnl::inner_product_forward::primitive_desc chosen;
    OnednnPosts posts;
    for (;; --done) {
        posts = onednnPosts(builder, layer.epilogue, folding.count, done - folding.count, shape);
        dnnl::primitive_attr attributes;
        attributes.set_post_ops(posts.ops);
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        chosen =
            dnnl::inner_product_forward::primitive_desc(onednnEngine(), dnnl::prop_kind::forward_inference,
                                                        source, weights, bias, result, attributes, true);
        const bool isFit = chosen.get(true) != nullptr && !isPlainLoops(chosen.impl_info_str());
        if (isFit || done == std::max(folding.count, layer.ownPosts)) break;
    }

    if (chosen.get(true) == nullptr) return false;
    Step step;
    step.kernel = text("onednn ", layer.name, " ", chosen.impl_info_str(), posts.text);
    const dnnl::memory::desc packedDesc = chosen.weights_desc();
    Tensor packed = Tensor::allocate(DataType::float32, {static_cast<int64_t>(packedDesc.get_size() / 4)});
    reorderNow(dnnl::memory::desc({layer.n, layer.k}, f32, Dims{folded.columnStride, folded.rowStride}),
               folded.weights, packedDesc, packed.mutableData());
    step.inputs = {layer.input, builder.addConstant(std::move(packed), "onednn packed")};
    std::vector<OnednnCall::Argument> arguments = {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, packedDesc}};
    if (hasBias) {
        step.inputs.push_back(builder.addConstant(Tensor::of<float>({layer.n}, folded.bias), "bias"));
        arguments.push_back({DNNL_ARG_BIAS, bias});
    }
    takeOperands(builder, posts, layer.outputOrder, step.inputs);
    for (const auto& [id, desc] : posts.arguments) arguments.push_back({id, desc});
    arguments.push_back({DNNL_ARG_DST, result});
    arguments.push_back({DNNL_ARG_SCRATCHPAD, chosen.scratchpad_desc()});
    step.workspaceBytes = chosen.scratchpad_desc().get_size();
    addNodes(step, layer, done);
    absorb(builder, layer, done);
    step.outputs = {builder.define(layer.epilogue.result(done), layer.outputOrder)};
    step.code = onednnCode(dnnl::inner_product_forward(chosen), std::move(arguments));
    builder.add(std::move(step));
    return true;
}

}  // namespace engine::cpu
