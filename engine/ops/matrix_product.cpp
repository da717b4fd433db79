#include "engine/ops/matrix_product.h"

#include <algorithm>
#include <numeric>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/offsets.h"
#include "engine/ops/sum_type.h"

namespace engine {
namespace {

enum class Side : uint8_t { left, right };

// The order in which a factor's axes are read: stack axes, row, column. A vector has one axis.
std::vector<size_t> axisOrder(const MatMulAttributes& attributes, Side side, size_t rank) {
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), size_t{0});
    if (rank < 2) return order;
    const bool isLeft = side == Side::left;
    if (isLeft ? attributes.transposeBatchA : attributes.transposeBatchB) {
        std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    }
    if (isLeft ? attributes.transposeA : attributes.transposeB) std::swap(order[rank - 2], order[rank - 1]);
    return order;
}

// A vector stands for a row on the left and for a column on the right.
struct MatrixShape {
    Shape stack;
    Dim rows = 1;
    Dim columns = 1;
};

MatrixShape matrixShape(const MatMulAttributes& attributes, Side side, const Shape& shape) {
    if (shape.empty()) fail("MatMul: found a scalar, expected a vector or matrices");
    const std::vector<size_t> order = axisOrder(attributes, side, shape.size());
    if (shape.size() == 1) {
        return side == Side::left ? MatrixShape{{}, 1, shape[0]} : MatrixShape{{}, shape[0], 1};
    }
    MatrixShape result;
    for (size_t i = 0; i + 2 < order.size(); ++i) result.stack.push_back(shape[order[i]]);
    result.rows = shape[order[order.size() - 2]];
    result.columns = shape[order.back()];
    return result;
}

BatchedProduct::Factor factorOf(const MatMulAttributes& attributes, Side side, const Dims& dims) {
    if (dims.size() == 1) {
        return {.matrix =
                    side == Side::left ? MatrixView{1, dims[0], dims[0], 1} : MatrixView{dims[0], 1, 1, 1}};
    }
    const Dims strides = rowMajorStrides(dims);
    const std::vector<size_t> order = axisOrder(attributes, side, dims.size());
    const size_t row = order[order.size() - 2];
    const size_t column = order.back();
    BatchedProduct::Factor factor{.matrix = {dims[row], dims[column], strides[row], strides[column]}};
    for (size_t i = 0; i + 2 < order.size(); ++i) {
        factor.batch.push_back(dims[order[i]]);
        factor.batchStrides.push_back(strides[order[i]]);
    }
    return factor;
}

}  // namespace

Shape matMulShape(const MatMulAttributes& attributes, const Shape& a, const Shape& b) {
    const MatrixShape left = matrixShape(attributes, Side::left, a);
    const MatrixShape right = matrixShape(attributes, Side::right, b);
    agreed(left.columns, right.rows, "MatMul: columns of A and rows of B");
    Shape shape = broadcast(left.stack, right.stack);
    if (a.size() > 1) shape.push_back(left.rows);
    if (b.size() > 1) shape.push_back(right.columns);
    return shape;
}

BatchedProduct batchedProduct(const MatMulAttributes& attributes, const Dims& a, const Dims& b) {
    BatchedProduct product{.outputDims = numbers(matMulShape(attributes, shapeOf(a), shapeOf(b))).value()};
    product.a = factorOf(attributes, Side::left, a);
    product.b = factorOf(attributes, Side::right, b);
    product.stack = numbers(broadcast(shapeOf(product.a.batch), shapeOf(product.b.batch))).value();
    return product;
}

Dim matMulMultiplyAdds(const WorkContext& context, const MatMulAttributes& attributes) {
    const std::optional<int64_t> rank = context.inputRank(0);
    if (!rank || *rank == 0) return {};
    const std::vector<size_t> order = axisOrder(attributes, Side::left, static_cast<size_t>(*rank));
    return context.outputElements(0) * context.inputDim(0, static_cast<int64_t>(order.back()));
}

void inferMatMul(InferContext& context) {
    const Shape* a = context.inputShape(0);
    const Shape* b = context.inputShape(1);
    if (a == nullptr || b == nullptr) return context.setOutput(0, context.inputElement(0));
    context.setOutput(0, context.inputElement(0),
                      matMulShape(context.attributes<MatMulAttributes>(), *a, *b));
}

Work matMulWork(const WorkContext& context) {
    const auto& attributes = context.attributes<MatMulAttributes>();
    Work work{.multiplyAdds = matMulMultiplyAdds(context, attributes)};
    if (attributes.alpha != 1) work.otherFlops += context.outputElements(0);
    if (attributes.activation.isSpecial()) work.specialFunctions = context.outputElements(0);
    return work;
}

namespace {

template <class T>
void multiply(KernelContext& context) {
    using Sum = SumType<T>;
    const auto& attributes = context.attributes<MatMulAttributes>();
    const BatchedProduct product =
        batchedProduct(attributes, context.input(0).dims(), context.input(1).dims());
    const Widened<T> a(context.input(0), "A");
    const Widened<T> b(context.input(1), "B");
    const auto output = context.output(0, product.outputDims).mutableValues<T>();
    if (output.empty()) return;

    const std::vector<int64_t> aOffsets =
        broadcastOffsets(product.stack, product.a.batch, product.a.batchStrides);
    const std::vector<int64_t> bOffsets =
        broadcastOffsets(product.stack, product.b.batch, product.b.batchStrides);
    std::vector<Sum> sums(static_cast<size_t>(product.a.matrix.rows * product.b.matrix.columns));
    Pace pace(context);
    auto to = output.begin();
    for (size_t i = 0; i < aOffsets.size(); ++i) {
        std::fill(sums.begin(), sums.end(), Sum{});
        addProduct(a.data() + aOffsets[i], product.a.matrix, b.data() + bOffsets[i], product.b.matrix,
                   sums.data(), pace);
        to = std::transform(sums.begin(), sums.end(), to, [&](Sum sum) {
            if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(sum);
            } else {
                return static_cast<T>(static_cast<Sum>(attributes.activation(attributes.alpha * sum)));
            }
        });
    }
}

}  // namespace

void matMulReference(KernelContext& context) {
    dispatchAmong<float, double, Float16, BFloat16, int32_t, int64_t, uint32_t, uint64_t>(
        context.input(0).type(), [&]<typename T>(std::type_identity<T>) { multiply<T>(context); });
}

}  // namespace engine
