#include <algorithm>
#include <optional>

#include "engine/ops/reduction.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/rows.h"
#include "engine/providers/cpu/whole_loops.h"

namespace engine::cpu {
namespace {

struct Row {
    const char* operatorType;
    Reduction reduction;
};
constexpr Row rows[] = {
    {"ReduceSum", Reduction::sum},
    {"ReduceMean", Reduction::mean},
    {"ReduceMax", Reduction::maximum},
    {"ReduceMin", Reduction::minimum},
    {"ReduceL1", Reduction::l1},
    {"ReduceL2", Reduction::l2},
    {"ReduceSumSquare", Reduction::sumSquare},
    {"GlobalAveragePool", Reduction::mean},
    {"GlobalMaxPool", Reduction::maximum},
};

Reduction reductionOf(const NodeView& node) {
    return std::find_if(std::begin(rows), std::end(rows),
                        [&](const Row& row) { return node.node().operatorType == row.operatorType; })
        ->reduction;
}

Support accepts(const NodeView& node) {
    const DataType type = node.inputElement(0);
    if (type != DataType::float32 && !hasWholeReduction(reductionOf(node), type)) {
        return Support::no("no tuned kernel for ", type);
    }
    if (node.hasInput(1) && node.constant(1) == nullptr)
        return Support::no("axes are known only at run time");
    return Support::yes();
}

bool isGlobalPool(const NodeView& node) { return node.node().operatorType.rfind("Global", 0) == 0; }

std::vector<char> axesOf(const NodeView& node, size_t rank) {
    if (isGlobalPool(node)) {
        std::vector<char> isReduced(rank, 0);
        std::fill(isReduced.begin() + 2, isReduced.end(), 1);
        return isReduced;
    }
    const std::vector<int64_t> axes = node.hasInput(1) ? node.constant(1)->toInt64() : std::vector<int64_t>();
    return reducedAxes(readReduction(node.read()), axes, rank);
}

/// The order of the result: the input's, without the reduced axes or with them as ones.
Order orderAfter(const Order& order, const std::vector<char>& isReduced, bool keepsAxes) {
    if (keepsAxes) return order;
    std::vector<int> newAxis(isReduced.size(), -1);
    int next = 0;
    for (size_t axis = 0; axis < isReduced.size(); ++axis) {
        if (isReduced[axis] == 0) newAxis[axis] = next++;
    }
    Order result;
    for (const int axis : order) {
        if (isReduced[axis] == 0) result.push_back(newAxis[axis]);
    }
    return result;
}

/// The reduction as [outer, reduced, inner] of the memory, if the reduced axes lie side by side.
std::optional<ReduceSpace> spaceOf(const Order& order, const Dims& dims, const std::vector<char>& isReduced) {
    ReduceSpace space;
    int phase = 0;
    for (const int axis : order) {
        if (dims[axis] == 1) continue;
        if (isReduced[axis] != 0) {
            if (phase == 2) return {};
            phase = 1;
            space.reduced *= dims[axis];
        } else if (phase == 0) {
            space.outer *= dims[axis];
        } else {
            phase = 2;
            space.inner *= dims[axis];
        }
    }
    return space;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const Dims& dims = builder.dims(input);
    const std::vector<char> isReduced = axesOf(node, dims.size());
    const bool keepsAxes = builder.dims(output).size() == dims.size();
    const DataType type = builder.element(input);
    Order order = builder.orderOf(input);
    auto space = spaceOf(order, dims, isReduced);
    if (!space) {
        order = rowMajor(dims.size());
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return isReduced[a] < isReduced[b]; });
        space = spaceOf(order, dims, isReduced);
    }
    Step step{.kernel = text("highway ", node.node().operatorType, space->inner == 1 ? " rows" : " columns"),
              .nodes = {node.id()},
              .inputs = {builder.take(input, order)},
              .outputs = {builder.define(output, orderAfter(order, isReduced, keepsAxes))}};
    step.code = [space = *space, type, reduction = reductionOf(node),
                 threads = builder.threads()](StepContext& context) {
        if (type != DataType::float32) {
            return reduceWhole(reduction, type, space, context.input<void>(0), context.output<void>(0),
                               threads);
        }
        reduce(reduction, space, context.input<float>(0), context.output<float>(0), threads);
    };
    builder.add(std::move(step));
}

struct All {
    CpuKernel kernels[std::size(rows)];
    All() {
        for (size_t index = 0; index < std::size(rows); ++index) {
            kernels[index] = {rows[index].operatorType, "", accepts, prepare};
            Registry<CpuKernel>::instance().add(kernels[index]);
        }
    }
};
const All all;

}  // namespace
}  // namespace engine::cpu
