#include "engine/providers/cpu/conv_step.h"

#include <algorithm>

#include "engine/providers/cpu/candidates.h"
#include "engine/providers/cpu/dense_step.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

using Descriptor = dnnl::convolution_forward::primitive_desc;

/// One convolution as oneDNN needs it told.
struct Convolution {
    ConvGeometry geometry;
    Dims source;
    Dims result;
    Dims weights;  ///< with the group axis in front if there are groups

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

bool isTrivial(const WindowAxis& axis) {
    return axis.input == 1 && axis.kernel == 1 && axis.output == 1 && axis.padBegin == 0;
}

/// oneDNN's kernels work along the last axis, so one on which nothing happens is left out. The memory of data
/// and weights is the same without it.
void dropTrivialAxes(Convolution& conv) {
    while (conv.geometry.axes.size() > 1 && isTrivial(conv.geometry.axes.back())) {
        conv.geometry.axes.pop_back();
        conv.source.pop_back();
        conv.result.pop_back();
        conv.weights.pop_back();
    }
}

Convolution convolutionOf(const CpuBuilder& builder, const ConvRequest& request) {
    Convolution conv{.geometry = request.geometry,
                     .source = builder.dims(request.input),
                     .result = builder.dims(request.epilogue.start),
                     .weights = request.weightDims};
    if (conv.geometry.group > 1) {
        conv.weights[0] /= conv.geometry.group;
        conv.weights.insert(conv.weights.begin(), conv.geometry.group);
    }
    dropTrivialAxes(conv);
    return conv;
}

struct FoldedWeights {
    Tensor weights;
    std::vector<float> bias;  ///< empty: none
};

FoldedWeights fold(const ConvRequest& request, const Folding& folding) {
    FoldedWeights result{.weights = *request.weights, .bias = {}};
    if (request.bias) {
        const auto values = request.bias->values<float>();
        result.bias.assign(values.begin(), values.end());
    }
    if (folding.count == 0) return result;
    const int64_t channels = request.geometry.outputChannels;
    const int64_t each = request.weights->elements() / channels;
    result.bias.resize(channels, 0);
    const auto from = request.weights->values<float>();
    result.weights = Tensor::allocate(DataType::float32, request.weights->dims());
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

/// The weights' layout is oneDNN's choice if they are constant.
std::vector<Option> optionsFor(const Convolution& conv, const dnnl::memory::desc& weights,
                               const std::vector<Order>& sourceOrders, bool hasBias,
                               const dnnl::post_ops& ops) {
    const auto f32 = dnnl::memory::data_type::f32;
    const size_t rank = conv.source.size();
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
    ConvStep(CpuBuilder& builder, const ConvRequest& request)
        : builder_(builder),
          request_(request),
          conv_(convolutionOf(builder, request)),
          order_(channelsLast(builder.dims(request.input).size())),
          inner_(channelsLast(conv_.source.size())) {}

    bool add() {
        if (request_.isConstant()) {
            folding_ = foldLeading(request_.epilogue, conv_.geometry.outputChannels);
            if (conv_.isPointwise() && conv_.rows() <= 4 && addAsDense()) return true;
        }
        for (const PostOp& post : request_.epilogue.posts) {
            const bool canBe = post.kind != PostOp::Kind::unary || hasOnednnForm(post.unary);
            if (!canBe && post.nodes.empty()) return false;
        }
        choosePosts();
        if (options_.empty()) return false;
        chooseOption();
        addStep();
        return true;
    }

private:
    bool addAsDense() {
        const DenseLayer layer{.m = conv_.rows(),
                               .k = conv_.geometry.inputChannels,
                               .n = conv_.geometry.outputChannels,
                               .weights = request_.weights->values<float>().data(),
                               .rowStride = 1,
                               .columnStride = conv_.geometry.inputChannels,
                               .bias = request_.bias ? request_.bias->values<float>().data() : nullptr,
                               .input = builder_.take(request_.input, order_),
                               .outputOrder = order_,
                               .nodes = request_.nodes,
                               .name = text(request_.name, " 1x1"),
                               .epilogue = request_.epilogue,
                               .ownPosts = request_.ownPosts};
        return addPanelStep(builder_, layer);
    }

    std::vector<Order> sourceOrders() {
        const Order lies = builder_.orderOf(request_.input);
        const Dims& dims = builder_.dims(request_.input);
        std::vector<Order> orders = {inner_};
        const bool isImage = conv_.source[1] <= 4 && isRowMajor(lies, dims) && !isRowMajor(order_, dims);
        if (isImage) orders.push_back(rowMajor(conv_.source.size()));
        return orders;
    }

    /// As many of the operations that follow as oneDNN does well with the convolution.
    void choosePosts() {
        const std::vector<Order> orders = sourceOrders();
        const size_t least = std::max(folding_.count, request_.ownPosts);
        for (done_ = request_.epilogue.posts.size();; --done_) {
            posts_ = onednnPosts(builder_, request_.epilogue, folding_.count, done_ - folding_.count,
                                 {.dims = conv_.result, .channelAxis = 1, .order = inner_});
            options_ = optionsFor(conv_, weightsDesc(), orders, hasBias(), posts_.ops);
            const bool isFit = !options_.empty() && !isPlainLoops(options_[0].descriptor.impl_info_str());
            if (isFit || done_ == least) break;
        }
    }

    void chooseOption() {
        std::vector<Candidate> candidates;
        const bool mayStay = options_.back().sourceOrder != inner_;
        for (const Option& option : options_) {
            const bool isMoved = mayStay && option.sourceOrder == inner_;
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
                    option.sourceOrder == inner_ ? "" : " from row-major");
    }

    std::vector<OnednnCall::Argument> argumentsOf(const Option& option) const {
        std::vector<OnednnCall::Argument> arguments = {{DNNL_ARG_SRC, option.descriptor.src_desc()},
                                                       {DNNL_ARG_WEIGHTS, option.descriptor.weights_desc()}};
        if (hasBias()) arguments.push_back({DNNL_ARG_BIAS, option.descriptor.bias_desc()});
        for (const auto& [id, desc] : posts_.arguments) arguments.push_back({id, desc});
        arguments.push_back({DNNL_ARG_DST, option.descriptor.dst_desc()});
        arguments.push_back({DNNL_ARG_SCRATCHPAD, option.descriptor.scratchpad_desc()});
        return arguments;
    }

    bool hasBias() const { return request_.hasBias || folding_.count > 0; }

    dnnl::memory::desc plainWeights() const {
        return denseDesc(conv_.weights, rowMajor(conv_.weights.size()));
    }
    dnnl::memory::desc weightsDesc() const {
        return request_.weights ? anyDesc(conv_.weights) : plainWeights();
    }

    SlotId packed(const Option& option, const Tensor& weights) {
        const dnnl::memory::desc desc = option.descriptor.weights_desc();
        Tensor result =
            Tensor::allocate(DataType::float32, {static_cast<int64_t>(desc.get_size() / sizeof(float))});
        reorderNow(plainWeights(), weights.data(), desc, result.mutableData());
        return builder_.addConstant(std::move(result), "onednn packed");
    }

    SlotId weightsIn(const Option& option) {
        return request_.weights ? packed(option, *request_.weights)
                                : builder_.takeRowMajor(request_.weightsValue);
    }

    void addFoldedWeights(const Option& option, Step& step) {
        const FoldedWeights folded = fold(request_, folding_);
        step.inputs.push_back(packed(option, folded.weights));
        if (folded.bias.empty()) return;
        step.inputs.push_back(
            builder_.addConstant(Tensor::of<float>({conv_.geometry.outputChannels}, folded.bias), "bias"));
    }

    void addStep() {
        const Option& option = options_[chosen_];
        const bool isChannelsLast = option.sourceOrder == inner_;
        Step step;
        step.inputs = {builder_.take(request_.input, isChannelsLast ? order_ : rowMajor(order_.size()))};
        if (request_.isConstant()) {
            addFoldedWeights(option, step);
        } else {
            step.inputs.push_back(weightsIn(option));
            if (request_.hasBias) step.inputs.push_back(builder_.takeRowMajor(request_.biasValue));
        }
        takeOperands(builder_, posts_, order_, step.inputs);
        step.nodes = request_.nodes;
        for (size_t index = 0; index < done_; ++index) {
            for (const NodeId id : request_.epilogue.posts[index].nodes) {
                step.nodes.push_back(id);
                builder_.absorb(id);
            }
        }
        step.outputs = {builder_.define(request_.epilogue.result(done_), order_)};
        step.kernel = text("onednn ", request_.name, " ", nameOf(option), posts_.text);
        step.note = note_;
        step.workspaceBytes = option.descriptor.scratchpad_desc().get_size();
        step.code = onednnCode(dnnl::convolution_forward(option.descriptor), argumentsOf(option));
        builder_.add(std::move(step));
    }

    CpuBuilder& builder_;
    const ConvRequest& request_;
    Convolution conv_;
    Order order_;  ///< of the graph's values
    Order inner_;  ///< the same without the axes that oneDNN is not told of
    Folding folding_;
    OnednnPosts posts_;
    size_t done_ = 0;
    std::vector<Option> options_;
    size_t chosen_ = 0;
    std::string note_;
};

}  // namespace

bool addConvStep(CpuBuilder& builder, const ConvRequest& request) {
    const int64_t perElement = elementCount(request.weightDims) / request.geometry.outputChannels;
    const int64_t multiplyAdds = builder.elements(request.epilogue.start) * perElement;
    const ThreadScope scope(threadsForProduct(builder.threads(), multiplyAdds));
    return ConvStep(builder, request).add();
}

}  // namespace engine::cpu
