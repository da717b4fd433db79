#include "engine/core/dispatch.h"
#include "engine/ops/attribute_reader.h"
#include "engine/ops/indices.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    return Support::yes();
}

/// Rows of indices along their last axis; a row reads from one place of the data on.
struct Plan {
    Dims dims = {};     ///< of the indices, but the last
    Dims strides = {};  ///< of the data along them, 0 along the axis
    int64_t width = 1;
    int64_t step = 1;    ///< of the data along a row; 0 along the axis
    int64_t length = 1;  ///< of the axis
    int64_t stride = 1;  ///< of the data along the axis
    size_t size = 1;     ///< bytes of an element

    int64_t startOf(int64_t row) const {
        int64_t start = 0;
        for (size_t axis = dims.size(); axis-- > 0;) {
            start += row % dims[axis] * strides[axis];
            row /= dims[axis];
        }
        return start;
    }
};

template <class Index>
void checkIndices(const Plan& plan, const Index* indices, int64_t count) {
    Index least = 0;
    Index most = 0;
    for (int64_t i = 0; i < count; ++i) {
        least = std::min(least, indices[i]);
        most = std::max(most, indices[i]);
    }
    if (count > 0) {
        countedIndex(least < 0 ? least : most, plan.length);
        countedIndex(most, plan.length);
    }
}

/// Threads begin after all indices were looked at: no error may leave one.
template <class Index>
void run(const Plan& plan, const void* data, const Index* indices, void* output, int64_t rows, int threads) {
    checkIndices(plan, indices, rows * plan.width);
    const int64_t bytes = rows * plan.width * static_cast<int64_t>(plan.size + sizeof(Index));
    dispatchSize(plan.size, [&]<class T>(std::type_identity<T>) {
        const T* from = static_cast<const T*>(data);
        T* to = static_cast<T*>(output);
        parallelRange(threadsFor(threads, bytes), rows, [&](int64_t begin, int64_t end, int) {
            for (int64_t row = begin; row < end; ++row) {
                const T* start = from + plan.startOf(row);
                for (int64_t k = 0; k < plan.width; ++k) {
                    const int64_t index = indices[row * plan.width + k];
                    const int64_t place = index < 0 ? index + plan.length : index;
                    to[row * plan.width + k] = start[place * plan.stride + k * plan.step];
                }
            }
        });
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
    plan.length = dims[axis];
    plan.stride = std::exchange(plan.strides[axis], 0);
    plan.width = plan.dims.back();
    plan.step = plan.strides.back();
    plan.dims.pop_back();
    plan.strides.pop_back();
    const int64_t all = builder.elements(indices);
    const int64_t rows = all == 0 ? 0 : all / plan.width;
    const bool isWide = builder.element(indices) == DataType::int64;
    Step step{.kernel = "gather elements",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(data), builder.takeRowMajor(indices)},
              .outputs = {builder.defineRowMajor(node.node().outputs[0])}};
    step.code = [plan, rows, isWide, threads = builder.threads()](StepContext& context) {
        const auto* from = context.input<void>(0);
        if (isWide) {
            run(plan, from, context.input<int64_t>(1), context.output<void>(0), rows, threads);
        } else {
            run(plan, from, context.input<int32_t>(1), context.output<void>(0), rows, threads);
        }
    };
    builder.add(std::move(step));
}

const CpuKernel gatherElements{"GatherElements", "", accepts, prepare};
const Register<CpuKernel> registered{gatherElements};

}  // namespace
}  // namespace engine::cpu
