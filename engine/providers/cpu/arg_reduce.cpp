#include "engine/ops/attribute_reader.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.inputElement(0) == DataType::float32) return Support::yes();
    return Support::no("no tuned kernel for ", node.inputElement(0));
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const Dims& dims = builder.dims(input);
    if (dims.empty()) return builder.addReference(node.id());
    const int64_t axis = normalizedAxis(node.read().integer("axis", 0), static_cast<int64_t>(dims.size()));
    const AxisSplit split = splitAt(dims, static_cast<size_t>(axis));
    if (split.length > INT32_MAX) return builder.addReference(node.id());
    const ReduceSpace space{split.outer, split.length, split.inner};
    const ArgChoice choice{.isMaximum = node.node().operatorType == "ArgMax",
                           .takesLast = node.read().integer("select_last_index", 0) != 0};
    Step step{.kernel = text("highway ", node.node().operatorType, space.inner == 1 ? " rows" : " columns"),
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(input)},
              .outputs = {builder.defineRowMajor(node.node().outputs[0])}};
    step.code = [space, choice, threads = builder.threads()](StepContext& context) {
        argReduce(choice, space, context.input<float>(0), context.output<int64_t>(0), threads);
    };
    builder.add(std::move(step));
}

const CpuKernel argMax{"ArgMax", "", accepts, prepare};
const CpuKernel argMin{"ArgMin", "", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{argMax}, Register{argMin}};

}  // namespace
}  // namespace engine::cpu
