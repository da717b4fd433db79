#include <cstring>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

/// Rows of `run` bytes picked along the middle of [outer, length, run].
struct Rows {
    int64_t outer = 1;
    int64_t length = 1;
    int64_t run = 1;
    int64_t count = 1;
};

template <class Index>
void gatherRows(const Rows& rows, const Index* indices, const char* from, char* to, int threads) {
    for (int64_t k = 0; k < rows.count; ++k) {
        if (indices[k] < -rows.length || indices[k] >= rows.length) {
            fail("indices: found ", indices[k], ", expected ", -rows.length, " to ", rows.length - 1);
        }
    }
    const int64_t total = rows.outer * rows.count;
    parallelRange(threadsFor(threads, total * rows.run), total, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const auto index = static_cast<int64_t>(indices[row % rows.count]);
            const int64_t at = row / rows.count * rows.length + (index < 0 ? index + rows.length : index);
            std::memcpy(to + row * rows.run, from + at * rows.run, rows.run);
        }
    });
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId data = node.node().inputs[0];
    const ValueId indices = node.node().inputs[1];
    const ValueId output = node.node().outputs[0];
    const Dims& dims = builder.dims(data);
    Rows rows;
    const int64_t picked = normalizedAxis(node.read().integer("axis", 0), static_cast<int64_t>(dims.size()));
    const AxisSplit split = splitAt(dims, static_cast<size_t>(picked));
    rows.outer = split.outer;
    rows.length = split.length;
    rows.run = split.inner * static_cast<int64_t>(bytesInMemory(builder.element(data)));
    rows.count = builder.elements(indices);
    const bool isWide = builder.element(indices) == DataType::int64;
    Step step{.kernel = "gather rows",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(data), builder.takeRowMajor(indices)},
              .outputs = {builder.defineRowMajor(output)}};
    step.code = [rows, isWide, threads = builder.threads()](StepContext& context) {
        const auto* from = context.input<char>(0);
        auto* to = context.output<char>(0);
        if (isWide) {
            gatherRows(rows, context.input<int64_t>(1), from, to, threads);
        } else {
            gatherRows(rows, context.input<int32_t>(1), from, to, threads);
        }
    };
    builder.add(std::move(step));
}

const CpuKernel gather{"Gather", "", acceptIndices, prepare};
const Register<CpuKernel> registered{gather};

}  // namespace
}  // namespace engine::cpu
