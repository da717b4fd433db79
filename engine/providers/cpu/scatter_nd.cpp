#include <cstring>

#include "engine/core/dispatch.h"
#include "engine/ops/indices.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    if (node.inputElement(2) != node.inputElement(0)) return Support::no("updates are of another type");
    if (node.inputElement(1) != DataType::int64) return Support::no("indices are ", node.inputElement(1));
    const std::string reduction = node.read().string("reduction", "none");
    if (reduction != "none") return Support::no("updates are joined by '", reduction, "'");
    return Support::yes();
}

/// Slices of `length` elements put where tuples of indices say.
struct Plan {
    Dims dims = {};     ///< of the axes that a tuple names
    Dims strides = {};  ///< elements
    int64_t tuples = 0;
    int64_t length = 1;
    int64_t all = 1;  ///< elements of the data
    size_t size = 1;  ///< bytes of an element
};

/// Where each slice starts, in elements, before anything is written: no error may leave a thread.
void findStarts(const Plan& plan, const int64_t* indices, int64_t* starts) {
    const size_t depth = plan.dims.size();
    for (int64_t tuple = 0; tuple < plan.tuples; ++tuple) {
        int64_t start = 0;
        for (size_t axis = 0; axis < depth; ++axis) {
            start += countedIndex(*indices++, plan.dims[axis]) * plan.strides[axis];
        }
        starts[tuple] = start;
    }
}

/// Where places repeat the last slice stays, so threads share the slices' elements, not the slices.
void putSlices(const Plan& plan, const int64_t* starts, const char* updates, char* to, int threads) {
    if (plan.length == 1) {
        return dispatchSize(plan.size, [&]<class T>(std::type_identity<T>) {
            const T* from = reinterpret_cast<const T*>(updates);
            T* target = reinterpret_cast<T*>(to);
            for (int64_t tuple = 0; tuple < plan.tuples; ++tuple) target[starts[tuple]] = from[tuple];
        });
    }
    const auto size = static_cast<int64_t>(plan.size);
    const int64_t bytes = plan.tuples * plan.length * size;
    parallelRange(threadsFor(threads, bytes), plan.length, [&](int64_t begin, int64_t end, int) {
        for (int64_t tuple = 0; tuple < plan.tuples; ++tuple) {
            std::memcpy(to + (starts[tuple] + begin) * size, updates + (tuple * plan.length + begin) * size,
                        (end - begin) * size);
        }
    });
}

void run(const Plan& plan, StepContext& context, int threads) {
    auto* starts = static_cast<int64_t*>(context.workspace());
    findStarts(plan, context.input<int64_t>(1), starts);
    const auto* data = context.input<char>(0);
    auto* to = context.output<char>(0);
    const int64_t bytes = plan.all * static_cast<int64_t>(plan.size);
    if (data != to) {
        parallelRange(threadsFor(threads, bytes), bytes, [&](int64_t begin, int64_t end, int) {
            std::memcpy(to + begin, data + begin, end - begin);
        });
    }
    putSlices(plan, starts, context.input<char>(2), to, threads);
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const std::vector<ValueId>& inputs = node.node().inputs;
    const Dims& dims = builder.dims(inputs[0]);
    Dims expected = builder.dims(inputs[1]);
    const bool isTuple = !expected.empty() && expected.back() <= static_cast<int64_t>(dims.size());
    if (!isTuple || builder.elements(inputs[2]) == 0) return builder.addReference(node.id());
    const auto depth = static_cast<ptrdiff_t>(expected.back());
    expected.pop_back();
    Plan plan{.dims = Dims(dims.begin(), dims.begin() + depth),
              .strides = strides(rowMajor(dims.size()), dims),
              .all = builder.elements(inputs[0]),
              .size = bytesInMemory(builder.element(inputs[0]))};
    expected.insert(expected.end(), dims.begin() + depth, dims.end());
    if (builder.dims(inputs[2]) != expected) return builder.addReference(node.id());
    for (auto dim = dims.begin() + depth; dim != dims.end(); ++dim) plan.length *= *dim;
    plan.tuples = builder.elements(inputs[2]) / plan.length;
    Step step{.kernel = "scatter slices", .nodes = {node.id()}};
    for (const ValueId input : inputs) step.inputs.push_back(builder.takeRowMajor(input));
    step.outputs = {builder.defineRowMajor(node.node().outputs[0])};
    step.inPlace = {{0, 0}};
    step.workspaceBytes = static_cast<size_t>(plan.tuples) * sizeof(int64_t);
    step.code = [plan, threads = builder.threads()](StepContext& context) { run(plan, context, threads); };
    builder.add(std::move(step));
}

const CpuKernel scatterNd{"ScatterND", "", accepts, prepare};
const Register<CpuKernel> registered{scatterNd};

}  // namespace
}  // namespace engine::cpu
