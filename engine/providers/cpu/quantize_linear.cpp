#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/element_loops.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"

// QuantizeLinear and DequantizeLinear between float32 and bytes, by tensor or by an axis.

namespace engine::cpu {
namespace {

bool isByte(DataType type) { return type == DataType::uint8 || type == DataType::int8; }

Support accepts(const NodeView& node) {
    const bool isQuantizing = node.node().operatorType == "QuantizeLinear";
    const DataType byte = isQuantizing ? node.outputType(0).element : node.inputElement(0);
    const DataType number = isQuantizing ? node.inputElement(0) : node.outputType(0).element;
    if (!isByte(byte)) return Support::no("quantized numbers are ", byte, ", the loops take bytes");
    if (number != DataType::float32) return Support::no("numbers are ", number, ", the loops take float32");
    if (node.inputElement(1) != DataType::float32) return Support::no("scales are ", node.inputElement(1));
    if (node.hasInput(2) && node.inputElement(2) != byte) {
        return Support::no("zero points are ", node.inputElement(2));
    }
    const int64_t precision = node.read().integer("precision", 0);
    if (precision != 0 && precision != static_cast<int64_t>(DataType::float32)) {
        return Support::no("divides in another type than float32");
    }
    return Support::yes();
}

/// A scale for each place along the middle.
struct Plan {
    DataType type = DataType::uint8;
    bool isQuantizing = true;
    bool hasZero = false;
    AxisSplit split = {};

    /// Along rows of one scale, or of all scales in turn where each element has its own.
    bool isEach() const { return split.inner == 1 && split.length > 1; }
    int64_t rows() const { return isEach() ? split.outer : split.outer * split.length; }
    int64_t width() const { return isEach() ? split.length : split.inner; }
};

/// Whether scales (and zero points) are for the whole tensor or for the places of one axis.
bool fill(Plan& plan, const CpuBuilder& builder, const NodeView& node) {
    const std::vector<ValueId>& inputs = node.node().inputs;
    const Dims& dims = builder.dims(inputs[0]);
    const int64_t scales = builder.elements(inputs[1]);
    plan.hasZero = node.hasInput(2);
    if (plan.hasZero && builder.elements(inputs[2]) != scales) return false;
    if (node.read().integer("block_size", 0) != 0) return false;
    const int64_t all = builder.elements(inputs[0]);
    if (scales == 1) {
        plan.split.inner = all;
        return true;
    }
    const auto rank = static_cast<int64_t>(dims.size());
    int64_t axis = node.read().integer("axis", 1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank || builder.dims(inputs[1]) != Dims{dims[axis]}) return false;
    if (plan.hasZero && builder.dims(inputs[2]) != Dims{dims[axis]}) return false;
    plan.split = splitAt(dims, static_cast<size_t>(axis));
    return true;
}

void runStretch(const Plan& plan, const LinearGrid& grid, const char* x, char* y, int64_t at, int64_t n) {
    constexpr int64_t bytes = sizeof(float);
    if (plan.isQuantizing) {
        quantizeStretch(plan.type, grid, reinterpret_cast<const float*>(x + at * bytes), y + at, n);
    } else {
        dequantizeStretch(plan.type, grid, x + at, reinterpret_cast<float*>(y + at * bytes), n);
    }
}

void run(const Plan& plan, StepContext& context, int threads) {
    const auto* x = context.input<char>(0);
    const auto* scale = context.input<float>(1);
    const char* zero = plan.hasZero ? context.input<char>(2) : nullptr;
    auto* y = context.output<char>(0);
    const int64_t width = plan.width();
    const int64_t all = plan.rows() * width;
    parallelRange(threadsFor(threads, all * 5), all, [&](int64_t begin, int64_t end, int) {
        while (begin < end) {
            const int64_t row = begin / width;
            const int64_t column = begin % width;
            const int64_t n = std::min(width - column, end - begin);
            const int64_t place = plan.isEach() ? column : row % plan.split.length;
            const LinearGrid grid{scale + place, zero == nullptr ? nullptr : zero + place, plan.isEach()};
            runStretch(plan, grid, x, y, begin, n);
            begin += n;
        }
    });
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const std::vector<ValueId>& inputs = node.node().inputs;
    Plan plan{.isQuantizing = node.node().operatorType == "QuantizeLinear"};
    const ValueId output = node.node().outputs[0];
    plan.type = builder.element(plan.isQuantizing ? output : inputs[0]);
    if (!fill(plan, builder, node)) return builder.addReference(node.id());
    const size_t rank = builder.dims(inputs[0]).size();
    const Order order = builder.elements(inputs[1]) == 1 ? builder.orderOf(inputs[0]) : rowMajor(rank);
    Step step{.kernel = text("highway ", plan.isQuantizing ? "quantize to " : "dequantize ", plan.type),
              .nodes = {node.id()},
              .inputs = {builder.take(inputs[0], order), builder.takeRowMajor(inputs[1])}};
    if (plan.hasZero) step.inputs.push_back(builder.takeRowMajor(inputs[2]));
    step.outputs = {builder.define(output, order)};
    step.code = [plan, threads = builder.threads()](StepContext& context) { run(plan, context, threads); };
    builder.add(std::move(step));
}

const CpuKernel quantize{"QuantizeLinear", "", accepts, prepare};
const CpuKernel dequantize{"DequantizeLinear", "", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{quantize}, Register{dequantize}};

}  // namespace
}  // namespace engine::cpu
