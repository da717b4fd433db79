#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "engine/core/number_types.h"
#include "engine/core/tensor.h"

namespace engine {

/// Which scale and zero point holds for which element of a tensor: one for all, one for each place of an
/// axis, or one for each block along an axis.
class Granularity {
public:
    /// Throws Error unless scales of `scaleDims` fit a tensor of `dims`. `blockSize` 0: found from the
    /// shapes.
    Granularity(const Dims& dims, const Dims& scaleDims, int64_t axis, int64_t blockSize);

    /// The place among the scales for the element at `index`, row-major.
    size_t at(size_t index) const {
        const size_t inner = index % inner_;
        const size_t place = index / inner_ % size_;
        const size_t outer = index / inner_ / size_;
        return outer * outerStride_ + place / block_ * placeStride_ + inner * innerStride_;
    }

private:
    size_t inner_ = 1;
    size_t size_ = 1;
    size_t block_ = 1;
    size_t outerStride_ = 0;
    size_t placeStride_ = 0;
    size_t innerStride_ = 0;
};

/// Scales and zero points as numbers; without zero points they are 0.
struct Grid {
    std::vector<double> scales = {};
    std::vector<double> zeroPoints = {};
};
/// Throws Error if the zero points have another shape than the scales (any single elements agree).
Grid gridOf(const Tensor& scale, const Tensor* zeroPoint);

/// The bounds of a quantized integer type, small ones included.
template <class T>
struct QuantizedRange {
    static constexpr double lowest = std::numeric_limits<T>::lowest();
    static constexpr double highest = std::numeric_limits<T>::max();
};
template <int bits, bool isSignedType>
struct QuantizedRange<SmallInt<bits, isSignedType>> {
    static constexpr double lowest = isSignedType ? -(1 << (bits - 1)) : 0;
    static constexpr double highest = isSignedType ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
};

/// The quantized value of `ratio` = x / scale: rounded half to even, moved by the zero point, saturated. A
/// NaN becomes the zero point.
template <class T>
T quantizedInteger(double ratio, double zeroPoint) {
    double value = std::isnan(ratio) ? zeroPoint : std::nearbyint(ratio) + zeroPoint;
    value = std::min(std::max(value, QuantizedRange<T>::lowest), QuantizedRange<T>::highest);
    return static_cast<T>(static_cast<int64_t>(value));
}

/// The elements of a quantized tensor less their zero points, of `zeroPointDims`, which broadcast to the
/// tensor's; null: none. Exact.
std::vector<int32_t> centered(const Tensor& tensor, const Tensor* zeroPoint, const Dims& zeroPointDims,
                              const char* what);

/// Scale and zero point by which DynamicQuantizeLinear puts these values into uint8.
struct DynamicGrid {
    float scale = 1;
    uint8_t zeroPoint = 0;

    uint8_t quantized(float value) const {
        return quantizedInteger<uint8_t>(static_cast<double>(value / scale), zeroPoint);
    }
};
DynamicGrid dynamicGrid(std::span<const float> values);

}  // namespace engine
