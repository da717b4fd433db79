#include "engine/ops/normalization.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/offsets.h"

namespace engine {

LayerNormAttributes readLayerNorm(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", -1),
            .epsilon = reader.number("epsilon", 1e-5F),
            .stash = reader.dataType("stash_type", DataType::float32)};
}

Work layerNormWork(const WorkContext& context) {
    const Dim elements = context.inputElements(0);
    return {.multiplyAdds = elements * 2, .otherFlops = elements * 2};
}

GroupParameter::GroupParameter(const Tensor& tensor, const Dims& dims, int64_t axis, const char* what)
    : values_(tensor.toDouble()) {
    Dims padded(dims.size() - std::min(dims.size(), tensor.dims().size()), 1);
    padded.insert(padded.end(), tensor.dims().begin(), tensor.dims().end());
    bool fits = padded.size() == dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i) fits = padded[i] == 1 || padded[i] == dims[i];
    if (!fits) {
        fail(what, ": found shape ", listText(tensor.dims()), ", expected one that broadcasts to ",
             listText(dims));
    }
    const Dims strides = rowMajorStrides(padded);
    const auto head = [axis](const Dims& all) { return Dims(all.begin(), all.begin() + axis); };
    const auto tail = [axis](const Dims& all) { return Dims(all.begin() + axis, all.end()); };
    groupOffsets_ = broadcastOffsets(head(dims), head(padded), head(strides));
    placeOffsets_ = broadcastOffsets(tail(dims), tail(padded), tail(strides));
}

size_t groupCount(const Dims& dims, int64_t axis) {
    return static_cast<size_t>(elementCount(Dims(dims.begin(), dims.begin() + axis)));
}

void storeStatistic(KernelContext& context, size_t index, DataType type, const Dims& dims, int64_t axis,
                    const std::vector<Moments>& moments, double Moments::*statistic) {
    if (!context.hasOutput(index)) return;
    Dims outputDims = dims;
    std::fill(outputDims.begin() + axis, outputDims.end(), 1);
    Tensor& output = context.output(index, type, outputDims);
    dispatchFloat(type, [&]<typename T>(std::type_identity<T>) {
        std::transform(moments.begin(), moments.end(), output.mutableValues<T>().begin(),
                       [&](const Moments& each) { return static_cast<T>(each.*statistic); });
    });
}

std::optional<Shape> statisticShape(const InferContext& context, int64_t axis) {
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return std::nullopt;
    Shape shape = *input;
    std::fill(shape.begin() + normalizedAxis(axis, static_cast<int64_t>(shape.size())), shape.end(), Dim(1));
    return shape;
}

}  // namespace engine
