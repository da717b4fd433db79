#include "engine/providers/cpu/epilogue.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/error.h"
#include "engine/providers/cpu/onednn.h"

namespace engine::cpu {
namespace {

using dnnl::algorithm;

struct OnednnForm {
    Function function;
    algorithm kind;
};
constexpr OnednnForm forms[] = {
    {Function::affine, algorithm::eltwise_linear},
    {Function::relu, algorithm::eltwise_relu},
    {Function::clip, algorithm::eltwise_clip},
    {Function::leakyRelu, algorithm::eltwise_relu},
    {Function::elu, algorithm::eltwise_elu},
    {Function::sigmoid, algorithm::eltwise_logistic},
    {Function::tanh, algorithm::eltwise_tanh},
    {Function::hardSigmoid, algorithm::eltwise_hardsigmoid},
    {Function::hardSwish, algorithm::eltwise_hardswish},
    {Function::swish, algorithm::eltwise_swish},
    {Function::gelu, algorithm::eltwise_gelu_erf},
    {Function::geluTanh, algorithm::eltwise_gelu_tanh},
    {Function::mish, algorithm::eltwise_mish},
    {Function::abs, algorithm::eltwise_abs},
    {Function::sqrt, algorithm::eltwise_sqrt},
    {Function::square, algorithm::eltwise_square},
    {Function::exp, algorithm::eltwise_exp},
};

const OnednnForm* formOf(Function function) {
    const auto* found = std::find_if(std::begin(forms), std::end(forms),
                                     [&](const OnednnForm& form) { return form.function == function; });
    return found == std::end(forms) ? nullptr : found;
}

algorithm binaryAlgorithm(const std::string& type) {
    if (type == "Add" || type == "Sum") return algorithm::binary_add;
    if (type == "Mul") return algorithm::binary_mul;
    if (type == "Sub") return algorithm::binary_sub;
    if (type == "Div") return algorithm::binary_div;
    if (type == "Max") return algorithm::binary_max;
    if (type == "Min") return algorithm::binary_min;
    return algorithm::undef;
}

/// Dims with as many ones in front as make the rank.
Dims aligned(const Dims& dims, size_t rank) {
    Dims result(rank - dims.size(), 1);
    result.insert(result.end(), dims.begin(), dims.end());
    return result;
}

/// Whether an operand of these dims has one number per channel (or one for all).
bool isPerChannel(const Dims& operand, const Dims& dims, int64_t channelAxis) {
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        if (operand[axis] != 1 && static_cast<int64_t>(axis) != channelAxis) return false;
    }
    return true;
}

std::vector<float> perChannel(const Tensor& tensor, int64_t channels) {
    const auto values = tensor.values<float>();
    if (values.size() == 1) return std::vector<float>(channels, values[0]);
    return {values.begin(), values.end()};
}

/// A binary node on `value` and something else that exists already.
std::optional<PostOp> matchBinary(CpuBuilder& builder, NodeId id, ValueId value, int64_t channelAxis) {
    const Node& node = builder.node(id);
    const algorithm kind = node.domain.empty() ? binaryAlgorithm(node.operatorType) : algorithm::undef;
    if (kind == algorithm::undef || node.inputs.size() != 2 || node.inputs[0] == node.inputs[1]) return {};
    const bool isFirst = node.inputs[0] == value;
    const bool isCommutative = kind != algorithm::binary_sub && kind != algorithm::binary_div;
    if (!isFirst && !isCommutative) return {};
    const ValueId operand = node.inputs[isFirst ? 1 : 0];
    const Dims& dims = builder.dims(value);
    if (builder.dims(node.outputs[0]) != dims || builder.dims(operand).size() > dims.size() ||
        builder.element(operand) != DataType::float32 || !builder.makeReady(operand)) {
        return {};
    }
    const Dims operandDims = aligned(builder.dims(operand), dims.size());
    const bool isWhole = operandDims == dims;
    const bool isByChannel = isPerChannel(operandDims, dims, channelAxis);
    if (!isWhole && !isByChannel) return {};
    PostOp post{.kind = PostOp::Kind::binary,
                .algorithm = kind,
                .operand = operand,
                .result = node.outputs[0],
                .nodes = {id}};
    const Tensor* constant = builder.constant(operand);
    if (constant == nullptr || !isByChannel) return post;
    const int64_t channels = dims[channelAxis];
    std::vector<float> numbers = perChannel(*constant, channels);
    post.scale.assign(channels, 1);
    post.shift.assign(channels, 0);
    if (kind == algorithm::binary_add)
        post.shift = std::move(numbers);
    else if (kind == algorithm::binary_mul)
        post.scale = std::move(numbers);
    else if (kind == algorithm::binary_sub)
        std::transform(numbers.begin(), numbers.end(), post.shift.begin(), std::negate<>());
    else if (kind == algorithm::binary_div)
        std::transform(numbers.begin(), numbers.end(), post.scale.begin(), [](float x) { return 1 / x; });
    else
        return post;
    post.kind = PostOp::Kind::channels;
    post.algorithm = algorithm::undef;
    post.operand = {};
    return post;
}

std::optional<PostOp> matchBatchNorm(const CpuBuilder& builder, NodeId id, ValueId value,
                                     int64_t channelAxis) {
    const Node& node = builder.node(id);
    if (node.operatorType != "BatchNormalization" || !node.domain.empty() || node.inputs.size() != 5 ||
        node.inputs[0] != value || node.outputs.size() != 1 || channelAxis != 1) {
        return {};
    }
    const Tensor* parameters[4];
    for (size_t index = 0; index < 4; ++index) {
        parameters[index] = builder.constant(node.inputs[index + 1]);
        if (parameters[index] == nullptr || parameters[index]->type() != DataType::float32) return {};
    }
    const float epsilon = AttributeReader(node).number("epsilon", 1e-5F);
    PostOp post{.kind = PostOp::Kind::channels, .result = node.outputs[0], .nodes = {id}};
    for (int64_t c = 0; c < parameters[0]->elements(); ++c) {
        const auto at = [&](size_t index) {
            return static_cast<double>(parameters[index]->values<float>()[c]);
        };
        const double scale = at(0) / std::sqrt(at(3) + epsilon);
        post.scale.push_back(static_cast<float>(scale));
        post.shift.push_back(static_cast<float>(at(1) - at(2) * scale));
    }
    return post;
}

std::optional<PostOp> matchOne(CpuBuilder& builder, ValueId value, int64_t channelAxis) {
    if (const auto unary = matchUnary(builder, value); unary && hasOnednnForm(unary->unary)) {
        return PostOp{.unary = unary->unary, .result = unary->result, .nodes = unary->nodes};
    }
    const auto reader = builder.soleReader(value);
    if (!reader) return {};
    if (auto norm = matchBatchNorm(builder, *reader, value, channelAxis)) return norm;
    return matchBinary(builder, *reader, value, channelAxis);
}

/// A view between the product and what is done with it: same elements, other dims.
SlotId channelSlot(CpuBuilder& builder, const std::vector<float>& numbers) {
    return builder.addConstant(Tensor::of<float>({static_cast<int64_t>(numbers.size())}, numbers),
                               "per channel");
}

bool isAll(const std::vector<float>& numbers, float wanted) {
    return std::all_of(numbers.begin(), numbers.end(), [&](float number) { return number == wanted; });
}

}  // namespace

Epilogue matchEpilogue(CpuBuilder& builder, ValueId value, int64_t channelAxis) {
    constexpr size_t most = 12;
    Epilogue epilogue{.start = value, .posts = {}};
    while (epilogue.posts.size() < most) {
        auto post = matchOne(builder, epilogue.result(epilogue.posts.size()), channelAxis);
        if (!post) break;
        epilogue.posts.push_back(std::move(*post));
    }
    return epilogue;
}

std::optional<Unary> unaryOf(const Activation& activation) {
    using Kind = Activation::Kind;
    const float a = activation.alpha;
    const float b = activation.beta;
    switch (activation.kind) {
        case Kind::none:
            return {};
        case Kind::affine:
            return Unary{Function::affine, a, b};
        case Kind::clip:
            return Unary{Function::clip, a, b};
        case Kind::elu:
            return Unary{Function::elu, a};
        case Kind::gelu:
            return Unary{Function::gelu};
        case Kind::hardSigmoid:
            return Unary{Function::hardSigmoid, a, b};
        case Kind::hardSwish:
            return Unary{Function::hardSwish, 1.0F / 6, 0.5F};
        case Kind::leakyRelu:
            return Unary{Function::leakyRelu, a};
        case Kind::relu:
            return Unary{Function::relu};
        case Kind::sigmoid:
            return Unary{Function::sigmoid};
        case Kind::silu:
            return Unary{Function::swish, 1};
        case Kind::softplus:
            return Unary{Function::softplus};
        case Kind::softsign:
            return Unary{Function::softsign};
        case Kind::tanh:
            return Unary{Function::tanh};
        case Kind::thresholdedRelu:
            return Unary{Function::thresholded, a};
        case Kind::scaledTanh:
            break;
    }
    fail("activation: this one has no vector form");
}

Folding foldLeading(const Epilogue& epilogue, int64_t channels) {
    Folding folding{
        .count = 0, .scale = std::vector<float>(channels, 1), .shift = std::vector<float>(channels, 0)};
    for (const PostOp& post : epilogue.posts) {
        const bool isAffine = post.kind == PostOp::Kind::unary && post.unary.function == Function::affine;
        if (!isAffine && post.kind != PostOp::Kind::channels) break;
        for (int64_t c = 0; c < channels; ++c) {
            const float scale = isAffine ? post.unary.p : post.scale[c];
            folding.scale[c] *= scale;
            folding.shift[c] = folding.shift[c] * scale + (isAffine ? post.unary.q : post.shift[c]);
        }
        ++folding.count;
    }
    return folding;
}

bool hasOnednnForm(const Unary& unary) { return formOf(unary.function) != nullptr; }

void appendOnednn(dnnl::post_ops& ops, const Unary& unary) {
    const OnednnForm* form = formOf(unary.function);
    if (form == nullptr) fail("oneDNN has no ", name(unary.function));
    ops.append_eltwise(form->kind, unary.p, unary.q);
}

namespace {

/// Appends post-ops and what they read.
class PostWriter {
public:
    explicit PostWriter(const PostShape& shape) : shape_(shape) {
        channelDims_.assign(shape.dims.size(), 1);
        channelDims_[shape.channelAxis] = shape.dims[shape.channelAxis];
    }

    void unary(const Unary& unary) {
        appendOnednn(posts.ops, unary);
        posts.text += std::string(" +") + name(unary.function);
    }
    void channels(const PostOp& post) {
        if (!isAll(post.scale, 1)) append(algorithm::binary_mul, channelDims_, {.numbers = post.scale});
        if (!isAll(post.shift, 0)) append(algorithm::binary_add, channelDims_, {.numbers = post.shift});
        posts.text += " +scale";
    }
    void binary(const PostOp& post, int64_t elements) {
        const int64_t whole = elementCount(shape_.dims);
        const Dims ones(shape_.dims.size(), 1);
        append(post.algorithm,
               elements == whole ? shape_.dims
               : elements == 1   ? ones
                                 : channelDims_,
               {.value = post.operand});
        posts.text += post.algorithm == algorithm::binary_add   ? " +add"
                      : post.algorithm == algorithm::binary_mul ? " +multiply"
                                                                : " +binary";
    }

    OnednnPosts posts;

private:
    void append(algorithm kind, const Dims& dims, OnednnPosts::Operand operand) {
        const bool isWhole = dims == shape_.dims;
        const dnnl::memory::desc desc = denseDesc(dims, isWhole ? shape_.order : rowMajor(dims.size()));
        posts.arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(posts.ops.len()) | DNNL_ARG_SRC_1, desc);
        posts.ops.append_binary(kind, desc);
        posts.operands.push_back(std::move(operand));
    }

    const PostShape& shape_;
    Dims channelDims_;
};

}  // namespace

OnednnPosts onednnPosts(const CpuBuilder& builder, const Epilogue& epilogue, size_t first, size_t count,
                        const PostShape& shape) {
    PostWriter writer(shape);
    for (size_t index = first; index < first + count; ++index) {
        const PostOp& post = epilogue.posts[index];
        if (post.kind == PostOp::Kind::unary) {
            writer.unary(post.unary);
        } else if (post.kind == PostOp::Kind::channels) {
            writer.channels(post);
        } else {
            writer.binary(post, builder.elements(post.operand));
        }
    }
    return std::move(writer.posts);
}

void takeOperands(CpuBuilder& builder, const OnednnPosts& posts, const Order& order,
                  std::vector<SlotId>& inputs) {
    for (const OnednnPosts::Operand& operand : posts.operands) {
        if (!operand.numbers.empty()) {
            inputs.push_back(channelSlot(builder, operand.numbers));
        } else if (builder.dims(operand.value).size() == order.size()) {
            inputs.push_back(builder.take(operand.value, order));
        } else {
            inputs.push_back(builder.takeRowMajor(operand.value));
        }
    }
}

}  // namespace engine::cpu
