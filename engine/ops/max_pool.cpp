#include <limits>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/pool.h"

namespace engine {
namespace {

// The index that output 1 gives for the element at `index` of its plane, counted in row-major order, if the
// spatial axes are counted in column-major order instead.
int64_t columnMajor(int64_t index, const std::vector<WindowAxis>& axes) {
    Dims position(axes.size());
    for (size_t i = axes.size(); i-- > 0;) {
        position[i] = index % axes[i].input;
        index /= axes[i].input;
    }
    int64_t result = 0;
    for (size_t i = axes.size(); i-- > 0;) result = result * axes[i].input + position[i];
    return result;
}

template <class T>
T smallest() {
    if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>) {
        return T(-std::numeric_limits<float>::infinity());
    } else if constexpr (std::numeric_limits<T>::has_infinity) {
        return -std::numeric_limits<T>::infinity();
    } else {
        return std::numeric_limits<T>::lowest();
    }
}

template <class T>
void pool(KernelContext& context) {
    const auto& attributes = context.attributes<PoolAttributes>();
    const Tensor& tensor = context.input(0);
    const PoolGeometry geometry = poolGeometry(attributes, tensor.dims());
    const auto input = checkedValues<T>(tensor, "X");
    const auto output = context.output(0, geometry.outputDims).template mutableValues<T>();
    const bool wantsIndices = context.hasOutput(1);
    std::span<int64_t> indices;
    if (wantsIndices) {
        indices = context.output(1, DataType::int64, geometry.outputDims).template mutableValues<int64_t>();
    }

    const WindowRows rows(geometry.axes);
    const auto inputSize = static_cast<size_t>(rows.inputElements());
    const auto outputSize = static_cast<size_t>(rows.outputElements());
    std::vector<int64_t> best(outputSize);
    Pace pace(context);
    for (size_t plane = 0; plane < static_cast<size_t>(geometry.planes); ++plane) {
        const T* from = input.data() + plane * inputSize;
        T* to = output.data() + plane * outputSize;
        std::fill(to, to + outputSize, smallest<T>());
        std::fill(best.begin(), best.end(), int64_t{-1});
        forEachPooled(rows, pace, [&](size_t in, size_t out) {
            if (from[in] > to[out] || best[out] < 0) {
                to[out] = from[in];
                best[out] = static_cast<int64_t>(in);
            }
        });
        for (size_t i = 0; wantsIndices && i < outputSize; ++i) {
            const int64_t index =
                best[i] >= 0 && attributes.columnMajorIndices ? columnMajor(best[i], geometry.axes) : best[i];
            indices[plane * outputSize + i] = index + static_cast<int64_t>(plane * inputSize);
        }
    }
}

void reference(KernelContext& context) {
    dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { pool<T>(context); });
}

const OpDef maxPool{
    .name = "MaxPool",
    .sinceVersion = 1,
    .attributes = parsed<readPool>,
    .infer = inferPool,
    .work = poolWork,
    .reference = reference,
};
const Register<OpDef> registered{maxPool};

}  // namespace
}  // namespace engine
