#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/convolution.h"
#include "engine/providers/cpu/byte_product.h"
#include "engine/providers/cpu/conv_step.h"
#include "engine/providers/cpu/dense_step.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/quantized_loops.h"

// Products of integers (ConvInteger, MatMulInteger) are done in floats: numbers less their zero points are
// whole and small, so sums are exact up to 2^24, which is checked against the weights, and beyond it as exact
// as any float product where a conversion to float follows at once. DynamicQuantizeLinear then writes such
// floats instead of bytes.

namespace engine::cpu {
namespace {

bool isInteger8(DataType type) { return type == DataType::uint8 || type == DataType::int8; }

bool isIntegerProduct(const Node& node) {
    return node.domain.empty() &&
           (node.operatorType == "ConvInteger" || node.operatorType == "MatMulInteger");
}

int64_t channelAxis(const CpuBuilder& builder, const Node& product) {
    return product.operatorType == "ConvInteger"
               ? 1
               : static_cast<int64_t>(builder.dims(product.outputs[0]).size()) - 1;
}

/// The nodes that bring an integer product to float: an addition of integers per channel, and the conversion.
struct Conversion {
    std::optional<NodeId> add;
    ValueId bias;
    NodeId cast;
    ValueId result;
};

bool isPerChannel(const CpuBuilder& builder, ValueId value, ValueId of, int64_t axis) {
    const Dims& dims = builder.dims(value);
    const Dims& whole = builder.dims(of);
    if (dims.size() > whole.size()) return false;
    const size_t shift = whole.size() - dims.size();
    for (size_t at = 0; at < dims.size(); ++at) {
        const bool isChannel = static_cast<int64_t>(at + shift) == axis && dims[at] == whole[axis];
        if (dims[at] != 1 && !isChannel) return false;
    }
    return true;
}

std::optional<Conversion> conversionOf(const CpuBuilder& builder, const Node& product) {
    Conversion conversion;
    ValueId at = product.outputs[0];
    auto reader = builder.soleReader(at);
    if (!reader) return {};
    if (const Node& add = builder.node(*reader); add.operatorType == "Add" && add.domain.empty()) {
        const ValueId other = add.inputs[add.inputs[0] == at ? 1 : 0];
        if (other == at || !isPerChannel(builder, other, at, channelAxis(builder, product))) return {};
        conversion.add = *reader;
        conversion.bias = other;
        at = add.outputs[0];
        reader = builder.soleReader(at);
        if (!reader) return {};
    }
    const Node& cast = builder.node(*reader);
    if (cast.operatorType != "Cast" || builder.element(cast.outputs[0]) != DataType::float32) return {};
    conversion.cast = *reader;
    conversion.result = cast.outputs[0];
    return conversion;
}

/// Input `index` less the zero points at `zeroIndex`, as floats. Zero points are one, or one per row (Conv)
/// or column (MatMul) of the weights.
Tensor centredWeights(const CpuBuilder& builder, const NodeView& node, size_t index, size_t zeroIndex) {
    const Tensor& weights = *builder.constant(node.node().inputs[index]);
    const std::vector<int64_t> zeros = node.hasInput(zeroIndex)
                                           ? builder.constant(node.node().inputs[zeroIndex])->toInt64()
                                           : std::vector<int64_t>{0};
    Tensor result = Tensor::allocate(DataType::float32, weights.dims());
    const auto to = result.mutableValues<float>();
    const bool isByRow = node.node().operatorType == "ConvInteger";
    const auto count = static_cast<int64_t>(to.size());
    const int64_t each = count / static_cast<int64_t>(zeros.size());
    for (int64_t i = 0; i < count; ++i) {
        const int64_t zero = zeros.size() == 1 ? zeros[0]
                             : isByRow         ? zeros[i / each]
                                               : zeros[i % zeros.size()];
        const int64_t value = weights.type() == DataType::uint8
                                  ? static_cast<int64_t>(weights.values<uint8_t>()[i])
                                  : static_cast<int64_t>(weights.values<int8_t>()[i]);
        to[i] = static_cast<float>(value - zero);
    }
    return result;
}

/// Whether no sum can leave the whole numbers that a float holds.
bool isExact(const Tensor& centred, bool isConv) {
    const auto values = centred.values<float>();
    const int64_t channels = isConv ? centred.dims()[0] : centred.dims()[1];
    const int64_t each = centred.elements() / channels;
    for (int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (int64_t i = 0; i < each; ++i) sum += std::abs(values[isConv ? c * each + i : i * channels + c]);
        if (sum * 255 > 16777216) return false;
    }
    return true;
}

/// Whether the weights' zero points are one, or one for each of `channels`.
bool hasFittingZeros(const CpuBuilder& builder, const NodeView& node, int64_t channels) {
    return !node.hasInput(3) || builder.elements(node.node().inputs[3]) == 1 ||
           builder.fits(node, 3, {channels});
}

Support accepts(const NodeView& node) {
    if (!isInteger8(node.inputElement(0)) || !isInteger8(node.inputElement(1)))
        return Support::no("no 8-bit integers");
    if (node.constant(1) == nullptr) return Support::no("weights are no constant");
    if (node.hasInput(3) && node.constant(3) == nullptr)
        return Support::no("the weights' zero point is no constant");
    if (node.node().operatorType == "MatMulInteger" && node.inputType(1).shape->size() != 2)
        return Support::no("weights are no matrix");
    if (node.hasInput(2)) {
        const auto dims = node.inputDims(2);
        if (!dims || (!dims->empty() && *dims != Dims{1})) return Support::no("more than one zero point");
        if (node.inputElement(2) != node.inputElement(0))
            return Support::no("the zero point is ", node.inputElement(2));
    }
    return Support::yes();
}

/// Bytes less a zero point, as floats.
template <class Byte>
void centreLoop(const Byte* x, const Byte* zero, float* y, int64_t count, int threads) {
    const float shift = zero == nullptr ? 0 : static_cast<float>(*zero);
    parallelRange(threadsFor(threads, count * 4), count, [&](int64_t begin, int64_t end, int) {
        for (int64_t i = begin; i < end; ++i) y[i] = static_cast<float>(x[i]) - shift;
    });
}

/// The product's data as floats: as DynamicQuantizeLinear left them, or made from the bytes.
ValueId centredInput(CpuBuilder& builder, const NodeView& node) {
    const ValueId x = node.node().inputs[0];
    const ValueId zero = node.hasInput(2) ? node.node().inputs[2] : ValueId();
    if (const auto made = builder.centred(x, zero)) return *made;
    const Order order = builder.orderOf(x);
    const ValueId result = builder.addValue(DataType::float32, builder.dims(x));
    const bool isUnsigned = builder.element(x) == DataType::uint8;
    const bool hasZero = node.hasInput(2);
    Step step{.kernel = "bytes less zero point", .nodes = {node.id()}, .inputs = {builder.take(x, order)}};
    if (hasZero) step.inputs.push_back(builder.takeRowMajor(node.node().inputs[2]));
    step.outputs = {builder.define(result, order)};
    step.code = [isUnsigned, hasZero, count = builder.elements(x),
                 threads = builder.threads()](StepContext& context) {
        auto* y = context.output<float>(0);
        if (isUnsigned) {
            centreLoop(context.input<uint8_t>(0), hasZero ? context.input<uint8_t>(1) : nullptr, y, count,
                       threads);
        } else {
            centreLoop(context.input<int8_t>(0), hasZero ? context.input<int8_t>(1) : nullptr, y, count,
                       threads);
        }
    };
    builder.add(std::move(step));
    return result;
}

/// A value of int32 as floats of a new value, in the same order; or back.
template <class From, class To>
void addConversion(CpuBuilder& builder, ValueId from, ValueId to, const std::vector<NodeId>& nodes) {
    const Order order = builder.orderOf(from);
    Step step{.kernel = "convert integers",
              .nodes = nodes,
              .inputs = {builder.take(from, order)},
              .outputs = {builder.define(to, order)}};
    step.code = [count = builder.elements(from)](StepContext& context) {
        const auto* x = context.input<From>(0);
        auto* y = context.output<To>(0);
        for (int64_t i = 0; i < count; ++i) y[i] = static_cast<To>(x[i]);
    };
    builder.add(std::move(step));
}

/// What the product adds to: its epilogue up to floats, then what follows.
struct Target {
    Epilogue epilogue;
    size_t ownPosts = 0;
    std::vector<NodeId> nodes;
    bool isInteger = false;  ///< the epilogue's start is a float that must still become the node's int32
};

Target targetOf(CpuBuilder& builder, const NodeView& node) {
    const Node& product = node.node();
    Target target{.epilogue = {.start = {}, .posts = {}}, .nodes = {node.id()}};
    const auto conversion = conversionOf(builder, product);
    if (!conversion || (conversion->add && !builder.makeReady(conversion->bias))) {
        target.isInteger = true;
        target.epilogue.start = builder.addValue(DataType::float32, builder.dims(product.outputs[0]));
        return target;
    }
    target.epilogue.start = conversion->result;
    target.nodes.push_back(conversion->cast);
    builder.absorb(conversion->cast);
    if (conversion->add) {
        target.nodes.push_back(*conversion->add);
        builder.absorb(*conversion->add);
        const ValueId bias = builder.addValue(DataType::float32, builder.dims(conversion->bias));
        addConversion<int32_t, float>(builder, conversion->bias, bias, {*conversion->add});
        target.epilogue.posts.push_back({.kind = PostOp::Kind::binary,
                                         .algorithm = dnnl::algorithm::binary_add,
                                         .operand = bias,
                                         .result = conversion->result});
        target.ownPosts = 1;
    }
    Epilogue rest = matchEpilogue(builder, conversion->result, channelAxis(builder, product));
    target.epilogue.posts.insert(target.epilogue.posts.end(), rest.posts.begin(), rest.posts.end());
    return target;
}

void finish(CpuBuilder& builder, const NodeView& node, const Target& target) {
    if (target.isInteger) {
        addConversion<float, int32_t>(builder, target.epilogue.start, node.node().outputs[0], {node.id()});
    }
}

void prepareConv(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    if (!hasFittingZeros(builder, node, builder.dims(raw.inputs[1])[0]))
        return builder.addReference(node.id());
    const Tensor weights = centredWeights(builder, node, 1, 3);
    const bool hasCast = conversionOf(builder, raw).has_value();
    if (!hasCast && !isExact(weights, true)) return builder.addReference(node.id());
    ConvRequest request{.geometry = convGeometry(node.attributes<ConvAttributes>(),
                                                 builder.dims(raw.inputs[0]), weights.dims()),
                        .input = centredInput(builder, node),
                        .weightDims = weights.dims(),
                        .weights = weights,
                        .name = "conv of integers"};
    const Target target = targetOf(builder, node);
    request.epilogue = target.epilogue;
    request.ownPosts = target.ownPosts;
    request.nodes = target.nodes;
    if (!addConvStep(builder, request)) fail("oneDNN has no implementation of this convolution");
    finish(builder, node, target);
}

/// The centred weights as bytes, if they all fit.
std::optional<std::vector<int8_t>> asBytes(const Tensor& centred) {
    std::vector<int8_t> bytes;
    bytes.reserve(centred.elements());
    for (const float value : centred.values<float>()) {
        if (value < -128 || value > 127) return {};
        bytes.push_back(static_cast<int8_t>(value));
    }
    return bytes;
}

/// Few rows are bound by reading the weights, of which bytes are a quarter of floats.
void addBytePairStep(CpuBuilder& builder, const Target& target, ValueId input, const Tensor& weights,
                     const std::vector<int8_t>& bytes) {
    const int64_t rows = weights.dims()[0];
    const int64_t columns = weights.dims()[1];
    const BytePairProduct product{
        .m = builder.elements(input) / rows, .pairs = (rows + 1) / 2, .columns = columns};
    Step step{.kernel = "highway matmul of bytes few rows", .nodes = target.nodes};
    step.inputs = {builder.takeRowMajor(input),
                   builder.addConstant(packBytePairs(bytes.data(), rows, columns), "byte pairs")};
    step.outputs = {builder.defineRowMajor(target.epilogue.start)};
    const auto shortBytes = static_cast<size_t>(product.m * product.pairs) * 2 * sizeof(int16_t);
    const size_t sumsAt = (shortBytes + 63) / 64 * 64;
    step.workspaceBytes = sumsAt + static_cast<size_t>(product.m * columns) * sizeof(int32_t);
    step.code = [product, rows, sumsAt, threads = builder.threads()](StepContext& context) {
        auto* shorts = static_cast<int16_t*>(context.workspace());
        auto* sums = reinterpret_cast<int32_t*>(static_cast<char*>(context.workspace()) + sumsAt);
        for (int64_t m = 0; m < product.m; ++m) {
            const float* x = context.input<float>(0) + m * rows;
            int16_t* to = shorts + m * product.pairs * 2;
            to[product.pairs * 2 - 1] = 0;
            for (int64_t k = 0; k < rows; ++k) to[k] = static_cast<int16_t>(x[k]);
        }
        multiplyBytePairs(product, shorts, context.input<int8_t>(1), sums, threads);
        auto* y = context.output<float>(0);
        for (int64_t i = 0; i < product.m * product.columns; ++i) y[i] = static_cast<float>(sums[i]);
    };
    builder.add(std::move(step));
}

void prepareMatMul(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    if (!hasFittingZeros(builder, node, builder.dims(raw.inputs[1])[1]))
        return builder.addReference(node.id());
    const Tensor weights = centredWeights(builder, node, 1, 3);
    const bool hasCast = conversionOf(builder, raw).has_value();
    if ((!hasCast && !isExact(weights, false)) || builder.dims(raw.outputs[0]).empty())
        return builder.addReference(node.id());
    const ValueId input = centredInput(builder, node);
    const Target target = targetOf(builder, node);
    const bool hasFew = builder.elements(input) / weights.dims()[0] <= 4 && target.ownPosts == 0;
    if (const auto bytes = hasFew ? asBytes(weights) : std::nullopt) {
        addBytePairStep(builder, target, input, weights, *bytes);
        return finish(builder, node, target);
    }
    const ByteProduct product{.m = builder.elements(input) / weights.dims()[0],
                              .k = weights.dims()[0],
                              .n = weights.dims()[1],
                              .input = input,
                              .weights = weights.values<float>().data(),
                              .result = target.epilogue.start,
                              .nodes = target.nodes};
    if (target.ownPosts == 0 && addByteProductStep(builder, product)) return finish(builder, node, target);
    const DenseLayer layer{.m = builder.elements(input) / weights.dims()[0],
                           .k = weights.dims()[0],
                           .n = weights.dims()[1],
                           .weights = weights.values<float>().data(),
                           .rowStride = weights.dims()[1],
                           .columnStride = 1,
                           .input = builder.takeRowMajor(input),
                           .outputOrder = rowMajor(builder.dims(raw.outputs[0]).size()),
                           .nodes = target.nodes,
                           .name = "matmul of integers",
                           .epilogue = target.epilogue,
                           .ownPosts = target.ownPosts};
    if (!(hasFewRows(layer) && addPanelStep(builder, layer)) && !addInnerProductStep(builder, layer)) {
        fail("oneDNN has no implementation of this product");
    }
    finish(builder, node, target);
}

/// Whether the product will take the quantized data as floats.
bool takesCentred(const CpuBuilder& builder, NodeId id, ValueId data, ValueId zero) {
    const Node& node = builder.node(id);
    const bool isProduct =
        isIntegerProduct(node) && node.inputs.size() > 2 && node.inputs[0] == data && node.inputs[2] == zero;
    return isProduct && builder.elements(node.inputs[1]) > 0 && conversionOf(builder, node).has_value();
}

void prepareQuantize(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const ValueId x = raw.inputs[0];
    const Order order = builder.orderOf(x);
    const std::vector<NodeId>& readers = builder.readers(raw.outputs[0]);
    const auto isTaken = [&](NodeId id) { return takesCentred(builder, id, raw.outputs[0], raw.outputs[2]); };
    const bool hasCentred = std::any_of(readers.begin(), readers.end(), isTaken);
    const bool hasBytes =
        builder.isNeededOutside(raw.outputs[0]) || !std::all_of(readers.begin(), readers.end(), isTaken);
    Step step{.kernel = hasCentred ? "highway quantize to whole floats" : "highway quantize",
              .nodes = {node.id()},
              .inputs = {builder.take(x, order)}};
    step.outputs = {builder.defineRowMajor(raw.outputs[1]), builder.defineRowMajor(raw.outputs[2])};
    step.outputs.push_back(hasBytes ? builder.define(raw.outputs[0], order) : SlotId());
    if (hasCentred) {
        const ValueId centred = builder.addValue(DataType::float32, builder.dims(x));
        builder.setCentred(raw.outputs[0], raw.outputs[2], centred);
        step.outputs.push_back(builder.define(centred, order));
    } else {
        step.outputs.push_back(SlotId());
    }
    step.code = [count = builder.elements(x), threads = builder.threads()](StepContext& context) {
        const auto* from = context.input<float>(0);
        const ByteGrid grid = gridOf(from, count);
        *context.output<float>(0) = grid.scale;
        *context.output<uint8_t>(1) = static_cast<uint8_t>(grid.zeroPoint);
        parallelRange(threadsFor(threads, count * 8), count, [&](int64_t begin, int64_t end, int) {
            if (context.hasOutput(2))
                quantizeBytes(grid, from + begin, end - begin, context.output<uint8_t>(2) + begin);
            if (context.hasOutput(3))
                quantizeCentred(grid, from + begin, end - begin, context.output<float>(3) + begin);
        });
    };
    builder.add(std::move(step));
}

Support acceptsQuantize(const NodeView& node) {
    if (node.inputElement(0) != DataType::float32) return Support::no("input is ", node.inputElement(0));
    for (size_t index = 0; index < 3; ++index) {
        if (!node.hasOutput(index)) return Support::no("output ", index, " is omitted");
    }
    return Support::yes();
}

const CpuKernel convInteger{"ConvInteger", "", accepts, prepareConv};
const CpuKernel matMulInteger{"MatMulInteger", "", accepts, prepareMatMul};
const CpuKernel quantize{"DynamicQuantizeLinear", "", acceptsQuantize, prepareQuantize};
const Register<CpuKernel> registered[] = {Register{convInteger}, Register{matMulInteger}, Register{quantize}};

}  // namespace
}  // namespace engine::cpu
