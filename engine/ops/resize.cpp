#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/resize_axis.h"

namespace engine {
namespace {

using Attributes = ResizeAttributes;

// --- Shapes

// A size times a float, where the float is a fraction that can be calculated with exactly.
Dim scaled(const Dim& size, float scale) {
    if (size.isNumber()) {
        return static_cast<int64_t>(std::floor(static_cast<float>(size.number()) * scale));
    }
    for (const int64_t denominator : {1, 2, 4, 8, 16, 32, 64}) {
        const float numerator = scale * static_cast<float>(denominator);
        if (numerator == std::floor(numerator) && numerator > 0 && numerator < 1e6F) {
            return floorDiv(size * Dim(static_cast<int64_t>(numerator)), denominator);
        }
    }
    return {};
}

std::vector<size_t> axisNumbers(const Attributes& attributes, size_t rank) {
    std::vector<size_t> result;
    if (!attributes.axes) {
        for (size_t i = 0; i < rank; ++i) result.push_back(i);
        return result;
    }
    for (const int64_t axis : *attributes.axes) {
        result.push_back(static_cast<size_t>(normalizedAxis(axis, static_cast<int64_t>(rank))));
    }
    return result;
}

// The size inputs may be present but empty, which counts as missing.
bool isGiven(const InferContext& context, size_t index) {
    if (!context.hasInput(index)) return false;
    const Shape* shape = context.inputShape(index);
    return shape == nullptr || shape->size() != 1 || !(*shape)[0].isNumber() || (*shape)[0].number() != 0;
}

// The output's shape where all that decides it is known as numbers.
std::optional<Shape> exactShape(const InferContext& context, const Dims& input, bool hasScales) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor* sizing = context.inputData(hasScales ? 2 : 3);
    const bool needsRoi = attributes.coordinates == Attributes::Coordinates::tfCropAndResize;
    const Tensor* roi = needsRoi ? context.inputData(1) : nullptr;
    if (sizing == nullptr || (needsRoi && roi == nullptr)) return std::nullopt;
    Shape shape = shapeOf(input);
    for (const ResizeAxis& axis :
         resizeAxes(attributes, input, roi, hasScales ? sizing : nullptr, hasScales ? nullptr : sizing)) {
        shape[static_cast<size_t>(axis.axis)] = axis.output;
    }
    return shape;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const DataType element = context.inputElement(0);
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, element);
    const bool hasScales = isGiven(context, 2);
    if (const auto dims = numbers(*input)) {
        if (const auto shape = exactShape(context, *dims, hasScales))
            return context.setOutput(0, element, *shape);
    }
    Shape output = *input;
    const std::vector<size_t> axes = axisNumbers(attributes, input->size());
    for (const size_t axis : axes) output[axis] = Dim();
    const bool isPlain = attributes.coordinates != Attributes::Coordinates::tfCropAndResize;
    if (const Tensor* scales = hasScales && isPlain ? context.inputData(2) : nullptr) {
        const auto values = checkedValues<float>(*scales, "scales");
        for (size_t i = 0; i < std::min(axes.size(), values.size()); ++i) {
            output[axes[i]] = scaled((*input)[axes[i]], values[i]);
        }
    }
    if (!hasScales && attributes.policy == Attributes::Policy::stretch) {
        const auto sizes = context.inputElements(3);
        for (size_t i = 0; sizes && i < std::min(axes.size(), sizes->size()); ++i)
            output[axes[i]] = (*sizes)[i];
    }
    context.setOutput(0, element, std::move(output));
}

Work work(const WorkContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    if (attributes.mode == Attributes::Mode::nearest) return {};
    const int taps = attributes.mode == Attributes::Mode::cubic ? 4 : 2;
    Dim axes = 0;
    for (int64_t axis = 0; axis < context.inputRank(0).value_or(0); ++axis) {
        if (!(context.inputDim(0, axis) == context.outputDim(0, axis))) axes += 1;
    }
    return {.multiplyAdds = context.outputElements(0) * axes * taps};
}

// --- Values

// Along one axis the input is [outer][input][inner], the output [outer][output][inner].
struct Layout {
    size_t outer = 1;
    size_t inner = 1;
};

Layout layoutOf(const Dims& dims, int64_t axis) {
    return {.outer = static_cast<size_t>(elementCount(Dims(dims.begin(), dims.begin() + axis))),
            .inner = static_cast<size_t>(elementCount(Dims(dims.begin() + axis + 1, dims.end())))};
}

template <class T>
void pick(const ResizeTable& table, const ResizeAxis& axis, const Layout& layout, const T* from, T* to,
          const T& outside, Pace& pace) {
    for (size_t outer = 0; outer < layout.outer; ++outer) {
        for (size_t i = 0; i < table.indices.size(); ++i, to += layout.inner) {
            const T* row =
                from + (outer * static_cast<size_t>(axis.input) + static_cast<size_t>(table.indices[i])) *
                           layout.inner;
            if (table.isOutside[i] != 0) {
                std::fill(to, to + layout.inner, outside);
            } else {
                std::copy(row, row + layout.inner, to);
            }
            pace.spend(static_cast<int64_t>(layout.inner));
        }
    }
}

void blend(const ResizeTable& table, const ResizeAxis& axis, const Layout& layout, const double* from,
           double* to, double outside, Pace& pace) {
    const auto taps = static_cast<size_t>(table.taps);
    for (size_t outer = 0; outer < layout.outer; ++outer) {
        for (size_t i = 0; i < table.isOutside.size(); ++i, to += layout.inner) {
            std::fill(to, to + layout.inner, table.isOutside[i] != 0 ? outside : 0.0);
            for (size_t tap = i * taps; tap < (i + 1) * taps && table.isOutside[i] == 0; ++tap) {
                const double weight = table.weights[tap];
                if (weight == 0) continue;
                const auto index = static_cast<size_t>(table.indices[tap]);
                const double* row = from + (outer * static_cast<size_t>(axis.input) + index) * layout.inner;
                for (size_t j = 0; j < layout.inner; ++j) to[j] += weight * row[j];
            }
            pace.spend(static_cast<int64_t>(layout.inner * taps));
        }
    }
}

// Resizes axis by axis: step(table, axis, layout, input, output) does one. Returns what it ends with.
template <class T, class Step>
std::vector<T> eachAxis(const Attributes& attributes, const std::vector<ResizeAxis>& axes, Dims dims,
                        std::vector<T> values, Step step) {
    for (const ResizeAxis& axis : axes) {
        const ResizeTable table = resizeTable(attributes, axis);
        if (table.isIdentity) continue;
        const Layout layout = layoutOf(dims, axis.axis);
        dims[static_cast<size_t>(axis.axis)] = axis.output;
        std::vector<T> next(static_cast<size_t>(elementCount(dims)));
        if (!next.empty()) step(table, axis, layout, values.data(), next.data());
        values = std::move(next);
    }
    return values;
}

template <class T>
T extrapolated(double value) {
    if constexpr (std::is_convertible_v<float, T> || std::is_constructible_v<T, float>) {
        return static_cast<T>(static_cast<float>(value));
    } else {
        fail("extrapolation_value: found elements of type ", dataTypeOf<T>, ", expected numbers");
    }
}

std::vector<ResizeAxis> axesOf(const KernelContext& context) {
    const auto given = [&](size_t index) -> const Tensor* {
        const bool isGiven = context.hasInput(index) && context.input(index).elements() > 0;
        return isGiven ? &context.input(index) : nullptr;
    };
    const Dims& dims = context.input(0).dims();
    std::vector<ResizeAxis> axes =
        resizeAxes(context.attributes<Attributes>(), dims, given(1), given(2), given(3));
    // Axes that shrink come first: less to do, and nothing in between is larger than the input or the output.
    std::stable_sort(axes.begin(), axes.end(), [](const ResizeAxis& a, const ResizeAxis& b) {
        return a.scale.value() < b.scale.value();
    });
    return axes;
}

template <class T>
void resizeNearest(KernelContext& context, const std::vector<ResizeAxis>& axes, std::span<T> output) {
    const auto& attributes = context.attributes<Attributes>();
    const auto input = elementsAs<T>(context.input(0));
    Pace pace(context);
    const std::vector<T> result = eachAxis<T>(
        attributes, axes, context.input(0).dims(), std::vector<T>(input.begin(), input.end()),
        [&](const ResizeTable& table, const ResizeAxis& axis, const Layout& layout, const T* from, T* to) {
            const bool hasOutside = std::any_of(table.isOutside.begin(), table.isOutside.end(),
                                                [](char isOutside) { return isOutside != 0; });
            pick(table, axis, layout, from, to,
                 hasOutside ? extrapolated<T>(attributes.extrapolationValue) : T{}, pace);
        });
    std::copy(result.begin(), result.end(), output.begin());
}

template <class T>
void resizeSmooth(KernelContext& context, const std::vector<ResizeAxis>& axes, std::span<T> output) {
    const auto& attributes = context.attributes<Attributes>();
    Pace pace(context);
    const std::vector<double> result = eachAxis<double>(
        attributes, axes, context.input(0).dims(), context.input(0).toDouble(),
        [&](const ResizeTable& table, const ResizeAxis& axis, const Layout& layout, const double* from,
            double* to) { blend(table, axis, layout, from, to, attributes.extrapolationValue, pace); });
    std::transform(result.begin(), result.end(), output.begin(),
                   [](double value) { return convertNumber<T>(value); });
}

void reference(KernelContext& context) {
    const std::vector<ResizeAxis> axes = axesOf(context);
    Dims dims = context.input(0).dims();
    for (const ResizeAxis& axis : axes) dims[static_cast<size_t>(axis.axis)] = axis.output;
    Tensor& output = context.output(0, dims);
    if (context.attributes<Attributes>().mode != Attributes::Mode::nearest) {
        return dispatchNumeric(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
            resizeSmooth<T>(context, axes, output.mutableValues<T>());
        });
    }
    if (context.input(0).type() == DataType::boolean) {
        return resizeNearest<uint8_t>(context, axes, mutableElementsAs<uint8_t>(output));
    }
    dispatchAny(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (!std::is_same_v<T, bool>) resizeNearest<T>(context, axes, output.mutableValues<T>());
    });
}

const OpDef resize{
    .name = "Resize",
    .sinceVersion = 11,
    .attributes = parsed<readResize>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{resize};

}  // namespace
}  // namespace engine
