#include "engine/ops/indices.h"

#include "engine/core/error.h"
#include "engine/ops/offsets.h"

namespace engine {

int64_t countedIndex(int64_t index, int64_t length) {
    const int64_t position = index < 0 ? index + length : index;
    if (position < 0 || position >= length) {
        fail("indices: found ", index, ", expected -", length, " to ", length - 1);
    }
    return position;
}

void checkIsInt64(const InferContext& context, size_t index, const char* what) {
    const DataType found = context.inputElement(index);
    if (found != DataType::int64 && found != DataType::undefined)
        fail(what, ": found elements of type ", found, ", expected int64");
}

void checkWithin(const Dims& inner, const Dims& outer, size_t axis, const char* what) {
    bool fits = inner.size() == outer.size();
    for (size_t i = 0; fits && i < inner.size(); ++i) fits = i == axis || inner[i] <= outer[i];
    if (!fits) {
        fail(what, ": found shape ", listText(inner), ", expected the rank of ", listText(outer),
             " and no longer axes");
    }
}

std::vector<int64_t> sliceStarts(const Tensor& indices, const Dims& dims, size_t first) {
    if (indices.rank() == 0) fail("indices: found a scalar, expected tuples along a last axis");
    const auto length = static_cast<size_t>(indices.dims().back());
    if (first + length > dims.size()) {
        fail("indices: found tuples of ", length, " for shape ", listText(dims), ", expected at most ",
             dims.size() - first);
    }
    const Dims strides = rowMajorStrides(dims);
    const std::vector<int64_t> numbers = indices.toInt64();
    const Dims outer(indices.dims().begin(), indices.dims().end() - 1);
    std::vector<int64_t> starts(static_cast<size_t>(elementCount(outer)), 0);
    for (size_t i = 0; i < starts.size(); ++i) {
        for (size_t k = 0; k < length; ++k) {
            starts[i] += countedIndex(numbers[i * length + k], dims[first + k]) * strides[first + k];
        }
    }
    return starts;
}

}  // namespace engine
