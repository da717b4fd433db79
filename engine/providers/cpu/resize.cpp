#include <algorithm>
#include <memory>
#include <optional>

#include "engine/ops/resize_axis.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/move.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/planes.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    const Support types = acceptTypes(node, {DataType::float32});
    if (!types.isYes) return types;
    const bool isCropped =
        node.attributes<ResizeAttributes>().coordinates == ResizeAttributes::Coordinates::tfCropAndResize;
    if (isCropped) return Support::no("crops to a region");
    if (node.hasInput(2) == node.hasInput(3)) return Support::no("needs one of scales and sizes");
    for (size_t index = 1; index < node.inputCount(); ++index) {
        if (node.hasInput(index) && !isKnownAhead(node, index)) {
            return Support::no("input ", index, " is known only at run time");
        }
    }
    return Support::yes();
}

/// The input's constant, or null if it is missing or empty, which counts as missing.
const Tensor* given(CpuBuilder& builder, const NodeView& node, size_t index) {
    if (!node.hasInput(index)) return nullptr;
    const Tensor* tensor = builder.constant(node.node().inputs[index]);
    return tensor != nullptr && tensor->elements() > 0 ? tensor : nullptr;
}

/// A table per axis of the input.
std::vector<ResizeTable> tablesOf(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<ResizeAttributes>();
    const Dims& dims = builder.dims(node.node().inputs[0]);
    std::vector<ResizeTable> tables(dims.size());
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        tables[axis].indices = identityTable(dims[axis]);
        tables[axis].isIdentity = true;
    }
    for (const ResizeAxis& axis : resizeAxes(attributes, dims, given(builder, node, 1),
                                             given(builder, node, 2), given(builder, node, 3))) {
        ResizeTable table = resizeTable(attributes, axis);
        if (!table.isIdentity) tables[axis.axis] = std::move(table);
    }
    return tables;
}

void addNearest(CpuBuilder& builder, const NodeView& node, const std::vector<ResizeTable>& tables) {
    const ValueId input = node.node().inputs[0];
    const Order order = builder.orderOf(input);
    std::vector<AxisTable> inOrder;
    for (const int axis : order) inOrder.push_back(tables[axis].indices);
    const auto copy = std::make_shared<const TableCopy>(
        tableCopy(memoryDims(order, builder.dims(input)), std::move(inOrder)));
    Step step{.kernel = text("resize nearest ", orderText(order)),
              .nodes = {node.id()},
              .inputs = {builder.take(input, order)},
              .outputs = {builder.define(node.node().outputs[0], order)}};
    step.code = [copy, threads = builder.threads()](StepContext& context) {
        runTableCopy(*copy, sizeof(float), nullptr, context.input<void>(0), context.output<void>(0), threads);
    };
    builder.add(std::move(step));
}

/// Every output pixel as a weighted sum of input pixels, all channels at once.
struct Blend {
    int64_t batch = 1;
    int64_t channels = 1;
    int64_t inputPixels = 1;
    int64_t outputPixels = 1;
    std::vector<ResizeTable> axes;  ///< the spatial ones
    std::vector<int64_t> inputSizes;
    std::vector<int64_t> outputSizes;
    size_t taps = 1;

    void pixel(int64_t index, const float* image, const float** from, float* weights) const {
        size_t count = 1;
        int64_t offsets[mostTaps];
        offsets[0] = 0;
        weights[0] = 1;
        int64_t rest = index;
        int64_t stride = 1;
        for (size_t axis = axes.size(); axis-- > 0;) {
            const int64_t at = rest % outputSizes[axis];
            rest /= outputSizes[axis];
            const ResizeTable& table = axes[axis];
            const int64_t* indices = table.indices.data() + at * table.taps;
            for (int64_t tap = table.taps; tap-- > 0;) {
                const float weight =
                    table.isIdentity ? 1 : static_cast<float>(table.weights[at * table.taps + tap]);
                for (size_t k = 0; k < count; ++k) {
                    offsets[tap * count + k] = offsets[k] + indices[tap] * stride;
                    weights[tap * count + k] = weights[k] * weight;
                }
            }
            count *= table.taps;
            stride *= inputSizes[axis];
        }
        for (size_t k = 0; k < count; ++k) from[k] = image + offsets[k] * channels;
    }
    static constexpr size_t mostTaps = 64;
};

/// Of pictures that lie row-major, if the rows that an output needs lie near to each other.
std::optional<PlaneResize> planeResize(const Dims& from, const Dims& to,
                                       const std::vector<ResizeTable>& tables) {
    if (from.size() > 4) return {};
    const ResizeTable& columns = tables.back();
    PlaneResize resize{.planes = from[0] * from[1], .inputColumns = from.back(), .outputColumns = to.back()};
    if (from.size() == 4) {
        const ResizeTable& rows = tables[2];
        resize.inputRows = from[2];
        resize.outputRows = to[2];
        resize.rowTaps = rows.taps;
        resize.rowIndices.assign(rows.indices.begin(), rows.indices.end());
        if (!rows.isIdentity) resize.rowWeights.assign(rows.weights.begin(), rows.weights.end());
    } else {
        resize.rowIndices = {0};
    }
    resize.rowWeights.resize(resize.rowIndices.size(), 1);
    for (size_t at = 0; at < resize.rowIndices.size(); at += resize.rowTaps) {
        const auto first = resize.rowIndices.begin() + static_cast<ptrdiff_t>(at);
        const auto bounds = std::minmax_element(first, first + resize.rowTaps);
        resize.slots = std::max(resize.slots, *bounds.second - *bounds.first + 1);
    }
    resize.columnTaps = columns.isIdentity ? 0 : columns.taps;
    const int64_t length = resize.lineLength();
    constexpr int64_t mostKept = 65536;  // floats: what stays in a cache
    if (resize.slots * length > mostKept && resize.slots > 2) return {};
    resize.columnIndices.resize(length * resize.columnTaps, 0);
    resize.columnWeights.resize(length * resize.columnTaps, 0);
    for (int64_t tap = 0; tap < resize.columnTaps; ++tap) {
        for (int64_t at = 0; at < resize.outputColumns; ++at) {
            const int64_t place = at * columns.taps + tap;
            resize.columnIndices[tap * length + at] = static_cast<int32_t>(columns.indices[place]);
            resize.columnWeights[tap * length + at] = static_cast<float>(columns.weights[place]);
        }
    }
    return resize;
}

void addPlanes(CpuBuilder& builder, const NodeView& node, PlaneResize resize) {
    Step step{.kernel = "highway resize rows",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(node.node().inputs[0])},
              .outputs = {builder.defineRowMajor(node.node().outputs[0])}};
    step.workspaceBytes = resize.slots * resize.lineLength() * sizeof(float) * builder.threads();
    step.code = [resize = std::make_shared<const PlaneResize>(std::move(resize)),
                 threads = builder.threads()](StepContext& context) {
        resizePlanes(*resize, context.input<float>(0), context.output<float>(0),
                     static_cast<float*>(context.workspace()), threads);
    };
    builder.add(std::move(step));
}

void addBlend(CpuBuilder& builder, const NodeView& node, std::vector<ResizeTable> tables) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const Dims& dims = builder.dims(input);
    auto blend = std::make_shared<Blend>();
    blend->batch = dims[0];
    blend->channels = dims[1];
    for (size_t axis = 2; axis < dims.size(); ++axis) {
        blend->inputSizes.push_back(dims[axis]);
        blend->outputSizes.push_back(builder.dims(output)[axis]);
        blend->inputPixels *= dims[axis];
        blend->outputPixels *= builder.dims(output)[axis];
        blend->taps *= tables[axis].taps;
        blend->axes.push_back(std::move(tables[axis]));
    }
    if (blend->taps > Blend::mostTaps) return builder.addReference(node.id());
    const Order order = channelsLast(dims.size());
    Step step{.kernel = text("highway resize ", orderText(order)),
              .nodes = {node.id()},
              .inputs = {builder.take(input, order)},
              .outputs = {builder.define(output, order)}};
    step.code = [blend = std::shared_ptr<const Blend>(blend),
                 threads = builder.threads()](StepContext& context) {
        const auto* x = context.input<float>(0);
        auto* y = context.output<float>(0);
        const int64_t total = blend->batch * blend->outputPixels;
        const int64_t bytes = total * blend->channels * 8;
        parallelRange(threadsFor(threads, bytes), total, [&](int64_t begin, int64_t end, int) {
            const float* from[Blend::mostTaps];
            float weights[Blend::mostTaps];
            for (int64_t index = begin; index < end; ++index) {
                const float* image = x + index / blend->outputPixels * blend->inputPixels * blend->channels;
                blend->pixel(index % blend->outputPixels, image, from, weights);
                blendPixel(from, weights, blend->taps, y + index * blend->channels, blend->channels);
            }
        });
    };
    builder.add(std::move(step));
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const bool isSmall = areTablesSmall(builder.dims(node.node().inputs[0])) &&
                         areTablesSmall(builder.dims(node.node().outputs[0]));
    if (!isSmall) return builder.addReference(node.id());
    std::vector<ResizeTable> tables = tablesOf(builder, node);
    const bool hasOutside = std::any_of(tables.begin(), tables.end(), [](const ResizeTable& table) {
        return std::any_of(table.isOutside.begin(), table.isOutside.end(),
                           [](char isOutside) { return isOutside != 0; });
    });
    if (hasOutside) return builder.addReference(node.id());
    const bool isNearest = std::all_of(tables.begin(), tables.end(), [](const ResizeTable& table) {
        return table.taps == 1 && std::all_of(table.weights.begin(), table.weights.end(),
                                              [](double weight) { return weight == 1; });
    });
    if (isNearest) return addNearest(builder, node, tables);
    const bool isSpatial = tables.size() >= 3 && tables[0].isIdentity && tables[1].isIdentity;
    if (!isSpatial) return builder.addReference(node.id());
    const ValueId input = node.node().inputs[0];
    if (isRowMajor(builder.orderOf(input), builder.dims(input))) {
        auto planes = planeResize(builder.dims(input), builder.dims(node.node().outputs[0]), tables);
        if (planes) return addPlanes(builder, node, std::move(*planes));
    }
    addBlend(builder, node, std::move(tables));
}

const CpuKernel resize{"Resize", "", accepts, prepare};
const Register<CpuKernel> registered{resize};

}  // namespace
}  // namespace engine::cpu
