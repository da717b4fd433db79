#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/core/error.h"
#include "engine/ops/op.h"
#include "engine/ops/view.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

/// What is taken along one axis.
struct Range {
    size_t axis;
    Dim start;
    Dim end;
    int64_t step;
};

/// Where the first element taken lies, and how many there are.
struct Taken {
    Dim start;
    Dim count;
};

/// `bound` counted from the back if negative, then kept within [low, high]. Exporters write "to the end" as
/// any huge number.
Dim clamped(const Dim& bound, const Dim& length, const Dim& low, const Dim& high) {
    constexpr int64_t huge = std::numeric_limits<int32_t>::max();
    if (bound.isNumber() && bound.number() >= huge) return high;
    if (bound.isNumber() && bound.number() <= -huge) return low;
    const auto least = bound.lowerBound();
    if (bound.isNumber() && bound.number() < 0) return maximum(minimum(bound + length, high), low);
    if (least && *least >= 0) return maximum(minimum(bound, high), low);
    return {};  // an expression that may or may not be negative
}

Taken taken(const Range& range, const Dim& length) {
    if (range.step == 0) fail("steps: found 0, expected another number");
    if (length == Dim(0)) return {.start = 0, .count = 0};
    const bool isForward = range.step > 0;
    const Dim low = isForward ? Dim(0) : Dim(-1);
    const Dim high = isForward ? length : length - 1;
    const Dim start = clamped(range.start, length, 0, maximum(high, 0));
    const Dim end = clamped(range.end, length, low, high);
    const Dim distance = isForward ? end - start : start - end;
    const int64_t step = range.step;
    if (step == std::numeric_limits<int64_t>::min())
        return {.start = start, .count = minimum(maximum(distance, 0), 1)};
    return {.start = start, .count = maximum(ceilDiv(distance, isForward ? step : -step), 0)};
}

/// The ranges from the entries of the inputs; `axes` and `steps` may be null.
std::vector<Range> rangesOf(const std::vector<Dim>& starts, const std::vector<Dim>& ends,
                            const std::vector<int64_t>* axes, const std::vector<int64_t>* steps,
                            size_t rank) {
    const size_t count = starts.size();
    if (ends.size() != count || (axes != nullptr && axes->size() != count) ||
        (steps != nullptr && steps->size() != count)) {
        fail("starts, ends, axes and steps differ in length, the first is ", count);
    }
    if (axes == nullptr && count > rank) fail("starts: found ", count, " entries, expected at most ", rank);
    std::vector<int64_t> places(count);
    std::iota(places.begin(), places.end(), int64_t{0});
    if (axes != nullptr) places = distinctAxes(*axes, static_cast<int64_t>(rank));
    std::vector<Range> ranges;
    for (size_t i = 0; i < count; ++i) {
        ranges.push_back({.axis = static_cast<size_t>(places[i]),
                          .start = starts[i],
                          .end = ends[i],
                          .step = steps != nullptr ? (*steps)[i] : 1});
    }
    return ranges;
}

std::optional<std::vector<int64_t>> data(InferContext& context, size_t index) {
    const Tensor* tensor = context.inputData(index);
    if (tensor == nullptr) return {};
    return tensor->toInt64();
}

void propagate(InferContext& context, const Range& range, const Taken& part) {
    const auto elements = context.inputElements(0);
    if (!elements || !part.start.isNumber() || !part.count.isNumber()) return;
    std::vector<Dim> result;
    for (int64_t i = 0; i < part.count.number(); ++i) {
        result.push_back(elements->at(static_cast<size_t>(part.start.number() + i * range.step)));
    }
    context.setOutputElements(0, std::move(result));
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    const Shape* input = context.inputShape(0);
    for (const size_t index : {1, 2}) context.inputType(index);
    if (input == nullptr) return context.setOutput(0, element);
    const auto starts = context.inputElements(1);
    const auto ends = context.inputElements(2);
    const auto axes = data(context, 3);
    const auto steps = data(context, 4);
    const bool areAxesKnown = axes || !context.hasInput(3);
    if (!areAxesKnown || (!starts && !ends && !axes))
        return context.setOutput(0, element, Shape(input->size()));

    const size_t count = axes ? axes->size() : starts ? starts->size() : ends->size();
    const std::vector<Dim> unknown(count);
    Shape output = *input;
    const auto ranges = rangesOf(starts.value_or(unknown), ends.value_or(unknown), axes ? &*axes : nullptr,
                                 steps ? &*steps : nullptr, input->size());
    for (const Range& range : ranges) {
        const Taken part = steps || !context.hasInput(4) ? taken(range, output[range.axis]) : Taken{};
        output[range.axis] = part.count;
        if (input->size() == 1 && ranges.size() == 1) propagate(context, range, part);
    }
    context.setOutput(0, element, std::move(output));
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const auto optional = [&](size_t index) {
        return context.hasInput(index) ? context.input(index).toInt64() : std::vector<int64_t>{};
    };
    const std::vector<int64_t> axes = optional(3);
    const std::vector<int64_t> steps = optional(4);
    const auto ranges = rangesOf(shapeOf(context.input(1).toInt64()), shapeOf(context.input(2).toInt64()),
                                 context.hasInput(3) ? &axes : nullptr,
                                 context.hasInput(4) ? &steps : nullptr, input.dims().size());
    Dims dims = input.dims();
    Dims strides = rowMajorStrides(dims);
    int64_t start = 0;
    for (const Range& range : ranges) {
        const Taken part = taken(range, dims[range.axis]);
        start += part.start.number() * strides[range.axis];
        dims[range.axis] = part.count.number();
        if (part.count.number() > 1) strides[range.axis] *= range.step;
    }
    copyStrided(context, dims, strides, start);
}

const OpDef slice{
    .name = "Slice",
    .sinceVersion = 10,
    .attributes = noAttributes,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{slice};

void boundsToInputs(NodeRewriter& node) {
    node.integersToInput("starts", 1);
    node.integersToInput("ends", 2);
    node.integersToInput("axes", 3);
    node.setVersion(10);
}
const OpUpgrade upgrade{"Slice", 1, boundsToInputs};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
