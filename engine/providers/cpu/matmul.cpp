#include <algorithm>
#include <numeric>

#include "engine/core/error.h"
#include "engine/ops/gemm.h"
#include "engine/ops/matrix_product.h"
#include "engine/providers/cpu/dense_step.h"
#include "engine/providers/cpu/epilogue.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

/// A product of two (stacks of) matrices, both read where they lie.
struct Product {
    ValueId a;
    ValueId b;
    bool transposeA = false;
    bool transposeB = false;
    float alpha = 1;
    std::optional<Unary> activation = {};
};

Support accepts(const NodeView& node) {
    const Support types = acceptFloat(node);
    if (!types.isYes) return types;
    constexpr size_t most = 6;
    for (size_t index = 0; index < 2; ++index) {
        if (node.inputType(index).shape->size() > most) return Support::no("more than ", most, " axes");
    }
    const auto& attributes = node.attributes<MatMulAttributes>();
    if (attributes.transposeBatchA || attributes.transposeBatchB)
        return Support::no("batch axes behind the matrix");
    if (attributes.activation.kind == Activation::Kind::scaledTanh)
        return Support::no("no vector form of its activation");
    return Support::yes();
}

Dims alignedDims(const Dims& dims, size_t rank) {
    Dims result(rank - dims.size(), 1);
    result.insert(result.end(), dims.begin(), dims.end());
    return result;
}

/// One factor as oneDNN's matmul takes it: at least two axes, one of the last two dense.
struct Factor {
    Dims dims;
    Dims strides;
    SlotId slot;

    dnnl::memory::desc desc() const { return stridedDesc(dims, strides); }
};

Factor factorOf(CpuBuilder& builder, ValueId value, bool isTransposed, bool isLeft, size_t rank) {
    Dims dims = builder.dims(value);
    Place place = builder.take(value);
    const auto isUsable = [&] {
        const Dims its = strides(place.order, dims);
        const size_t last = dims.size();
        return last < 2 || its[last - 1] == 1 || its[last - 2] == 1;
    };
    if (!isUsable()) place = {builder.takeRowMajor(value), rowMajor(dims.size())};
    Dims its = strides(place.order, dims);
    if (dims.size() == 1) {
        dims = isLeft ? Dims{1, dims[0]} : Dims{dims[0], 1};
        its = isLeft ? Dims{dims[1], 1} : Dims{1, 1};
    }
    Factor factor{.dims = alignedDims(dims, rank), .strides = {}, .slot = place.slot};
    factor.strides.assign(rank - its.size(), elementCount(dims));
    factor.strides.insert(factor.strides.end(), its.begin(), its.end());
    if (isTransposed) {
        std::swap(factor.dims[rank - 1], factor.dims[rank - 2]);
        std::swap(factor.strides[rank - 1], factor.strides[rank - 2]);
    }
    return factor;
}

/// Product, scale and what follows as one oneDNN matmul on strided factors.
void addMatmul(CpuBuilder& builder, const NodeView& node, const Product& product, const Epilogue& epilogue,
               size_t own) {
    const ValueId output = node.node().outputs[0];
    const size_t rankA = std::max<size_t>(builder.dims(product.a).size(), 2);
    const size_t rankB = std::max<size_t>(builder.dims(product.b).size(), 2);
    const size_t rank = std::max(rankA, rankB);
    const Factor a = factorOf(builder, product.a, product.transposeA, true, rank);
    const Factor b = factorOf(builder, product.b, product.transposeB, false, rank);
    Dims dims(rank);
    for (size_t axis = 0; axis + 2 < rank; ++axis) dims[axis] = std::max(a.dims[axis], b.dims[axis]);
    dims[rank - 2] = a.dims[rank - 2];
    dims[rank - 1] = b.dims[rank - 1];
    const bool isPlain = dims.size() == builder.dims(output).size();
    const ThreadScope scope(threadsForProduct(builder.threads(), elementCount(dims) * a.dims[rank - 1]));

    const PostShape shape{
        .dims = dims, .channelAxis = static_cast<int64_t>(rank) - 1, .order = rowMajor(rank)};
    size_t done = isPlain ? epilogue.posts.size() : own;
    dnnl::matmul::primitive_desc chosen;
    OnednnPosts posts;
    for (;; --done) {
        posts = onednnPosts(builder, epilogue, 0, done, shape);
        dnnl::primitive_attr attributes;
        attributes.set_post_ops(posts.ops);
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        chosen = dnnl::matmul::primitive_desc(onednnEngine(), a.desc(), b.desc(),
                                              denseDesc(dims, rowMajor(rank)), attributes, true);
        const bool isFit = chosen.get(true) != nullptr &&
                           std::string(chosen.impl_info_str()).find("ref") == std::string::npos;
        if (isFit || done == own) break;
    }
    if (chosen.get(true) == nullptr) return builder.addReference(node.id());

    Step step;
    step.kernel = text("onednn matmul ", chosen.impl_info_str(), posts.text);
    step.nodes = {node.id()};
    for (size_t index = 0; index < done; ++index) {
        for (const NodeId id : epilogue.posts[index].nodes) {
            step.nodes.push_back(id);
            builder.absorb(id);
        }
    }
    step.inputs = {a.slot, b.slot};
    takeOperands(builder, posts, rowMajor(builder.dims(output).size()), step.inputs);
    step.outputs = {builder.defineRowMajor(epilogue.result(done))};
    step.workspaceBytes = chosen.scratchpad_desc().get_size();
    std::vector<OnednnCall::Argument> arguments = {{DNNL_ARG_SRC, a.desc()}, {DNNL_ARG_WEIGHTS, b.desc()}};
    for (const auto& [id, desc] : posts.arguments) arguments.push_back({id, desc});
    arguments.push_back({DNNL_ARG_DST, denseDesc(dims, rowMajor(rank))});
    arguments.push_back({DNNL_ARG_SCRATCHPAD, chosen.scratchpad_desc()});
    step.code = onednnCode(dnnl::matmul(chosen), std::move(arguments));
    builder.add(std::move(step));
}

int64_t lastAxis(CpuBuilder& builder, ValueId value) {
    return static_cast<int64_t>(builder.dims(value).size()) - 1;
}

/// The operations that the node itself ends in, then what follows it.
Epilogue epilogueOf(CpuBuilder& builder, ValueId output, std::vector<PostOp> own) {
    Epilogue epilogue{.start = output, .posts = std::move(own)};
    if (lastAxis(builder, output) < 0) return epilogue;
    Epilogue rest = matchEpilogue(builder, output, lastAxis(builder, output));
    epilogue.posts.insert(epilogue.posts.end(), rest.posts.begin(), rest.posts.end());
    return epilogue;
}

void addDense(CpuBuilder& builder, const NodeView& node, DenseLayer layer) {
    if (hasFewRows(layer) && addPanelStep(builder, layer)) return;
    if (!addInnerProductStep(builder, layer)) builder.addReference(node.id());
}

bool canDo(const std::vector<PostOp>& posts) {
    return std::all_of(posts.begin(), posts.end(), [](const PostOp& post) {
        return post.kind != PostOp::Kind::unary || hasOnednnForm(post.unary);
    });
}

void prepareMatMul(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<MatMulAttributes>();
    const ValueId output = node.node().outputs[0];
    Product product{.a = node.node().inputs[0],
                    .b = node.node().inputs[1],
                    .transposeA = attributes.transposeA,
                    .transposeB = attributes.transposeB,
                    .alpha = attributes.alpha};
    std::vector<PostOp> own;
    if (product.alpha != 1) own.push_back({.unary = {Function::affine, product.alpha, 0}, .result = output});
    if (const auto activation = unaryOf(attributes.activation))
        own.push_back({.unary = *activation, .result = output});
    const size_t ownCount = own.size();
    if (!canDo(own)) return builder.addReference(node.id());
    const Tensor* constant = builder.constant(product.b);
    const bool isLayer = constant != nullptr && constant->rank() == 2 && !product.transposeA &&
                         !builder.dims(output).empty() && builder.constant(product.a) == nullptr;
    if (!isLayer)
        return addMatmul(builder, node, product, epilogueOf(builder, output, std::move(own)), ownCount);
    const int64_t columns = constant->dims()[1];
    DenseLayer layer{.k = constant->dims()[product.transposeB ? 1 : 0],
                     .n = constant->dims()[product.transposeB ? 0 : 1],
                     .weights = constant->values<float>().data(),
                     .rowStride = product.transposeB ? 1 : columns,
                     .columnStride = product.transposeB ? columns : 1,
                     .input = builder.takeRowMajor(product.a),
                     .outputOrder = rowMajor(builder.dims(output).size()),
                     .nodes = {node.id()},
                     .name = "matmul",
                     .epilogue = epilogueOf(builder, output, std::move(own)),
                     .ownPosts = ownCount};
    layer.m = builder.elements(product.a) / layer.k;
    addDense(builder, node, std::move(layer));
}

Support acceptsGemm(const NodeView& node) {
    const Support types = acceptFloat(node);
    if (!types.isYes) return types;
    if (node.attributes<GemmAttributes>().activation.kind == Activation::Kind::scaledTanh) {
        return Support::no("no vector form of its activation");
    }
    return Support::yes();
}

bool isRowOf(const Dims& dims, int64_t count, int64_t n) {
    return count == 1 || (count == n && dims.back() == n);
}

/// What Gemm does to A B: the scale, C, the activation. Nothing if C is a column, for which there is no
/// post-op.
std::optional<std::vector<PostOp>> gemmPosts(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<GemmAttributes>();
    const ValueId output = node.node().outputs[0];
    const int64_t n = builder.dims(output)[1];
    std::vector<PostOp> own;
    const auto scale = [&](float factor) {
        if (factor != 1) own.push_back({.unary = {Function::affine, factor, 0}, .result = output});
    };
    if (!node.hasInput(2) || attributes.beta == 0) {
        scale(attributes.alpha);
    } else {
        const ValueId c = node.node().inputs[2];
        const int64_t count = builder.elements(c);
        const bool isRow = isRowOf(builder.dims(c), count, n);
        if (!isRow && count != builder.elements(output)) return {};
        const Tensor* constant = builder.constant(c);
        if (constant != nullptr && isRow) {
            scale(attributes.alpha);
            PostOp bias{.kind = PostOp::Kind::channels, .result = output};
            bias.scale.assign(n, 1);
            for (int64_t column = 0; column < n; ++column) {
                bias.shift.push_back(attributes.beta * constant->values<float>()[count == 1 ? 0 : column]);
            }
            own.push_back(std::move(bias));
        } else {
            // alpha A B + beta C = beta (alpha / beta A B + C)
            scale(attributes.alpha / attributes.beta);
            own.push_back({.kind = PostOp::Kind::binary,
                           .algorithm = dnnl::algorithm::binary_add,
                           .operand = c,
                           .result = output});
            scale(attributes.beta);
        }
    }
    if (const auto activation = unaryOf(attributes.activation))
        own.push_back({.unary = *activation, .result = output});
    return own;
}

void prepareGemm(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<GemmAttributes>();
    const ValueId a = node.node().inputs[0];
    const ValueId b = node.node().inputs[1];
    const ValueId output = node.node().outputs[0];
    auto own = gemmPosts(builder, node);
    if (!own || !canDo(*own)) return builder.addReference(node.id());
    const size_t ownCount = own->size();
    const Tensor* constant = builder.constant(b);
    if (constant == nullptr || builder.constant(a) != nullptr) {
        const Product product{
            .a = a, .b = b, .transposeA = attributes.transposeA, .transposeB = attributes.transposeB};
        return addMatmul(builder, node, product, epilogueOf(builder, output, std::move(*own)), ownCount);
    }
    const int64_t columns = constant->dims()[1];
    DenseLayer layer{.m = builder.dims(output)[0],
                     .k = constant->dims()[attributes.transposeB ? 1 : 0],
                     .n = builder.dims(output)[1],
                     .weights = constant->values<float>().data(),
                     .rowStride = attributes.transposeB ? 1 : columns,
                     .columnStride = attributes.transposeB ? columns : 1,
                     .input = builder.take(a, attributes.transposeA ? Order{1, 0} : Order{0, 1}),
                     .outputOrder = rowMajor(2),
                     .nodes = {node.id()},
                     .name = "gemm",
                     .epilogue = epilogueOf(builder, output, std::move(*own)),
                     .ownPosts = ownCount};
    addDense(builder, node, std::move(layer));
}

const CpuKernel matMul{"MatMul", "", accepts, prepareMatMul};
const CpuKernel fusedMatMul{"FusedMatMul", "opscope", accepts, prepareMatMul};
const CpuKernel microsoftFusedMatMul{"FusedMatMul", "com.microsoft", accepts, prepareMatMul};
const CpuKernel gemm{"Gemm", "", acceptsGemm, prepareGemm};
const CpuKernel fusedGemm{"FusedGemm", "opscope", acceptsGemm, prepareGemm};
const CpuKernel microsoftFusedGemm{"FusedGemm", "com.microsoft", acceptsGemm, prepareGemm};
const Register<CpuKernel> registered[] = {
    Register{matMul}, Register{fusedMatMul}, Register{microsoftFusedMatMul},
    Register{gemm},   Register{fusedGemm},   Register{microsoftFusedGemm}};

}  // namespace
}  // namespace engine::cpu
