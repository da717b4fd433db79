#pragma once

#include <optional>
#include <vector>

#include "engine/ops/activation.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {

/// What FusedMatMul adds to MatMul, which has none of it: A and B read transposed (their last two axes
/// swapped), or with their batch axes behind the first matrix axis ("batch": [m, batch…, k]); the product
/// scaled; a function of the result.
struct MatMulAttributes {
    bool transposeA = false;
    bool transposeB = false;
    bool transposeBatchA = false;
    bool transposeBatchB = false;
    float alpha = 1;
    Activation activation = {};
};

/// Element strides by which a kernel reads a matrix, transposed or not.
struct MatrixView {
    int64_t rows = 0;
    int64_t columns = 0;
    int64_t rowStride = 0;
    int64_t columnStride = 0;

    MatrixView transposed() const { return {columns, rows, columnStride, rowStride}; }
};

/// Adds a * b to the row-major matrix `sums` of a.rows by b.columns. The inner loop runs along a row of b and
/// of the result.
template <class Sum>
void addProduct(const Sum* a, const MatrixView& aView, const Sum* b, const MatrixView& bView, Sum* sums,
                Pace& pace) {
    for (int64_t i = 0; i < aView.rows; ++i) {
        Sum* to = sums + i * bView.columns;
        for (int64_t k = 0; k < aView.columns; ++k) {
            const Sum factor = a[i * aView.rowStride + k * aView.columnStride];
            const Sum* from = b + k * bView.rowStride;
            if (bView.columnStride == 1) {
                for (int64_t j = 0; j < bView.columns; ++j) to[j] += factor * from[j];
            } else {
                for (int64_t j = 0; j < bView.columns; ++j) to[j] += factor * from[j * bView.columnStride];
            }
            pace.spend(bView.columns);
        }
    }
}

/// How a product of two stacks of matrices, broadcast against each other as numpy does, walks through its
/// inputs.
struct BatchedProduct {
    /// One factor: its matrices, and the dims and element strides of the axes along which they are stacked.
    struct Factor {
        MatrixView matrix = {};
        Dims batch = {};
        Dims batchStrides = {};
    };

    Factor a = {};
    Factor b = {};
    Dims stack = {};  ///< the stack axes of the result
    Dims outputDims = {};
};

/// Throws Error if the inner sizes differ or the stacks do not broadcast.
BatchedProduct batchedProduct(const MatMulAttributes& attributes, const Dims& a, const Dims& b);

/// The shape of the product of matrices, or stacks of them, of these shapes. Throws Error as batchedProduct
/// does.
Shape matMulShape(const MatMulAttributes& attributes, const Shape& a, const Shape& b);
/// Multiply-adds of a MatMul-like operator whose first factor is input 0.
Dim matMulMultiplyAdds(const WorkContext& context, const MatMulAttributes& attributes);

void inferMatMul(InferContext& context);
Work matMulWork(const WorkContext& context);
void matMulReference(KernelContext& context);

}  // namespace engine
