#include "engine/ops/qlinear.h"

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/quantization.h"

namespace engine {

OneGrid oneGrid(const KernelContext& context, size_t index) {
    OneGrid grid{.scale = onlyElement<float>(context.input(index), "a scale")};
    if (!context.hasInput(index + 1)) return grid;
    const std::vector<double> zeroPoint = context.input(index + 1).toDouble();
    if (zeroPoint.size() != 1) failNotSingle(context.input(index + 1), "a zero point");
    grid.zeroPoint = static_cast<float>(zeroPoint[0]);
    return grid;
}

std::vector<float> realNumbers(const KernelContext& context, size_t index) {
    const OneGrid grid = oneGrid(context, index + 1);
    const std::vector<double> values = context.input(index).toDouble();
    std::vector<float> result;
    result.reserve(values.size());
    for (const double value : values) {
        result.push_back((static_cast<float>(value) - grid.zeroPoint) * grid.scale);
    }
    return result;
}

void setQuantized(KernelContext& context, const Dims& dims, std::span<const float> values, size_t gridIndex,
                  DataType fallback) {
    const OneGrid grid = oneGrid(context, gridIndex);
    const DataType element = context.hasInput(gridIndex + 1) ? context.input(gridIndex + 1).type() : fallback;
    Tensor& output = context.output(0, element, dims);
    dispatchAmong<uint8_t, int8_t, uint16_t, int16_t>(element, [&]<typename T>(std::type_identity<T>) {
        const auto to = output.mutableValues<T>();
        for (size_t i = 0; i < values.size(); ++i) {
            const auto ratio = static_cast<double>(values[i] / grid.scale);
            to[i] = quantizedInteger<T>(ratio, static_cast<double>(grid.zeroPoint));
        }
    });
}

void inferQuantized(InferContext& context, std::optional<Shape> shape, size_t zeroPoint) {
    const DataType element = context.inputElement(context.hasInput(zeroPoint) ? zeroPoint : 0);
    if (shape) return context.setOutput(0, element, std::move(*shape));
    context.setOutput(0, element);
}

}  // namespace engine
