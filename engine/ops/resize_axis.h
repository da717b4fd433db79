#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/counted_vector.h"
#include "engine/core/tensor.h"
#include "engine/ops/attribute_reader.h"

namespace engine {

/// The attributes of Resize.
struct ResizeAttributes {
    enum class Mode : uint8_t { nearest, linear, cubic };
    enum class Coordinates : uint8_t {
        halfPixel,
        halfPixelSymmetric,
        pytorchHalfPixel,
        alignCorners,
        asymmetric,
        tfCropAndResize,
        tfHalfPixelForNn
    };
    enum class Nearest : uint8_t {
        roundPreferFloor,
        roundPreferCeil,
        floor,
        ceil,
        floorUpCeilDown  ///< before opset 11: floor where an axis grows, ceil where it shrinks
    };
    enum class Policy : uint8_t { stretch, notLarger, notSmaller };

    Mode mode = Mode::nearest;
    Coordinates coordinates = Coordinates::halfPixel;
    Nearest nearest = Nearest::roundPreferFloor;
    Policy policy = Policy::stretch;
    bool antialias = false;
    bool excludeOutside = false;
    double cubicA = -0.75;
    double extrapolationValue = 0;
    std::optional<std::vector<int64_t>> axes = {};
};
ResizeAttributes readResize(const AttributeReader& reader);

/// How far one axis grows, as a ratio, so that positions that lie on a whole element come out whole.
struct ResizeScale {
    double numerator = 1;
    double denominator = 1;

    double value() const { return numerator / denominator; }
};

/// One axis that is resized.
struct ResizeAxis {
    int64_t axis = 0;
    int64_t input = 0;
    int64_t output = 0;
    ResizeScale scale = {};
    double roiStart = 0;
    double roiEnd = 1;
};

/// The axes to resize an input of these dims by, in the order of the attribute `axes`. `scales` or `sizes` is
/// null, as may be `roi`. Throws Error on contradictions.
std::vector<ResizeAxis> resizeAxes(const ResizeAttributes& attributes, const Dims& input, const Tensor* roi,
                                   const Tensor* scales, const Tensor* sizes);

/// What each output along an axis is made of: `taps` input elements with their weights. Every index is inside
/// the input. A table in which output i is input i alone has `isIdentity`.
struct ResizeTable {
    int64_t taps = 1;
    CountedVector<int64_t> indices = {};  ///< [output][taps]
    CountedVector<double> weights = {};   ///< [output][taps]
    CountedVector<char> isOutside = {};   ///< [output]: takes the extrapolation value instead
    bool isIdentity = false;
};
ResizeTable resizeTable(const ResizeAttributes& attributes, const ResizeAxis& axis);

}  // namespace engine
