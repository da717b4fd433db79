#include "engine/ops/view.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"

namespace engine {

void copyUnderDims(KernelContext& context, const Dims& dims) {
    const Tensor& input = context.input(0);
    const Tensor seen = input.reshaped(dims);
    Tensor& output = context.output(0, input.type(), dims);
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const std::span<const T> from = elementsAs<T>(seen);
        std::copy(from.begin(), from.end(), mutableElementsAs<T>(output).begin());
    });
}

void propagateView(InferContext& context) {
    if (auto elements = context.inputElements(0)) context.setOutputElements(0, std::move(*elements));
}

int64_t checkedRank(int64_t rank) {
    if (rank < 0 || rank > mostAxes) fail("found ", rank, " axes, expected 0 to ", mostAxes);
    return rank;
}

Shape openShape(int64_t rank) { return Shape(static_cast<size_t>(checkedRank(rank))); }

std::vector<int64_t> normalizedAxes(const std::vector<int64_t>& axes, int64_t rank) {
    std::vector<int64_t> result = distinctAxes(axes, rank);
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<int64_t> distinctAxes(const std::vector<int64_t>& axes, int64_t rank) {
    std::vector<int64_t> result;
    for (const int64_t axis : axes) {
        result.push_back(normalizedAxis(axis, rank));
        if (std::find(result.begin(), result.end() - 1, result.back()) != result.end() - 1)
            fail("axes ", listText(axes), " name an axis twice");
    }
    return result;
}

}  // namespace engine
