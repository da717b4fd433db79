#include <algorithm>
#include <numeric>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/move.h"

// Operators whose result is picked from the input by one table an axis: Slice, Pad, Tile, and Expand of what
// is no float.

namespace engine::cpu {
namespace {

Support acceptsKnown(const NodeView& node, std::initializer_list<size_t> inputs) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    for (const size_t index : inputs) {
        if (node.hasInput(index) && !isKnownAhead(node, index)) {
            return Support::no("input ", index, " is known only at run time");
        }
    }
    return Support::yes();
}

/// Adds the step that picks by tables, given by axis, in the order in which the input lies.
void addTableStep(CpuBuilder& builder, const NodeView& node, const char* name,
                  const std::vector<AxisTable>& byAxis, std::optional<ValueId> fill = {}) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const Order order = builder.orderOf(input);
    std::vector<AxisTable> tables;
    for (const int axis : order) tables.push_back(byAxis[axis]);
    const bool hasFill = fill.has_value();
    Step step{.kernel = text(name, " ", orderText(order)),
              .nodes = {node.id()},
              .inputs = {builder.take(input, order)}};
    if (hasFill) step.inputs.push_back(builder.takeRowMajor(*fill));
    step.outputs = {builder.define(output, order)};
    const auto copy = std::make_shared<const TableCopy>(
        tableCopy(memoryDims(order, builder.dims(input)), std::move(tables)));
    step.code = [copy, hasFill, size = bytesInMemory(builder.element(input)),
                 threads = builder.threads()](StepContext& context) {
        constexpr char zero[16] = {};
        runTableCopy(*copy, size, hasFill ? context.input<void>(1) : zero, context.input<void>(0),
                     context.output<void>(0), threads);
    };
    builder.add(std::move(step));
}

std::vector<int64_t> axesUpTo(size_t count) {
    std::vector<int64_t> axes(count);
    std::iota(axes.begin(), axes.end(), int64_t{0});
    return axes;
}

std::vector<AxisTable> identityTables(const Dims& dims) {
    std::vector<AxisTable> tables;
    for (const int64_t dim : dims) tables.push_back(identityTable(dim));
    return tables;
}

void prepareSlice(CpuBuilder& builder, const NodeView& node) {
    const Dims& dims = builder.dims(node.node().inputs[0]);
    const Dims& outputDims = builder.dims(node.node().outputs[0]);
    if (!areTablesSmall(dims)) return builder.addReference(node.id());
    const auto rank = static_cast<int64_t>(dims.size());
    const std::vector<int64_t> starts = builder.constant(node.node().inputs[1])->toInt64();
    std::vector<int64_t> axes = axesUpTo(starts.size());
    if (node.hasInput(3)) axes = builder.constant(node.node().inputs[3])->toInt64();
    std::vector<int64_t> steps(starts.size(), 1);
    if (node.hasInput(4)) steps = builder.constant(node.node().inputs[4])->toInt64();
    const auto ends = static_cast<size_t>(builder.elements(node.node().inputs[2]));
    if (ends != starts.size() || axes.size() != starts.size() || steps.size() != starts.size()) {
        fail("found ", starts.size(), " starts, ", ends, " ends, ", axes.size(), " axes and ", steps.size(),
             " steps, expected as many of each");
    }
    std::vector<AxisTable> tables = identityTables(dims);
    for (size_t index = 0; index < starts.size(); ++index) {
        const int64_t axis = normalizedAxis(axes[index], rank);
        int64_t start = starts[index] < 0 ? starts[index] + dims[axis] : starts[index];
        start = std::clamp<int64_t>(start, 0, dims[axis] - (steps[index] < 0 ? 1 : 0));
        tables[axis].clear();
        for (int64_t at = 0; at < outputDims[axis]; ++at) tables[axis].push_back(start + at * steps[index]);
    }
    addTableStep(builder, node, "slice", tables);
}

Support acceptsPad(const NodeView& node) {
    const std::string mode = node.read().string("mode", "constant");
    if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap") {
        return Support::no("found mode '", mode, "'");
    }
    if (!node.hasInput(1)) return Support::no("pads are an attribute");
    if (node.hasInput(2) && node.inputElement(2) != node.inputElement(0)) {
        return Support::no("the constant value is ", node.inputElement(2));
    }
    return acceptsKnown(node, {1, 3});
}

/// The source of position `at`, which may lie outside of [0, size).
int64_t padSource(const std::string& mode, int64_t at, int64_t size) {
    if (at >= 0 && at < size) return at;
    if (mode == "constant") return -1;
    if (mode == "edge") return std::clamp<int64_t>(at, 0, size - 1);
    if (mode == "wrap") return (at % size + size) % size;
    if (size == 1) return 0;
    const int64_t period = 2 * (size - 1);
    const int64_t place = (at % period + period) % period;
    return place < size ? place : period - place;
}

void preparePad(CpuBuilder& builder, const NodeView& node) {
    const Dims& dims = builder.dims(node.node().inputs[0]);
    const Dims& outputDims = builder.dims(node.node().outputs[0]);
    const std::string mode = node.read().string("mode", "constant");
    const std::vector<int64_t> pads = builder.constant(node.node().inputs[1])->toInt64();
    const bool hasSources = mode == "constant" || std::find(dims.begin(), dims.end(), 0) == dims.end();
    const bool hasFill = !node.hasInput(2) || builder.elements(node.node().inputs[2]) == 1;
    if (!hasSources || !hasFill || !areTablesSmall(outputDims)) return builder.addReference(node.id());
    std::vector<int64_t> axes;
    if (node.hasInput(3)) axes = builder.constant(node.node().inputs[3])->toInt64();
    if (axes.empty()) axes = axesUpTo(dims.size());
    std::vector<AxisTable> tables = identityTables(dims);
    for (size_t index = 0; index < axes.size(); ++index) {
        const int64_t axis = normalizedAxis(axes[index], static_cast<int64_t>(dims.size()));
        tables[axis].clear();
        for (int64_t at = 0; at < outputDims[axis]; ++at) {
            tables[axis].push_back(padSource(mode, at - pads[index], dims[axis]));
        }
    }
    std::optional<ValueId> fill;
    if (node.hasInput(2)) fill = node.node().inputs[2];
    addTableStep(builder, node, "pad", tables, fill);
}

void prepareTile(CpuBuilder& builder, const NodeView& node) {
    const Dims& dims = builder.dims(node.node().inputs[0]);
    const Dims& outputDims = builder.dims(node.node().outputs[0]);
    if (!areTablesSmall(outputDims)) return builder.addReference(node.id());
    std::vector<AxisTable> tables(dims.size());
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        for (int64_t at = 0; at < outputDims[axis]; ++at) tables[axis].push_back(at % dims[axis]);
    }
    addTableStep(builder, node, "tile", tables);
}

/// A float that is repeated costs nothing until a chain reads it.
void prepareExpand(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    if (builder.element(input) == DataType::float32) {
        return builder.keepBack(output,
                                {.function = Function::copy, .inputs = {input}, .nodes = {node.id()}});
    }
    const Dims& outputDims = builder.dims(output);
    const Dims own = strides(rowMajor(builder.dims(input).size()), builder.dims(input));
    Move move{.dims = outputDims,
              .fromStrides = Dims(outputDims.size(), 0),
              .toStrides = strides(rowMajor(outputDims.size()), outputDims)};
    const size_t shift = outputDims.size() - own.size();
    for (size_t axis = 0; axis < own.size(); ++axis) {
        if (builder.dims(input)[axis] != 1) move.fromStrides[axis + shift] = own[axis];
    }
    Step step{.kernel = "expand",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(input)},
              .outputs = {builder.defineRowMajor(output)}};
    step.code = [move = merged(move), size = bytesInMemory(builder.element(input)),
                 threads = builder.threads()](StepContext& context) {
        runMove(move, size, context.input<void>(0), context.output<void>(0), threads);
    };
    builder.add(std::move(step));
}

const CpuKernel slice{"Slice", "",
                      [](const NodeView& node) {
                          return acceptsKnown(node, {1, 3, 4});
                      },
                      prepareSlice};
const CpuKernel pad{"Pad", "", acceptsPad, preparePad};
const CpuKernel tile{"Tile", "", [](const NodeView& node) { return acceptsKnown(node, {}); }, prepareTile};
const CpuKernel expand{"Expand", "", [](const NodeView& node) { return acceptsKnown(node, {}); },
                       prepareExpand};
const Register<CpuKernel> registered[] = {Register{slice}, Register{pad}, Register{tile}, Register{expand}};

}  // namespace
}  // namespace engine::cpu
