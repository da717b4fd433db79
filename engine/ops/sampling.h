#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// One input element that goes into an interpolated value. A negative index: it lies outside and counts as 0.
struct SampleTap {
    int64_t index = 0;
    double weight = 0;
};

/// The taps along each axis of one place between elements, outermost axis first.
using SamplePlace = std::vector<std::vector<SampleTap>>;

/// The two elements around `position` on an axis of `length`, weighted by nearness; outside there are zeros.
inline std::vector<SampleTap> linearTaps(double position, int64_t length) {
    if (!(position > -1 && position < static_cast<double>(length))) return {};
    const double below = std::floor(position);
    const auto first = static_cast<int64_t>(below);
    const double share = position - below;
    return {{first, 1 - share}, {first + 1 < length ? first + 1 : -1, share}};
}

/// The value of a dense row-major plane at a place: the weighted sum over all combinations of its taps.
template <class T>
double sampleAt(std::span<const T> plane, const SamplePlace& place, std::span<const int64_t> strides,
                size_t axis = 0, int64_t offset = 0) {
    if (axis == place.size()) return static_cast<double>(plane[static_cast<size_t>(offset)]);
    double sum = 0;
    for (const SampleTap& tap : place[axis]) {
        if (tap.index < 0 || tap.weight == 0) continue;
        sum += tap.weight * sampleAt(plane, place, strides, axis + 1, offset + tap.index * strides[axis]);
    }
    return sum;
}

}  // namespace engine
