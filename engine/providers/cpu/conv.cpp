#include <algorithm>
#include <numeric>

#include "engine/core/error.h"
#include "engine/ops/convolution.h"
#include "engine/providers/cpu/candidates.h"
#include "engine/providers/cpu/dense_step.h"
#include "engine/providers/cpu/epilogue.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/onednn.h"

namespace engine::cpu {
namespace {

using Descriptor = dnnl::convolution_forward::primitive_desc;

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

/// One convolution as oneDNN needs it told.
struct Convolution {
    ConvGeometry geometry;
    Dims source;
    Dims result;
    Dims weights;  ///< with the group axis in front if there are groups
    const Tensor* constantWeights = nullptr;
    const Tensor* constantBias = nullptr;
    bool hasBias = false;

    Dims strides() const {
        return each([](const WindowAxis& axis) { return axis.stride; });
    }
    Dims dilations() const {
        return each([](const WindowAxis& axis) { return axis.dilation - 1; });
    }
    Dims padBegins() const {
        return each([](const WindowAxis& axis) { return axis.padBegin; });
    }
    /// What oneDNN must be told so that it computes just these outputs.
    Dims padEnds() const {
        return each([](const WindowAxis& axis) {
            return (axis.output - 1) * axis.stride + axis.extent() - axis.input - axis.padBegin;
        });
    }
    bool isPointwise() const {
        return geometry.group == 1 &&
               std::all_of(geometry.axes.begin(), geometry.axes.end(), [](const WindowAxis& axis) {
                   return axis.kernel == 1 && axis.stride == 1 && axis.padBegin == 0 &&
                          axis.input == axis.output;
               });
    }
    int64_t rows() const {
        int64_t rows = geometry.batch;
        for (const WindowAxis& axis : geometry.axes) rows *= axis.output;
        return rows;
    }

private:
    template <class Get>
    Dims each(const Get& get) const {
        Dims numbers;
        for (const WindowAxis& axis : geometry.axes) numbers.push_back(get(axis));
        return numbers;
    }
};

Convolution convolutionOf(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    Convolution conv;
    conv.source = builder.dims(raw.inputs[0]);
    conv.result = builder.dims(raw.outputs[0]);
    conv.weights = builder.dims(raw.inputs[1]);
    conv.geometry = convGeometry(node.attributes<ConvAttributes>(), conv.source, conv.weights);
    if (conv.geometry.group > 1) {
        conv.weights[0] /= conv.geometry.group;
        conv.weights.insert(conv.weights.begin(), conv.geometry.group);
    }
    conv.constantWeights = builder.constant(raw.inputs[1]);
    conv.hasBias = node.hasInput(2);
    if (conv.hasBias) conv.constantBias = builder.constant(raw.inputs[2]);
    return conv;
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

struct FoldedWeights {
    Tensor weights;
    std::vector<float> bias;  ///< empty: none
};

FoldedWeights fold(const Convolution& conv, const Folding& folding) {
    FoldedWeights result{.weights = *conv.constantWeights, .bias = {}};
    if (conv.constantBias != nullptr) {
        const auto values = conv.constantBias->values<float>();
        result.bias.assign(values.begin(), values.end());
    }
    if (folding.count == 0) return result;
    const int64_t channels = conv.geometry.outputChannels;
    const int64_t each = conv.constantWeights->elements() / channels;
    result.bias.resize(channels, 0);
    const auto from = conv.constantWeights->values<float>();
    result.weights = Tensor::allocate(DataType::float32, conv.constantWeights->dims());
    const auto to = result.weights.mutableValues<float>();
    for (int64_t c = 0; c < channels; ++c) {
        result.bias[c] = result.bias[c] * folding.scale[c] + folding.shift[c];
        for (int64_t i = c * each; i < (c + 1) * each; ++i) to[i] = from[i] * folding.scale[c];
    }
    return result;
}

/// An implementation of the convolution with its source in one order.
struct Option {
    Descriptor descriptor;
    Order sourceOrder;
};

std::vector<Option> optionsFor(const Convolution& conv, const std::vector<Order>& sourceOrders, bool hasBias,
                               const dnnl::post_ops& ops) {
    const auto f32 = dnnl::memory::data_type::f32;
    const size_t rank = conv.source.size();
    const dnnl::memory::desc weights = conv.constantWeights != nullptr
                                           ? anyDesc(conv.weights)
                                           : denseDesc(conv.weights, rowMajor(conv.weights.size()));
    const dnnl::memory::desc bias =
        hasBias ? dnnl::memory::desc({conv.geometry.outputChannels}, f32, Dims{1}) : dnnl::memory::desc();
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(ops);
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    std::vector<Option> options;
    for (const Order& order : sourceOrders) {
        const auto make = [&] {
            return Descriptor(onednnEngine(), dnnl::prop_kind::forward_inference,
                              dnnl::algorithm::convolution_direct, denseDesc(conv.source, order), weights,
                              bias, denseDesc(conv.result, channelsLast(rank)), conv.strides(),
                              conv.dilations(), conv.padBegins(), conv.padEnds(), attributes, true);
        };
        constexpr size_t most = 5;
        for (const Descriptor& descriptor : implementations(make, most))
            options.push_back({descriptor, order});
    }
    const auto isGood = [](const Option& option) {
        const std::string name = option.descriptor.impl_info_str();
        return !isPlainLoops(name);
    };
    if (std::any_of(options.begin(), options.end(), isGood)) {
        std::erase_if(options, [&](const Option& option) { return !isGood(option); });
    }
    return options;
}

std::string describe(const Convolution& conv, const std::string& posts) {
    return text("conv ", listText(conv.source), listText(conv.weights), listText(conv.result),
                listText(conv.strides()), listText(conv.dilations()), listText(conv.padBegins()), posts);
}

class ConvStep {
public:
    ConvStep(CpuBuilder& builder, const NodeView& node)
        : builder_(builder),
          node_(node),
          conv_(convolutionOf(builder, node)),
          epilogue_(epilogueOf(builder, node)),
          order_(channelsLast(conv_.source.size())) {}

    void add() {
        if (conv_.constantWeights != nullptr && (!conv_.hasBias || conv_.constantBias != nullptr)) {
            folding_ = foldLeading(epilogue_, conv_.geometry.outputChannels);
            if (conv_.isPointwise() && conv_.rows() <= 4 && addAsDense()) return;
        }
        for (const PostOp& post : epilogue_.posts) {
            const bool canBe = post.kind != PostOp::Kind::unary || hasOnednnForm(post.unary);
            if (!canBe && post.nodes.empty()) return builder_.addReference(node_.id());
        }
        choosePosts();
        if (options_.empty()) return builder_.addReference(node_.id());
        chooseOption();
        addStep();
    }

private:
    bool addAsDense() {
        const ValueId input = node_.node().inputs[0];
        const DenseLayer layer{.m = conv_.rows(),
                               .k = conv_.geometry.inputChannels,
                               .n = conv_.geometry.outputChannels,
                               .weights = conv_.constantWeights->values<float>().data(),
                               .rowStride = 1,
                               .columnStride = conv_.geometry.inputChannels,
                               .bias = conv_.hasBias ? conv_.constantBias->values<float>().data() : nullptr,
                               .input = builder_.take(input, order_),
                               .outputOrder = order_,
                               .nodes = {node_.id()},
                               .name = "conv 1x1",
                               .epilogue = epilogue_,
                               .ownPosts = ownPosts(node_)};
        return addPanelStep(builder_, layer);
    }

    std::vector<Order> sourceOrders() {
        const ValueId input = node_.node().inputs[0];
        const Order lies = builder_.orderOf(input);
        std::vector<Order> orders = {order_};
        const bool isImage =
            conv_.source[1] <= 4 && isRowMajor(lies, conv_.source) && !isRowMajor(order_, conv_.source);
        if (isImage) orders.push_back(rowMajor(conv_.source.size()));
        return orders;
    }

    /// As many of the operations that follow as oneDNN does well with the convolution.
    void choosePosts() {
        const bool hasBias = conv_.hasBias || folding_.count > 0;
        const std::vector<Order> orders = sourceOrders();
        const size_t least = std::max(folding_.count, ownPosts(node_));
        for (done_ = epilogue_.posts.size();; --done_) {
            posts_ = onednnPosts(builder_, epilogue_, folding_.count, done_ - folding_.count,
                                 {.dims = conv_.result, .channelAxis = 1, .order = order_});
            options_ = optionsFor(conv_, orders, hasBias, posts_.ops);
            const bool isFit = !options_.empty() && !isPlainLoops(options_[0].descriptor.impl_info_str());
            if (isFit || done_ == least) break;
        }
    }

    void chooseOption() {
        std::vector<Candidate> candidates;
        const bool mayStay = options_.back().sourceOrder != order_;
        for (const Option& option : options_) {
            const bool isMoved = mayStay && option.sourceOrder == order_;
            candidates.push_back(
                {nameOf(option), [this, &option, isMoved] {
                     const double move = isMoved ? static_cast<double>(elementCount(conv_.source)) : 0;
                     return move +
                            timePrimitive(dnnl::convolution_forward(option.descriptor), argumentsOf(option));
                 }});
        }
        const Selection selection =
            selectFastest(describe(conv_, posts_.text), candidates, builder_.options().measureCandidates);
        chosen_ = selection.index;
        note_ = selection.note;
    }

    std::string nameOf(const Option& option) const {
        const std::string layout = orderText(order_);
        return text(option.descriptor.impl_info_str(), layout.empty() ? "" : " ", layout,
                    option.sourceOrder == order_ ? "" : " from row-major");
    }

    std::vector<OnednnCall::Argument> argumentsOf(const Option& option) const {
        std::vector<OnednnCall::Argument> arguments = {{DNNL_ARG_SRC, option.descriptor.src_desc()},
                                                       {DNNL_ARG_WEIGHTS, option.descriptor.weights_desc()}};
        if (conv_.hasBias || folding_.count > 0)
            arguments.push_back({DNNL_ARG_BIAS, option.descriptor.bias_desc()});
        for (const auto& [id, desc] : posts_.arguments) arguments.push_back({id, desc});
        arguments.push_back({DNNL_ARG_DST, option.descriptor.dst_desc()});
        arguments.push_back({DNNL_ARG_SCRATCHPAD, option.descriptor.scratchpad_desc()});
        return arguments;
    }

    void addStep() {
        const Option& option = options_[chosen_];
        const Node& raw = node_.node();
        Step step;
        step.inputs = {builder_.take(raw.inputs[0], option.sourceOrder)};
        if (conv_.constantWeights != nullptr) {
            const FoldedWeights folded = fold(conv_, folding_);
            Tensor packed = Tensor::allocate(
                DataType::float32, {static_cast<int64_t>(option.descriptor.weights_desc().get_size() / 4)});
            reorderNow(denseDesc(conv_.weights, rowMajor(conv_.weights.size())), folded.weights.data(),
                       option.descriptor.weights_desc(), packed.mutableData());
            step.inputs.push_back(builder_.addConstant(std::move(packed), "onednn packed"));
            if (!folded.bias.empty()) {
                step.inputs.push_back(builder_.addConstant(
                    Tensor::of<float>({conv_.geometry.outputChannels}, folded.bias), "bias"));
            } else if (conv_.hasBias) {
                step.inputs.push_back(builder_.takeRowMajor(raw.inputs[2]));
            }
        } else {
            step.inputs.push_back(builder_.takeRowMajor(raw.inputs[1]));
            if (conv_.hasBias) step.inputs.push_back(builder_.takeRowMajor(raw.inputs[2]));
        }
        takeOperands(builder_, posts_, order_, step.inputs);
        step.nodes = {node_.id()};
        for (size_t index = 0; index < done_; ++index) {
            for (const NodeId id : epilogue_.posts[index].nodes) {
                step.nodes.push_back(id);
                builder_.absorb(id);
            }
        }
        step.outputs = {builder_.define(epilogue_.result(done_), order_)};
        step.kernel = text("onednn conv ", nameOf(option), posts_.text);
        step.note = note_;
        step.workspaceBytes = option.descriptor.scratchpad_desc().get_size();
        step.code = onednnCode(dnnl::convolution_forward(option.descriptor), argumentsOf(option));
        builder_.add(std::move(step));
    }

    CpuBuilder& builder_;
    const NodeView& node_;
    Convolution conv_;
    Epilogue epilogue_;
    Order order_;
    Folding folding_;
    OnednnPosts posts_;
    size_t done_ = 0;
    std::vector<Option> options_;
    size_t chosen_ = 0;
    std::string note_;
};

void prepare(CpuBuilder& builder, const NodeView& node) { ConvStep(builder, node).add(); }

const CpuKernel conv{"Conv", "", accepts, prepare};
const CpuKernel fusedConv{"FusedConv", "opscope", accepts, prepare};
const CpuKernel microsoftFusedConv{"FusedConv", "com.microsoft", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{conv}, Register{fusedConv}, Register{microsoftFusedConv}};

}  // namespace
}  // namespace engine::cpu
