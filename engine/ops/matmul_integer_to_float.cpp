// DynamicQuantizeMatMul and MatMulIntegerToFloat of com.microsoft: products of 8-bit matrices as real
// numbers.

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/offsets.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

void inferAs(InferContext& context, DataType element) {
    const Shape* a = context.inputShape(0);
    const Shape* b = context.inputShape(1);
    if (a == nullptr || b == nullptr) return context.setOutput(0, element);
    context.setOutput(0, element, matMulShape({}, *a, *b));
}

void infer(InferContext& context) { inferAs(context, context.inputElement(2)); }
void inferDynamic(InferContext& context) { inferAs(context, DataType::float32); }

Work work(const WorkContext& context) {
    return {.multiplyAdds = matMulMultiplyAdds(context, {}), .otherFlops = context.outputElements(0)};
}

const Tensor* optionalInput(const KernelContext& context, size_t index) {
    return context.hasInput(index) ? &context.input(index) : nullptr;
}

/// The elements of a matrix less their zero points: one, or one for each column.
std::vector<double> centeredColumns(const Tensor& tensor, const Tensor* zeroPoint, const char* what) {
    std::vector<double> values = tensor.toDouble();
    if (zeroPoint == nullptr) return values;
    const std::vector<double> zeros = zeroPoint->toDouble();
    const std::vector<int64_t> places =
        broadcastOffsets(tensor.dims(), zeroPoint->elements() == 1 ? Dims{} : zeroPoint->dims(), what);
    for (size_t i = 0; i < values.size(); ++i) values[i] -= zeros[static_cast<size_t>(places[i])];
    return values;
}

struct Factors {
    std::vector<double> a = {};
    std::vector<double> b = {};
    double aScale = 1;
    const Tensor* bScale = nullptr;
    const Tensor* bias = nullptr;
    DataType result = DataType::float32;
};

void multiply(KernelContext& context, const Factors& factors) {
    const BatchedProduct product = batchedProduct({}, context.input(0).dims(), context.input(1).dims());
    Tensor& output = context.output(0, factors.result, product.outputDims);
    if (output.elements() == 0) return;
    std::vector<double> sums(static_cast<size_t>(output.elements()), 0);
    const auto aOffsets = broadcastOffsets(product.stack, product.a.batch, product.a.batchStrides);
    const auto bOffsets = broadcastOffsets(product.stack, product.b.batch, product.b.batchStrides);
    const int64_t size = product.a.matrix.rows * product.b.matrix.columns;
    Pace pace(context);
    for (size_t i = 0; i < aOffsets.size(); ++i) {
        addProduct(factors.a.data() + aOffsets[i], product.a.matrix, factors.b.data() + bOffsets[i],
                   product.b.matrix, sums.data() + static_cast<int64_t>(i) * size, pace);
    }
    const std::vector<double> scales = factors.bScale->toDouble();
    const auto scaleAt =
        broadcastOffsets(product.outputDims, scales.size() == 1 ? Dims{} : factors.bScale->dims(), "b_scale");
    std::vector<double> bias{0};
    std::vector<int64_t> biasAt(sums.size(), 0);
    if (factors.bias != nullptr) {
        bias = factors.bias->toDouble();
        biasAt = broadcastOffsets(product.outputDims, factors.bias->dims(), "bias");
    }
    dispatchFloat(factors.result, [&]<typename T>(std::type_identity<T>) {
        const auto to = output.mutableValues<T>();
        for (size_t i = 0; i < sums.size(); ++i) {
            const double scale = factors.aScale * scales[static_cast<size_t>(scaleAt[i])];
            to[i] = static_cast<T>(sums[i] * scale + bias[static_cast<size_t>(biasAt[i])]);
        }
    });
}

// Inputs: A, B, their scales, their zero points, bias.
void integerToFloat(KernelContext& context) {
    const std::vector<double> aScale = context.input(2).toDouble();
    if (aScale.size() != 1) failNotSingle(context.input(2), "a_scale");
    multiply(context, {.a = centeredColumns(context.input(0), optionalInput(context, 4), "a_zero_point"),
                       .b = centeredColumns(context.input(1), optionalInput(context, 5), "b_zero_point"),
                       .aScale = aScale[0],
                       .bScale = &context.input(3),
                       .bias = optionalInput(context, 6),
                       .result = context.input(2).type()});
}

// Inputs: A of floats, which is quantized as DynamicQuantizeLinear does; B, its scale and zero point, bias.
void dynamic(KernelContext& context) {
    const auto a = checkedValues<float>(context.input(0), "A");
    const DynamicGrid grid = dynamicGrid(a);
    std::vector<double> quantized;
    quantized.reserve(a.size());
    for (const float value : a) {
        quantized.push_back(static_cast<double>(grid.quantized(value)) - static_cast<double>(grid.zeroPoint));
    }
    multiply(context, {.a = std::move(quantized),
                       .b = centeredColumns(context.input(1), optionalInput(context, 3), "b_zero_point"),
                       .aScale = static_cast<double>(grid.scale),
                       .bScale = &context.input(2),
                       .bias = optionalInput(context, 4)});
}

const OpDef table[] = {
    {.name = "MatMulIntegerToFloat",
     .sinceVersion = 1,
     .attributes = noAttributes,
     .infer = infer,
     .work = work,
     .reference = integerToFloat,
     .domain = "com.microsoft"},
    {.name = "DynamicQuantizeMatMul",
     .sinceVersion = 1,
     .attributes = noAttributes,
     .infer = inferDynamic,
     .work = work,
     .reference = dynamic,
     .domain = "com.microsoft"},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
