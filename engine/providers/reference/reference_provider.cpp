#include <algorithm>
#include <cstring>

#include "engine/core/error.h"
#include "engine/providers/provider.h"

namespace engine {
namespace {

/// All that a kernel needs of its node, kept alive by the step's code.
struct KernelCode {
    std::function<void(KernelContext&)> run;
    std::shared_ptr<const Graph> graph;
    NodeId node;
    ResolvedNode resolved;
    size_t inputCount = 0;
    std::vector<DataType> outputElements;
    std::vector<char> isFixed;  ///< per output: the plan set a buffer aside, which must hold the result

    void operator()(StepContext& context) const {
        std::vector<const Datum*> inputs(inputCount, nullptr);
        for (size_t i = 0; i < inputCount; ++i) {
            if (context.hasInput(i)) inputs[i] = &context.inputDatum(i);
        }
        std::vector<Datum> outputs(outputElements.size());
        for (size_t i = 0; i < outputs.size(); ++i) {
            if (isFixed[i]) outputs[i] = context.outputDatum(i);
        }
        KernelContext kernel({.node = &graph->node(node),
                              .resolved = &resolved,
                              .inputs = inputs,
                              .outputs = outputs,
                              .outputElements = outputElements,
                              .runBody = context.bodyRunner(),
                              .observer = &context.observer(),
                              .seed = context.seed()});
        run(kernel);
        for (size_t i = 0; i < outputs.size(); ++i) {
            if (context.hasOutput(i)) deliver(context, i, std::move(outputs[i]));
        }
    }

private:
    void deliver(StepContext& context, size_t index, Datum result) const {
        if (!isFixed[index]) return context.setOutput(index, std::move(result));
        Tensor& planned = context.outputDatum(index).tensor();
        const Tensor& made = result.tensor();
        if (made.data() == planned.data()) return;
        if (made.type() != planned.type() || made.dims() != planned.dims()) {
            fail("output ", index, " came out as ", made.type(), listText(made.dims()),
                 ", the plan expected ", planned.type(), listText(planned.dims()));
        }
        std::memcpy(planned.mutableData(), made.data(), made.bytes());
    }
};

}  // namespace

void addKernelStep(PartitionBuilder& partition, NodeId id, std::string kernel,
                   std::function<void(KernelContext&)> run) {
    const TypedGraph& typed = partition.graph();
    const Node& node = typed.graph->node(id);
    KernelCode code{.run = std::move(run),
                    .graph = typed.graph,
                    .node = id,
                    .resolved = typed.nodes[id.index],
                    .inputCount = node.inputs.size(),
                    .outputElements = {},
                    .isFixed = {}};
    Step step{.kernel = std::move(kernel), .nodes = {id}};
    for (const ValueId input : node.inputs)
        step.inputs.push_back(input.isValid() ? partition.slot(input) : SlotId());
    for (const auto& [name, body] : subgraphs(node)) {
        for (const Capture& capture : body->captures) step.inputs.push_back(partition.slot(capture.outer));
    }
    for (const ValueId output : node.outputs) {
        const Type type = output.isValid() ? typed.types[output.index] : Type{};
        code.outputElements.push_back(type.element);
        code.isFixed.push_back(output.isValid() && type.isTensor() && type.hasStaticShape() &&
                                       type.element != DataType::string
                                   ? 1
                                   : 0);
        step.outputs.push_back(output.isValid() ? partition.slot(output) : SlotId());
    }
    step.code = std::move(code);
    partition.addStep(std::move(step));
}

namespace {

/// Runs every operator that has a definition, by its reference kernel. Always there: a plan exists for every
/// sound graph.
class ReferenceProvider final : public Provider {
public:
    ProviderInfo info() const override {
        return {.name = "reference", .device = "any CPU, one thread, plain loops"};
    }

    Support supports(const NodeView& node) const override {
        return node.isKnownOperator() ? Support::yes(0) : Support::no(node.resolved().problem);
    }

    bool hasKernel(const std::string& domain, const std::string& operatorType) const override {
        const std::vector<const OpDef*> all = Registry<OpDef>::instance().entries();
        return std::any_of(all.begin(), all.end(),
                           [&](const OpDef* op) { return domain == op->domain && operatorType == op->name; });
    }

    void compile(PartitionBuilder& partition, const CompileOptions&) const override {
        for (const NodeId id : partition.nodes()) {
            const NodeView view(partition.graph(), id);
            if (view.op().isView && view.inputDims(0) && view.outputDims(0)) {
                partition.addView(partition.slot(view.node().outputs[0]),
                                  partition.slot(view.node().inputs[0]), id);
            } else {
                addKernelStep(partition, id, "reference", view.op().reference);
            }
        }
    }
};

const ProviderEntry entry{.name = "reference", .make = []() -> std::unique_ptr<Provider> {
                              return std::make_unique<ReferenceProvider>();
                          }};
const Register<ProviderEntry> registered{entry};

}  // namespace
}  // namespace engine
