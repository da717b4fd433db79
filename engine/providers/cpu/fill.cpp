#include <algorithm>
#include <memory>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/element_loops.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/move_loops.h"
#include "engine/providers/cpu/parallel.h"

// ConstantOfShape and Range: results that are made of a number or two.

namespace engine::cpu {
namespace {

Support acceptsConstant(const NodeView& node) {
    if (node.outputType(0).element == DataType::string) return Support::no("no tuned kernel for strings");
    return Support::yes();
}

/// A float that is repeated costs nothing until a chain reads it.
void prepareConstant(CpuBuilder& builder, const NodeView& node) {
    const ValueId output = node.node().outputs[0];
    Tensor value = node.read().maybeTensor("value").value_or(Tensor::scalar(0.0F)).reshaped({});
    const DataType element = value.type();
    if (element == DataType::float32 && !builder.isNeededOutside(output)) {
        const ValueId number = builder.addValue(std::move(value));
        return builder.keepBack(output,
                                {.function = Function::copy, .inputs = {number}, .nodes = {node.id()}});
    }
    Step step{.kernel = text("fill with ", element),
              .nodes = {node.id()},
              .inputs = {builder.addConstant(std::move(value), "")},
              .outputs = {builder.defineRowMajor(output)}};
    step.code = [size = bytesInMemory(element), count = builder.elements(output),
                 threads = builder.threads()](StepContext& context) {
        const auto width = static_cast<int64_t>(size);
        auto* to = context.output<char>(0);
        parallelRange(threadsFor(threads, count * width), count, [&](int64_t begin, int64_t end, int) {
            copyStretch(size, context.input<void>(0), 0, end - begin, to + begin * width);
        });
    };
    builder.add(std::move(step));
}

Support acceptsRange(const NodeView& node) {
    const DataType element = node.inputElement(0);
    const bool isUniform = node.inputCount() == 3 && node.inputElement(1) == element &&
                           node.inputElement(2) == element && node.outputType(0).element == element;
    if (!isUniform) return Support::no("start, limit, delta and result are of several types");
    return hasRange(element) ? Support::yes() : Support::no("no tuned kernel for ", element);
}

void prepareRange(CpuBuilder& builder, const NodeView& node) {
    const std::vector<ValueId>& inputs = node.node().inputs;
    const ValueId output = node.node().outputs[0];
    const DataType element = builder.element(output);
    Step step{.kernel = text("range of ", element),
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(inputs[0]), builder.takeRowMajor(inputs[2])},
              .outputs = {builder.defineRowMajor(output)}};
    step.code = [element, count = builder.elements(output),
                 threads = builder.threads()](StepContext& context) {
        const auto width = static_cast<int64_t>(bytesInMemory(element));
        auto* to = context.output<char>(0);
        parallelRange(threadsFor(threads, count * width), count, [&](int64_t begin, int64_t end, int) {
            rangeStretch(element, context.input<void>(0), context.input<void>(1), begin, to + begin * width,
                         end - begin);
        });
    };
    builder.add(std::move(step));
}

const CpuKernel constantOfShape{"ConstantOfShape", "", acceptsConstant, prepareConstant};
const CpuKernel range{"Range", "", acceptsRange, prepareRange};
const Register<CpuKernel> registered[] = {Register{constantOfShape}, Register{range}};

}  // namespace
}  // namespace engine::cpu
