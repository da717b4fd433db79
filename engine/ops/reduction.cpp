#include "engine/ops/reduction.h"

#include <algorithm>

#include "engine/core/error.h"

namespace engine {
namespace {

Shape reducedShape(const Shape& shape, const std::vector<char>& isReduced, bool keepDims) {
    Shape result;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (!isReduced[i]) result.push_back(shape[i]);
        if (isReduced[i] && keepDims) result.emplace_back(1);
    }
    return result;
}

}  // namespace

ReductionAttributes readReduction(const AttributeReader& reader) {
    return {.keepDims = reader.integer("keepdims", 1) != 0,
            .emptyAxesDoNothing = reader.integer("noop_with_empty_axes", 0) != 0};
}

std::vector<char> reducedAxes(const ReductionAttributes& attributes, const std::vector<int64_t>& axes,
                              size_t rank) {
    std::vector<char> isReduced(rank, axes.empty() && !attributes.emptyAxesDoNothing ? 1 : 0);
    for (const int64_t axis : axes) {
        isReduced[static_cast<size_t>(normalizedAxis(axis, static_cast<int64_t>(rank)))] = 1;
    }
    return isReduced;
}

void inferReduction(InferContext& context) {
    const auto& attributes = context.attributes<ReductionAttributes>();
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return context.setOutput(0, element);
    std::vector<int64_t> axes;
    if (context.hasInput(1)) {
        const Tensor* data = context.inputData(1);
        if (data == nullptr) {
            return attributes.keepDims ? context.setOutput(0, element, Shape(shape->size()))
                                       : context.setOutput(0, element);
        }
        axes = data->toInt64();
    }
    const std::vector<char> isReduced = reducedAxes(attributes, axes, shape->size());
    context.setOutput(0, element, reducedShape(*shape, isReduced, attributes.keepDims));
}

ReductionWalk::ReductionWalk(const KernelContext& context, const ReductionAttributes& attributes)
    : context_(context), dims_(context.input(0).dims()), strides_(dims_.size(), 0) {
    const std::vector<int64_t> axes =
        context.hasInput(1) ? context.input(1).toInt64() : std::vector<int64_t>();
    // Even of an element alone there are its square, its logarithm and so on.
    const std::vector<char> isReduced = reducedAxes(attributes, axes, dims_.size());
    int64_t stride = 1;
    for (size_t i = dims_.size(); i-- > 0;) {
        if (isReduced[i]) {
            reducedCount_ *= dims_[i];
            if (attributes.keepDims) outputDims_.push_back(1);
        } else {
            strides_[i] = stride;
            stride *= dims_[i];
            outputDims_.push_back(dims_[i]);
        }
    }
    std::reverse(outputDims_.begin(), outputDims_.end());
}

}  // namespace engine
