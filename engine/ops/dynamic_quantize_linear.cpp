#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    Type quantized = context.inputType(0);
    quantized.element = DataType::uint8;
    context.setOutput(0, std::move(quantized));
    context.setOutput(1, DataType::float32, Shape{});
    context.setOutput(2, DataType::uint8, Shape{});
}

Work work(const WorkContext& context) { return {.otherFlops = context.inputElements(0) * 3}; }

void reference(KernelContext& context) {
    const auto x = checkedValues<float>(context.input(0), "x");
    const DynamicGrid grid = dynamicGrid(x);
    const auto y = context.output(0, context.input(0).dims()).mutableValues<uint8_t>();
    for (size_t i = 0; i < x.size(); ++i) y[i] = grid.quantized(x[i]);
    context.output(1, {}).mutableValues<float>()[0] = grid.scale;
    context.output(2, {}).mutableValues<uint8_t>()[0] = grid.zeroPoint;
}

const OpDef dynamicQuantizeLinear{
    .name = "DynamicQuantizeLinear",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{dynamicQuantizeLinear};

}  // namespace
}  // namespace engine
