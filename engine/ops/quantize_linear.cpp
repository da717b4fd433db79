#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis = 1;
    int64_t blockSize = 0;
    bool saturate = true;
    DataType output = DataType::undefined;
    DataType precision = DataType::undefined;
};

// 0 stands for "not given" in these attributes.
DataType readType(const AttributeReader& reader, const char* name) {
    if (reader.integer(name, 0) == 0) return DataType::undefined;
    return reader.dataType(name, DataType::undefined);
}

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.axis = reader.integer("axis", 1),
                                .blockSize = reader.integer("block_size", 0),
                                .saturate = reader.integer("saturate", 1) != 0,
                                .output = readType(reader, "output_dtype"),
                                .precision = readType(reader, "precision")};
    if (attributes.blockSize < 0) fail("block_size: found ", attributes.blockSize, ", expected none below 0");
    return attributes;
}

DataType outputType(const Attributes& attributes, DataType zeroPoint) {
    if (zeroPoint == DataType::undefined) {
        return attributes.output == DataType::undefined ? DataType::uint8 : attributes.output;
    }
    if (attributes.output != DataType::undefined && attributes.output != zeroPoint) {
        fail("output_dtype: found ", attributes.output, ", expected ", zeroPoint, " as y_zero_point has");
    }
    return zeroPoint;
}

void infer(InferContext& context) {
    const DataType zeroPoint = context.hasInput(2) ? context.inputElement(2) : DataType::undefined;
    Type type = context.inputType(0);
    type.element = outputType(context.attributes<Attributes>(), zeroPoint);
    context.setOutput(0, std::move(type));
}

// x / scale, rounded to the type in which the division is to be done.
double divided(double x, double scale, DataType precision) {
    const auto ratio = static_cast<float>(x) / static_cast<float>(scale);
    if (precision == DataType::float16) return Float16(ratio);
    if (precision == DataType::bfloat16) return BFloat16(ratio);
    return ratio;
}

template <class T>
struct IsMiniFloat : std::false_type {};
template <class Format>
struct IsMiniFloat<MiniFloat<Format>> : std::true_type {};

template <class T>
T quantized(double ratio, double zeroPoint, bool saturate) {
    if constexpr (IsMiniFloat<T>::value) {
        return T(static_cast<float>(ratio + zeroPoint),
                 saturate ? Overflow::saturate : Overflow::toInfinityOrNan);
    } else {
        return quantizedInteger<T>(ratio, zeroPoint);
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const Tensor& scale = context.input(1);
    const Tensor* zeroPoint = context.hasInput(2) ? &context.input(2) : nullptr;
    const Granularity granularity(x.dims(), scale.dims(), attributes.axis, attributes.blockSize);
    const Grid grid = gridOf(scale, zeroPoint);
    const DataType precision =
        attributes.precision == DataType::undefined ? scale.type() : attributes.precision;
    const DataType type =
        outputType(attributes, zeroPoint == nullptr ? DataType::undefined : zeroPoint->type());
    Tensor& y = context.output(0, type, x.dims());
    const std::vector<double> values = x.toDouble();
    dispatchAmong<uint8_t, int8_t, uint16_t, int16_t, UInt4, Int4, UInt2, Int2, Float8E4M3FN, Float8E4M3FNUZ,
                  Float8E5M2, Float8E5M2FNUZ, Float4E2M1, Float6E2M3, Float6E3M2>(
        type, [&]<typename T>(std::type_identity<T>) {
            const auto output = y.mutableValues<T>();
            Pace pace(context);
            for (size_t i = 0; i < values.size(); ++i) {
                const size_t at = granularity.at(i);
                output[i] = quantized<T>(divided(values[i], grid.scales[at], precision), grid.zeroPoints[at],
                                         attributes.saturate);
                pace.spend(4);
            }
        });
}

const OpDef quantizeLinear{
    .name = "QuantizeLinear",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
};
const Register<OpDef> registered{quantizeLinear};

const OpDef microsoftQuantizeLinear{
    .name = "QuantizeLinear",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftQuantizeLinear};

}  // namespace
}  // namespace engine
