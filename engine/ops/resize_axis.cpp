#include "engine/ops/resize_axis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "engine/core/error.h"
#include "engine/ops/checks.h"

namespace engine {
namespace {

using Attributes = ResizeAttributes;
using Coordinates = Attributes::Coordinates;

template <class E>
struct Word {
    const char* name;
    E value;
};

template <class E, size_t count>
E readWord(const AttributeReader& reader, const char* attribute, const Word<E> (&words)[count]) {
    std::vector<std::string> allowed;
    for (const auto& word : words) allowed.emplace_back(word.name);
    const std::string found = reader.choice(attribute, words[0].name, allowed);
    return std::find_if(std::begin(words), std::end(words),
                        [&](const auto& word) { return word.name == found; })
        ->value;
}

constexpr Word<Attributes::Mode> modes[] = {{"nearest", Attributes::Mode::nearest},
                                            {"linear", Attributes::Mode::linear},
                                            {"cubic", Attributes::Mode::cubic}};
constexpr Word<Coordinates> coordinateModes[] = {{"half_pixel", Coordinates::halfPixel},
                                                 {"half_pixel_symmetric", Coordinates::halfPixelSymmetric},
                                                 {"pytorch_half_pixel", Coordinates::pytorchHalfPixel},
                                                 {"align_corners", Coordinates::alignCorners},
                                                 {"asymmetric", Coordinates::asymmetric},
                                                 {"tf_crop_and_resize", Coordinates::tfCropAndResize},
                                                 {"tf_half_pixel_for_nn", Coordinates::tfHalfPixelForNn}};
constexpr Word<Attributes::Nearest> nearestModes[] = {
    {"round_prefer_floor", Attributes::Nearest::roundPreferFloor},
    {"round_prefer_ceil", Attributes::Nearest::roundPreferCeil},
    {"floor", Attributes::Nearest::floor},
    {"ceil", Attributes::Nearest::ceil},
    {"floor_up_ceil_down", Attributes::Nearest::floorUpCeilDown}};
constexpr Word<Attributes::Policy> policies[] = {{"stretch", Attributes::Policy::stretch},
                                                 {"not_larger", Attributes::Policy::notLarger},
                                                 {"not_smaller", Attributes::Policy::notSmaller}};

// The decimal that a float was written as: 0.6, not 0.60000002384185791.
double asWritten(float number) {
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    double result = number;
    std::from_chars(std::begin(digits), end, result);
    return result;
}

// A float can only come close to a scale such as 64/26; where it comes as close as it can, the ratio is
// meant.
ResizeScale ratioMeant(float scale, int64_t input, int64_t output) {
    if (static_cast<float>(output) / static_cast<float>(input) == scale) {
        return {static_cast<double>(output), static_cast<double>(input)};
    }
    return {asWritten(scale), 1};
}

void checkCount(const Tensor& tensor, size_t expected, const char* what) {
    checkRank(tensor, 1, what);
    if (static_cast<size_t>(tensor.elements()) != expected) {
        fail(what, ": found ", tensor.elements(), " values, expected ", expected);
    }
}

void applyScales(const Attributes& attributes, const Tensor& tensor, std::vector<ResizeAxis>& axes) {
    const auto scales = checkedValues<float>(tensor, "scales");
    checkCount(tensor, axes.size(), "scales");
    for (size_t i = 0; i < axes.size(); ++i) {
        ResizeAxis& axis = axes[i];
        if (!(scales[i] > 0) || !std::isfinite(scales[i])) {
            fail("scales: found ", scales[i], ", expected a positive number");
        }
        float size = static_cast<float>(axis.input) * scales[i];
        if (attributes.coordinates == Coordinates::tfCropAndResize) {
            size *= static_cast<float>(axis.roiEnd - axis.roiStart);
        }
        if (!(size >= 0 && size < 1e12F))
            fail("scales: ", scales[i], " makes an axis of ", size, " elements");
        axis.output = static_cast<int64_t>(std::floor(size));
        axis.scale = ratioMeant(scales[i], axis.input, axis.output);
    }
}

void applySizes(const Attributes& attributes, const Tensor& tensor, std::vector<ResizeAxis>& axes) {
    const std::vector<int64_t> sizes = tensor.toInt64();
    checkCount(tensor, axes.size(), "sizes");
    for (size_t i = 0; i < axes.size(); ++i) {
        if (sizes[i] < 0) fail("sizes: found ", listText(sizes), ", expected no negative number");
        if (axes[i].input == 0 && sizes[i] != 0)
            fail("sizes: found ", sizes[i], " for an axis of no elements");
        axes[i].output = sizes[i];
        axes[i].scale = {static_cast<double>(sizes[i]), static_cast<double>(axes[i].input)};
    }
    if (attributes.policy == Attributes::Policy::stretch || axes.empty()) return;
    const auto less = [](const ResizeAxis& a, const ResizeAxis& b) {
        return a.scale.value() < b.scale.value();
    };
    const ResizeScale scale = attributes.policy == Attributes::Policy::notLarger
                                  ? std::min_element(axes.begin(), axes.end(), less)->scale
                                  : std::max_element(axes.begin(), axes.end(), less)->scale;
    for (ResizeAxis& axis : axes) {
        axis.scale = scale;
        axis.output = static_cast<int64_t>(
            std::floor(static_cast<double>(axis.input) * scale.numerator / scale.denominator + 0.5));
    }
}

}  // namespace

ResizeAttributes readResize(const AttributeReader& reader) {
    return {.mode = readWord(reader, "mode", modes),
            .coordinates = readWord(reader, "coordinate_transformation_mode", coordinateModes),
            .nearest = readWord(reader, "nearest_mode", nearestModes),
            .policy = readWord(reader, "keep_aspect_ratio_policy", policies),
            .antialias = reader.integer("antialias", 0) != 0,
            .excludeOutside = reader.integer("exclude_outside", 0) != 0,
            .cubicA = asWritten(reader.number("cubic_coeff_a", -0.75F)),
            .extrapolationValue = reader.number("extrapolation_value", 0),
            .axes = reader.maybeIntegers("axes")};
}

std::vector<ResizeAxis> resizeAxes(const ResizeAttributes& attributes, const Dims& input, const Tensor* roi,
                                   const Tensor* scales, const Tensor* sizes) {
    if ((scales != nullptr) == (sizes != nullptr)) {
        fail("found ", scales != nullptr ? "both" : "neither", " of scales and sizes, expected one of them");
    }
    std::vector<int64_t> numbers(input.size());
    std::iota(numbers.begin(), numbers.end(), int64_t{0});
    if (attributes.axes) numbers = *attributes.axes;

    std::vector<ResizeAxis> axes;
    for (const int64_t number : numbers) {
        const int64_t axis = normalizedAxis(number, static_cast<int64_t>(input.size()));
        if (std::any_of(axes.begin(), axes.end(),
                        [&](const ResizeAxis& other) { return other.axis == axis; })) {
            fail("axes: found ", listText(numbers), ", expected each axis once");
        }
        axes.push_back({.axis = axis, .input = input[static_cast<size_t>(axis)]});
    }
    if (attributes.coordinates == Coordinates::tfCropAndResize) {
        if (roi == nullptr) fail("roi is missing, expected one for tf_crop_and_resize");
        checkCount(*roi, 2 * axes.size(), "roi");
        const std::vector<double> bounds = roi->toDouble();
        for (size_t i = 0; i < axes.size(); ++i) {
            axes[i].roiStart = bounds[i];
            axes[i].roiEnd = bounds[axes.size() + i];
        }
    }
    if (scales != nullptr) applyScales(attributes, *scales, axes);
    if (sizes != nullptr) applySizes(attributes, *sizes, axes);
    return axes;
}

namespace {

// Where in the input the output element `x` lies.
double sourcePosition(Coordinates mode, const ResizeAxis& axis, int64_t x) {
    const ResizeScale& scale = axis.scale;
    const auto input = static_cast<double>(axis.input);
    const auto position = static_cast<double>(x);
    // The length that the scale asks for, which is a whole number only by chance.
    const double length = input * scale.numerator / scale.denominator;
    const double fromCenter =
        ((2 * position + 1) * scale.denominator - scale.numerator) / (2 * scale.numerator);
    switch (mode) {
        case Coordinates::halfPixel:
            return fromCenter;
        case Coordinates::halfPixelSymmetric:
            return input / 2 * (1 - static_cast<double>(axis.output) / length) + fromCenter;
        case Coordinates::pytorchHalfPixel:
            return axis.output > 1 ? fromCenter : 0;
        case Coordinates::alignCorners:
            return axis.output == 1 || length == 1 ? 0 : position * (input - 1) / (length - 1);
        case Coordinates::asymmetric:
            return position * scale.denominator / scale.numerator;
        case Coordinates::tfCropAndResize: {
            const double span = (axis.roiEnd - axis.roiStart) * (input - 1);
            const double start = axis.roiStart * (input - 1);
            const auto steps = static_cast<double>(axis.output - 1);
            return steps > 0 ? start + position * span / steps : start + span / 2;
        }
        case Coordinates::tfHalfPixelForNn:
            return (position + 0.5) * scale.denominator / scale.numerator;
    }
    return position;
}

double nearestTo(Attributes::Nearest mode, double position, double scale) {
    switch (mode) {
        case Attributes::Nearest::roundPreferFloor:
            return std::ceil(position - 0.5);
        case Attributes::Nearest::roundPreferCeil:
            return std::floor(position + 0.5);
        case Attributes::Nearest::floor:
            return std::floor(position);
        case Attributes::Nearest::ceil:
            return std::ceil(position);
        case Attributes::Nearest::floorUpCeilDown:
            return scale < 1 ? std::ceil(position) : std::floor(position);
    }
    return position;
}

double linearWeight(double distance) { return std::max(1 - std::abs(distance), 0.0); }

// Keys' piecewise cubic.
double cubicWeight(double distance, double a) {
    const double x = std::abs(distance);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

// Weights the `taps` elements around `position`, and moves those outside of the input onto its edge.
void interpolate(const Attributes& attributes, const ResizeAxis& axis, double position, double stretch,
                 std::span<int64_t> indices, std::span<double> weights) {
    const auto taps = static_cast<int64_t>(indices.size());
    const auto first = static_cast<int64_t>(std::floor(position)) + 1 - taps / 2;
    double inside = 0;
    double all = 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
        const auto i = static_cast<size_t>(tap);
        const double distance = (static_cast<double>(first + tap) - position) * stretch;
        indices[i] = std::clamp<int64_t>(first + tap, 0, axis.input - 1);
        weights[i] = attributes.mode == Attributes::Mode::cubic ? cubicWeight(distance, attributes.cubicA)
                                                                : linearWeight(distance);
        all += weights[i];
        if (indices[i] == first + tap) inside += weights[i];
    }
    const bool excludes = attributes.excludeOutside && inside != 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
        const auto i = static_cast<size_t>(tap);
        const bool isInside = indices[i] == first + tap;
        weights[i] = excludes && !isInside ? 0 : weights[i] / (excludes ? inside : all);
    }
}

bool isIdentity(const ResizeTable& table, const ResizeAxis& axis) {
    if (axis.input != axis.output) return false;
    const auto taps = static_cast<size_t>(table.taps);
    for (size_t i = 0; i < table.indices.size(); ++i) {
        const bool isOwn = table.indices[i] == static_cast<int64_t>(i / taps);
        if (!isOwn && table.weights[i] != 0) return false;
        if (table.isOutside[i / taps] != 0) return false;
    }
    return true;
}

}  // namespace

ResizeTable resizeTable(const ResizeAttributes& attributes, const ResizeAxis& axis) {
    ResizeTable table;
    const bool isNearest = attributes.mode == Attributes::Mode::nearest;
    const double scale = axis.scale.value();
    const double stretch = attributes.antialias && scale < 1 ? scale : 1;
    if (!isNearest) {
        const double reach = (attributes.mode == Attributes::Mode::cubic ? 2 : 1) / stretch;
        // Beyond the input every tap falls on its edge, so a wider filter gives nothing new.
        if (!(reach < 1e7)) fail("scales: found ", scale, ", too small to filter with");
        table.taps = 2 * static_cast<int64_t>(std::ceil(reach));
    }
    const auto taps = static_cast<size_t>(table.taps);
    const auto outputs = static_cast<size_t>(axis.output);
    table.indices.assign(outputs * taps, 0);
    table.weights.assign(outputs * taps, 1);
    table.isOutside.assign(outputs, 0);
    if (axis.input == 0) return table;
    for (size_t i = 0; i < outputs; ++i) {
        const auto last = static_cast<double>(axis.input - 1);
        double position = sourcePosition(attributes.coordinates, axis, static_cast<int64_t>(i));
        const bool isOutside = !(position >= 0 && position <= last);
        table.isOutside[i] = attributes.coordinates == Coordinates::tfCropAndResize && isOutside ? 1 : 0;
        // Keeps absurd regions of interest within the range of integers.
        position = std::isnan(position) ? 0 : std::clamp(position, -1e15, 1e15);
        if (isNearest) {
            const double nearest = nearestTo(attributes.nearest, position, scale);
            table.indices[i] = static_cast<int64_t>(std::clamp(nearest, 0.0, last));
            continue;
        }
        interpolate(attributes, axis, position, stretch, std::span(table.indices).subspan(i * taps, taps),
                    std::span(table.weights).subspan(i * taps, taps));
    }
    table.isIdentity = isIdentity(table, axis);
    return table;
}

}  // namespace engine
