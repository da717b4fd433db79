#include "engine/ops/offsets.h"

#include "engine/core/error.h"

namespace engine {

Dims rowMajorStrides(const Dims& dims) {
    Dims strides(dims.size(), 1);
    for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
    return strides;
}

std::vector<int64_t> broadcastOffsets(const Dims& target, const Dims& dims, const Dims& strides) {
    std::vector<int64_t> result{0};
    const size_t missing = target.size() - dims.size();
    for (size_t axis = 0; axis < target.size(); ++axis) {
        const bool isRepeated = axis < missing || dims[axis - missing] == 1;
        const int64_t stride = isRepeated ? 0 : strides[axis - missing];
        std::vector<int64_t> next;
        next.reserve(result.size() * static_cast<size_t>(target[axis]));
        for (const int64_t offset : result) {
            for (int64_t i = 0; i < target[axis]; ++i) next.push_back(offset + i * stride);
        }
        result = std::move(next);
    }
    return result;
}

std::vector<int64_t> broadcastOffsets(const Dims& target, const Dims& dims, const char* what) {
    bool fits = dims.size() <= target.size();
    for (size_t i = 0; fits && i < dims.size(); ++i) {
        const int64_t wanted = target[target.size() - dims.size() + i];
        fits = dims[i] == 1 || dims[i] == wanted;
    }
    if (!fits) {
        fail(what, ": found shape ", listText(dims), ", expected one that broadcasts to ", listText(target));
    }
    return broadcastOffsets(target, dims, rowMajorStrides(dims));
}

}  // namespace engine
