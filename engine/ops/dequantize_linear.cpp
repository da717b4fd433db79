#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis = 1;
    int64_t blockSize = 0;
    DataType output = DataType::undefined;
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.axis = reader.integer("axis", 1), .blockSize = reader.integer("block_size", 0)};
    if (attributes.blockSize < 0) fail("block_size: found ", attributes.blockSize, ", expected none below 0");
    if (reader.integer("output_dtype", 0) != 0) {
        attributes.output = reader.dataType("output_dtype", DataType::undefined);
    }
    return attributes;
}

DataType outputType(const Attributes& attributes, DataType scale) {
    return attributes.output == DataType::undefined ? scale : attributes.output;
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = outputType(context.attributes<Attributes>(), context.inputElement(1));
    context.setOutput(0, std::move(type));
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const Tensor& scale = context.input(1);
    const Tensor* zeroPoint = context.hasInput(2) ? &context.input(2) : nullptr;
    if (zeroPoint != nullptr) checkElement(*zeroPoint, x.type(), "x_zero_point");
    const Granularity granularity(x.dims(), scale.dims(), attributes.axis, attributes.blockSize);
    const Grid grid = gridOf(scale, zeroPoint);
    const DataType type = outputType(attributes, scale.type());
    Tensor& y = context.output(0, type, x.dims());
    const std::vector<double> values = x.toDouble();
    dispatchFloat(type, [&]<typename T>(std::type_identity<T>) {
        const auto output = y.mutableValues<T>();
        Pace pace(context);
        for (size_t i = 0; i < values.size(); ++i) {
            const size_t at = granularity.at(i);
            output[i] = static_cast<T>((values[i] - grid.zeroPoints[at]) * grid.scales[at]);
            pace.spend(4);
        }
    });
}

const OpDef dequantizeLinear{
    .name = "DequantizeLinear",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
};
const Register<OpDef> registered{dequantizeLinear};

const OpDef microsoftDequantizeLinear{
    .name = "DequantizeLinear",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftDequantizeLinear};

}  // namespace
}  // namespace engine
