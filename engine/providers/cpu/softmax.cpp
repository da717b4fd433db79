#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

/// Softmax over one axis in whatever order the input lies; before opset 13 over all axes from `axis` on.
void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const Dims& dims = builder.dims(input);
    const auto rank = static_cast<int64_t>(dims.size());
    const bool isOld = node.node().version < 13;
    const int64_t wanted = node.read().integer("axis", isOld ? 1 : -1);
    if (isOld && wanted == rank && rank > 0) return builder.addReference(node.id());
    const int64_t axis = rank == 0 ? 0 : normalizedAxis(wanted, rank);
    Order order = isOld ? rowMajor(dims.size()) : builder.orderOf(input);
    ReduceSpace space;
    bool isBehind = false;
    for (const int at : order) {
        const bool isReduced = isOld ? at >= axis : at == axis;
        if (isReduced) {
            space.reduced *= dims[at];
            isBehind = true;
        } else if (isBehind) {
            space.inner *= dims[at];
        } else {
            space.outer *= dims[at];
        }
    }
    const SoftmaxKind kind =
        node.node().operatorType == "Softmax" ? SoftmaxKind::plain : SoftmaxKind::logarithm;
    Step step{.kernel = text("highway ", kind == SoftmaxKind::plain ? "softmax" : "log softmax",
                             space.inner == 1 ? " rows" : " columns"),
              .nodes = {node.id()},
              .inputs = {builder.take(input, order)},
              .outputs = {builder.define(output, order)},
              .inPlace = {{0, 0}}};
    step.code = [kind, space, threads = builder.threads()](StepContext& context) {
        softmax(kind, space, context.input<float>(0), context.output<float>(0), threads);
    };
    builder.add(std::move(step));
}

const CpuKernel softmaxKernel{"Softmax", "", acceptFloat, prepare};
const CpuKernel logSoftmax{"LogSoftmax", "", acceptFloat, prepare};
const Register<CpuKernel> registered[] = {Register{softmaxKernel}, Register{logSoftmax}};

}  // namespace
}  // namespace engine::cpu
