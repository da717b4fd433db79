#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, context.inputElement(0));
    if (input->size() < 2) fail("X: found rank ", input->size(), ", expected at least 2");
    agreed(input->back(), (*input)[input->size() - 2], "rows and columns of X");
    context.setOutput(0, context.inputElement(0), Shape(input->begin(), input->end() - 2));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = floorDiv(context.inputElements(0) * context.inputDim(0, -1), Dim(3))};
}

/// By Gaussian elimination with the largest pivot of each column.
double determinant(std::vector<double> matrix, size_t size, Pace& pace) {
    double result = 1;
    for (size_t column = 0; column < size; ++column) {
        size_t pivot = column;
        for (size_t row = column + 1; row < size; ++row) {
            const bool isLarger =
                std::abs(matrix[row * size + column]) > std::abs(matrix[pivot * size + column]);
            if (isLarger) pivot = row;
        }
        if (pivot != column) {
            for (size_t i = 0; i < size; ++i) std::swap(matrix[pivot * size + i], matrix[column * size + i]);
            result = -result;
        }
        const double diagonal = matrix[column * size + column];
        result *= diagonal;
        if (diagonal == 0) return result;
        for (size_t row = column + 1; row < size; ++row) {
            const double factor = matrix[row * size + column] / diagonal;
            for (size_t i = column; i < size; ++i) {
                matrix[row * size + i] -= factor * matrix[column * size + i];
            }
        }
        pace.spend(static_cast<int64_t>((size - column) * (size - column)));
    }
    return result;
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 2, "X");
    const auto size = static_cast<size_t>(input.dims().back());
    if (input.dims()[input.dims().size() - 2] != input.dims().back()) {
        fail("X: found shape ", listText(input.dims()), ", expected square matrices");
    }
    Tensor& output = context.output(0, Dims(input.dims().begin(), input.dims().end() - 2));
    const std::vector<double> values = input.toDouble();
    Pace pace(context);
    dispatchFloat(input.type(), [&]<typename T>(std::type_identity<T>) {
        auto from = values.begin();
        for (T& value : output.mutableValues<T>()) {
            const auto end = from + static_cast<ptrdiff_t>(size * size);
            value = static_cast<T>(determinant({from, end}, size, pace));
            from = end;
        }
    });
}

const OpDef det{
    .name = "Det",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{det};

}  // namespace
}  // namespace engine
