#include "engine/ops/attribute_reader.h"
#include "engine/ops/indices.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/move_loops.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

/// Rows of indices along their last axis; a row reads from one place of the data on.
struct Plan {
    Dims dims = {};      ///< of the indices, but the last
    Dims strides = {};   ///< of the data along them, 0 along the axis
    GatherRow row = {};  ///< its step is 0 along the axis
    size_t size = 1;     ///< bytes of an element

    int64_t startOf(int64_t index) const { return rowOffset(index, dims, strides, dims.size()); }
};

/// Threads begin after all indices were looked at: no error may leave one.
void run(const Plan& plan, const char* data, const char* indices, char* output, int64_t rows, int threads) {
    const GatherRow& row = plan.row;
    const IndexBounds bounds = boundsOf(indices, row.isWide, rows * row.count);
    countedIndex(bounds.least, row.length);
    countedIndex(bounds.most, row.length);
    const auto size = static_cast<int64_t>(plan.size);
    const int64_t indexSize = row.isWide ? 8 : 4;
    const int64_t bytes = rows * row.count * (size + indexSize);
    parallelRange(threadsFor(threads, bytes), rows, [&](int64_t begin, int64_t end, int) {
        for (int64_t index = begin; index < end; ++index) {
            gatherRow(row, plan.size, data + plan.startOf(index) * size,
                      indices + index * row.count * indexSize, output + index * row.count * size);
        }
    });
}

bool isWithin(const Dims& inner, const Dims& outer, size_t axis) {
    if (inner.size() != outer.size()) return false;
    for (size_t k = 0; k < inner.size(); ++k) {
        if (k != axis && inner[k] > outer[k]) return false;
    }
    return true;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId data = node.node().inputs[0];
    const ValueId indices = node.node().inputs[1];
    const Dims& dims = builder.dims(data);
    Plan plan{.dims = builder.dims(indices), .size = bytesInMemory(builder.element(data))};
    if (dims.empty()) return builder.addReference(node.id());
    const auto axis = static_cast<size_t>(
        normalizedAxis(node.read().integer("axis", 0), static_cast<int64_t>(dims.size())));
    if (!isWithin(plan.dims, dims, axis)) return builder.addReference(node.id());
    plan.strides = strides(rowMajor(dims.size()), dims);
    const int64_t stride = std::exchange(plan.strides[axis], 0);
    plan.row = {.count = plan.dims.back(),
                .length = dims[axis],
                .stride = stride,
                .step = plan.strides.back(),
                .isWide = builder.element(indices) == DataType::int64};
    plan.dims.pop_back();
    plan.strides.pop_back();
    const int64_t all = builder.elements(indices);
    const int64_t rows = all == 0 ? 0 : all / plan.row.count;
    Step step{.kernel = "gather elements",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(data), builder.takeRowMajor(indices)},
              .outputs = {builder.defineRowMajor(node.node().outputs[0])}};
    step.code = [plan, rows, threads = builder.threads()](StepContext& context) {
        run(plan, context.input<char>(0), context.input<char>(1), context.output<char>(0), rows, threads);
    };
    builder.add(std::move(step));
}

const CpuKernel gatherElements{"GatherElements", "", acceptIndices, prepare};
const Register<CpuKernel> registered{gatherElements};

}  // namespace
}  // namespace engine::cpu
