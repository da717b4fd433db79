#include "engine/providers/cpu/order.h"

#include <algorithm>
#include <numeric>

namespace engine::cpu {

Order rowMajor(size_t rank) {
    Order order(rank);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Order channelsLast(size_t rank) {
    Order order = rowMajor(rank);
    if (rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return order;
}

Order canonical(const Order& order, const Dims& dims) {
    Order real;
    for (const int axis : order) {
        if (dims[axis] != 1) real.push_back(axis);
    }
    if (std::is_sorted(real.begin(), real.end())) return rowMajor(dims.size());
    Order result;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        if (dims[axis] == 1) result.push_back(static_cast<int>(axis));
    }
    result.insert(result.end(), real.begin(), real.end());
    return result;
}

bool isRowMajor(const Order& order, const Dims& dims) {
    const Order same = canonical(order, dims);
    return std::is_sorted(same.begin(), same.end());
}

bool isSameMemory(const Order& left, const Order& right, const Dims& dims) {
    return left == right || canonical(left, dims) == canonical(right, dims);
}

Dims strides(const Order& order, const Dims& dims) {
    Dims result(dims.size());
    int64_t step = 1;
    for (size_t place = order.size(); place-- > 0;) {
        result[order[place]] = step;
        step *= std::max<int64_t>(dims[order[place]], 1);
    }
    return result;
}

Dims memoryDims(const Order& order, const Dims& dims) {
    Dims result;
    for (const int axis : order) result.push_back(dims[axis]);
    return result;
}

size_t placeOf(const Order& order, int64_t axis) {
    return std::find(order.begin(), order.end(), static_cast<int>(axis)) - order.begin();
}

Order transposed(const Order& order, const std::vector<int64_t>& perm) {
    std::vector<int> newAxis(perm.size());
    for (size_t axis = 0; axis < perm.size(); ++axis) newAxis[perm[axis]] = static_cast<int>(axis);
    Order result;
    for (const int axis : order) result.push_back(newAxis[axis]);
    return result;
}

StridedAxes merged(const StridedAxes& axes) {
    StridedAxes result{.dims = {}, .strides = std::vector<Dims>(axes.strides.size())};
    const size_t operands = axes.strides.size();
    for (size_t axis = 0; axis < axes.dims.size(); ++axis) {
        const int64_t dim = axes.dims[axis];
        if (dim == 1) continue;
        bool isMergeable = !result.dims.empty();
        for (size_t k = 0; k < operands && isMergeable; ++k) {
            isMergeable = result.strides[k].back() == axes.strides[k][axis] * dim;
        }
        if (!isMergeable) {
            result.dims.push_back(1);
            for (Dims& its : result.strides) its.push_back(0);
        }
        result.dims.back() *= dim;
        for (size_t k = 0; k < operands; ++k) result.strides[k].back() = axes.strides[k][axis];
    }
    return result;
}

std::string orderText(const Order& order) {
    if (std::is_sorted(order.begin(), order.end())) return "";
    if (order == channelsLast(order.size())) {
        return order.size() == 3   ? "nwc"
               : order.size() == 4 ? "nhwc"
               : order.size() == 5 ? "ndhwc"
                                   : "channels-last";
    }
    std::string result;
    for (const int axis : order) result += std::to_string(axis);
    return result;
}

}  // namespace engine::cpu
