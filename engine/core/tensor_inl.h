#pragma once

#include <algorithm>
#include <cassert>

#include "engine/core/tensor.h"

namespace engine {

template <class T>
std::span<const T> Tensor::values() const {
    static_assert(dataTypeOf<T> != DataType::undefined);
    assert(dataTypeOf<T> == type_);
    return {static_cast<const T*>(data()), static_cast<size_t>(elements_)};
}

template <class T>
std::span<T> Tensor::mutableValues() {
    static_assert(dataTypeOf<T> != DataType::undefined);
    assert(dataTypeOf<T> == type_);
    return {static_cast<T*>(mutableData()), static_cast<size_t>(elements_)};
}

template <class T>
Tensor Tensor::of(Dims dims, std::span<const T> values) {
    static_assert(dataTypeOf<T> != DataType::undefined);
    Tensor tensor = allocate(dataTypeOf<T>, std::move(dims));
    assert(static_cast<size_t>(tensor.elements_) == values.size());
    std::copy(values.begin(), values.end(), static_cast<T*>(tensor.data_));
    return tensor;
}

}  // namespace engine
