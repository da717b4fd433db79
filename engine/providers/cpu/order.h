#pragma once

#include <string>
#include <vector>

#include "engine/core/dim.h"

namespace engine::cpu {

/// In which order the axes of a dense value lie in memory, outermost first: {0, 2, 3, 1} is channels-last.
/// Every value inside a partition has one, so that a Transpose costs nothing until somebody needs the
/// elements in another order.
using Order = std::vector<int>;

Order rowMajor(size_t rank);
/// Axis 1 innermost; row-major below rank 3.
Order channelsLast(size_t rank);

/// The one order that stands for all that mean the same memory: axes of size 1 may stand anywhere.
Order canonical(const Order& order, const Dims& dims);
bool isRowMajor(const Order& order, const Dims& dims);
bool isSameMemory(const Order& left, const Order& right, const Dims& dims);

/// Elements between neighbours along each axis (not in memory order: by axis).
Dims strides(const Order& order, const Dims& dims);
/// The dims in memory order.
Dims memoryDims(const Order& order, const Dims& dims);
/// Where in memory order the axis stands.
size_t placeOf(const Order& order, int64_t axis);
/// The order of `y = Transpose(x, perm)` when y is x's memory.
Order transposed(const Order& order, const std::vector<int64_t>& perm);

/// Axes, outermost first, with the strides of each operand along them.
struct StridedAxes {
    Dims dims = {};
    std::vector<Dims> strides = {};  ///< by operand
};
/// The same with neighbours merged along which every operand goes on, and without axes of size 1.
StridedAxes merged(const StridedAxes& axes);

/// Where, in elements, row `row` of the first `axes` axes begins; rows are counted row-major.
inline int64_t rowOffset(int64_t row, const Dims& dims, const Dims& strides, size_t axes) {
    int64_t offset = 0;
    for (size_t axis = axes; axis-- > 0;) {
        offset += row % dims[axis] * strides[axis];
        row /= dims[axis];
    }
    return offset;
}

/// "" for row-major, "nhwc" and its kin for channels-last, else digits.
std::string orderText(const Order& order);

}  // namespace engine::cpu
