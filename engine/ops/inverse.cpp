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
    if (input != nullptr && input->size() < 2) fail("X: found rank ", input->size(), ", expected at least 2");
    if (input != nullptr) agreed(input->back(), (*input)[input->size() - 2], "rows and columns of X");
    inferSameAsInput(context);
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.inputElements(0) * context.inputDim(0, -1)};
}

/// By Gauss and Jordan's elimination, on the matrix and the unit matrix beside it.
class Elimination {
public:
    Elimination(std::span<const double> matrix, size_t size) : size_(size), rows_(size * size * 2, 0) {
        for (size_t row = 0; row < size; ++row) {
            for (size_t i = 0; i < size; ++i) at(row, i) = matrix[row * size + i];
            at(row, size + row) = 1;
        }
    }

    void run(Pace& pace) {
        for (size_t column = 0; column < size_; ++column) {
            swap(column, pivotOf(column));
            const double pivot = at(column, column);
            if (pivot == 0) fail("X: found a matrix that has no inverse");
            for (size_t i = 0; i < 2 * size_; ++i) at(column, i) /= pivot;
            for (size_t row = 0; row < size_; ++row) {
                const double factor = at(row, column);
                if (row == column || factor == 0) continue;
                for (size_t i = 0; i < 2 * size_; ++i) at(row, i) -= factor * at(column, i);
            }
            pace.spend(static_cast<int64_t>(2 * size_ * size_));
        }
    }

    double result(size_t row, size_t column) { return at(row, size_ + column); }

private:
    double& at(size_t row, size_t column) { return rows_[row * 2 * size_ + column]; }

    size_t pivotOf(size_t column) {
        size_t best = column;
        for (size_t row = column + 1; row < size_; ++row) {
            if (std::abs(at(row, column)) > std::abs(at(best, column))) best = row;
        }
        return best;
    }

    void swap(size_t a, size_t b) {
        for (size_t i = 0; a != b && i < 2 * size_; ++i) std::swap(at(a, i), at(b, i));
    }

    size_t size_;
    std::vector<double> rows_;
};

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 2, "X");
    const auto size = static_cast<size_t>(input.dims().back());
    if (input.dims()[input.dims().size() - 2] != input.dims().back()) {
        fail("X: found shape ", listText(input.dims()), ", expected square matrices");
    }
    Tensor& output = context.output(0, input.dims());
    const std::vector<double> values = input.toDouble();
    const std::span<const double> all(values);
    Pace pace(context);
    dispatchFloat(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto to = output.mutableValues<T>();
        for (size_t start = 0; start < values.size(); start += size * size) {
            Elimination elimination(all.subspan(start, size * size), size);
            elimination.run(pace);
            for (size_t i = 0; i < size * size; ++i) {
                to[start + i] = static_cast<T>(elimination.result(i / size, i % size));
            }
        }
    });
}

const OpDef inverse{
    .name = "Inverse",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{inverse};

}  // namespace
}  // namespace engine
