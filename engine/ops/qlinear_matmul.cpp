#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/offsets.h"
#include "engine/ops/quantization.h"

namespace engine {
namespace {

// Inputs: a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point.
void infer(InferContext& context) {
    const Shape* a = context.inputShape(0);
    const Shape* b = context.inputShape(3);
    const DataType element = context.inputElement(7);
    if (a == nullptr || b == nullptr) return context.setOutput(0, element);
    context.setOutput(0, element, matMulShape({}, *a, *b));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = matMulMultiplyAdds(context, {}), .otherFlops = context.outputElements(0)};
}

enum class Side : uint8_t { row, column };

// A list of parameters has one for each row of a, or column of b.
Dims parameterDims(const Tensor& parameter, Side side) {
    Dims dims = parameter.dims();
    if (dims.size() == 1 && side == Side::row) dims.push_back(1);
    return dims;
}

// (q - zero point) * scale for every element; exact until the product, and scales are taken as they are.
std::vector<double> dequantized(const KernelContext& context, size_t index, Side side, const char* what) {
    const Tensor& values = context.input(index);
    const Grid grid = gridOf(context.input(index + 1), &context.input(index + 2));
    const std::vector<int64_t> offsets =
        broadcastOffsets(values.dims(), parameterDims(context.input(index + 1), side), what);
    std::vector<double> result = values.toDouble();
    for (size_t i = 0; i < result.size(); ++i) {
        const auto at = static_cast<size_t>(offsets[i]);
        result[i] = (result[i] - grid.zeroPoints[at]) * grid.scales[at];
    }
    return result;
}

template <class T>
T requantized(double value, double zeroPoint) {
    if constexpr (std::is_integral_v<T>) {
        return quantizedInteger<T>(value, zeroPoint);
    } else {
        return T(static_cast<float>(value + zeroPoint));
    }
}

void reference(KernelContext& context) {
    const BatchedProduct product = batchedProduct({}, context.input(0).dims(), context.input(3).dims());
    const std::vector<double> a = dequantized(context, 0, Side::row, "a");
    const std::vector<double> b = dequantized(context, 3, Side::column, "b");
    const Grid grid = gridOf(context.input(6), &context.input(7));
    Tensor& y = context.output(0, context.input(7).type(), product.outputDims);
    if (y.elements() == 0) return;

    const auto aOffsets = broadcastOffsets(product.stack, product.a.batch, product.a.batchStrides);
    const auto bOffsets = broadcastOffsets(product.stack, product.b.batch, product.b.batchStrides);
    const int64_t size = product.a.matrix.rows * product.b.matrix.columns;
    std::vector<double> sums(static_cast<size_t>(y.elements()));
    Pace pace(context);
    for (size_t i = 0; i < aOffsets.size(); ++i) {
        addProduct(a.data() + aOffsets[i], product.a.matrix, b.data() + bOffsets[i], product.b.matrix,
                   sums.data() + static_cast<int64_t>(i) * size, pace);
    }
    const std::vector<int64_t> parameters =
        broadcastOffsets(product.outputDims, parameterDims(context.input(6), Side::row), "y_scale");
    dispatchAmong<uint8_t, int8_t, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ>(
        y.type(), [&]<typename T>(std::type_identity<T>) {
            const auto output = y.mutableValues<T>();
            for (size_t i = 0; i < sums.size(); ++i) {
                const auto at = static_cast<size_t>(parameters[i]);
                const auto ratio = static_cast<float>(sums[i] / grid.scales[at]);
                output[i] = requantized<T>(ratio, grid.zeroPoints[at]);
            }
        });
}

const OpDef qlinearMatMul{
    .name = "QLinearMatMul",
    .sinceVersion = 10,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{qlinearMatMul};

}  // namespace
}  // namespace engine
