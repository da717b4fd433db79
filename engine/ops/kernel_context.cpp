#include "engine/ops/kernel_context.h"

#include "engine/core/error.h"

namespace engine {

const Tensor& KernelContext::input(size_t index) const {
    if (index >= inputCount() || source_.inputs[index] == nullptr) fail("input ", index, " is missing");
    return source_.inputs[index]->tensor();
}

const Datum& KernelContext::inputDatum(size_t index) const {
    static const Datum nothing;
    return index < inputCount() && source_.inputs[index] != nullptr ? *source_.inputs[index] : nothing;
}

bool KernelContext::hasOutput(size_t index) const {
    return index < source_.outputs.size() && node().outputs[index].isValid();
}

DataType KernelContext::outputElement(size_t index) const {
    return index < source_.outputElements.size() ? source_.outputElements[index] : DataType::undefined;
}

Tensor& KernelContext::output(size_t index, const Dims& dims) {
    if (index >= source_.outputElements.size()) fail("output ", index, " has no inferred element type");
    return output(index, source_.outputElements[index], dims);
}

Tensor& KernelContext::output(size_t index, DataType element, const Dims& dims) {
    if (!hasOutput(index)) {
        if (scratch_.size() <= index) scratch_.resize(index + 1);
        scratch_[index] = Tensor::allocate(element, dims);
        return scratch_[index].tensor();
    }
    Datum& datum = source_.outputs[index];
    const bool fits = datum.isTensor() && datum.tensor().type() == element && datum.tensor().dims() == dims;
    if (!fits) datum = Tensor::allocate(element, dims);
    return datum.tensor();
}

void KernelContext::setOutput(size_t index, Datum datum) {
    if (hasOutput(index)) source_.outputs[index] = std::move(datum);
}

std::vector<Datum> KernelContext::runBody(size_t graphIndex, std::vector<Datum> inputs) const {
    if (source_.runBody == nullptr) fail("a body graph cannot be run here");
    return (*source_.runBody)(graphIndex, std::move(inputs));
}

std::vector<Datum> evaluate(const Node& node, const ResolvedNode& resolved,
                            std::span<const Datum* const> inputs, std::span<const DataType> outputElements,
                            Observer& observer) {
    if (resolved.op == nullptr) fail(resolved.problem);
    std::vector<Datum> outputs(node.outputs.size());
    KernelContext context({.node = &node,
                           .resolved = &resolved,
                           .inputs = inputs,
                           .outputs = outputs,
                           .outputElements = outputElements,
                           .observer = &observer});
    resolved.op->reference(context);
    return outputs;
}

}  // namespace engine
