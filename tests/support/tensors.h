#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/core/datum.h"

namespace test {

/// A tensor of T whose elements are the numbers, converted: numbers<Float16>({2}, {0.5, 2}).
template <class T>
engine::Tensor numbers(engine::Dims dims, std::initializer_list<double> values) {
    engine::Tensor tensor = engine::Tensor::allocate(engine::dataTypeOf<T>, std::move(dims));
    auto element = tensor.mutableValues<T>().begin();
    for (const double value : values) {
        if constexpr (std::is_arithmetic_v<T>) {
            *element++ = static_cast<T>(value);
        } else if constexpr (sizeof(T) == 1 && std::is_constructible_v<T, int64_t> &&
                             !std::is_constructible_v<T, float, engine::Overflow>) {
            *element++ = T(static_cast<int64_t>(value));
        } else {
            *element++ = T(static_cast<float>(value));
        }
    }
    return tensor;
}

/// A tensor whose element i, counted through, is T(of(i)).
template <class T, class Function>
engine::Tensor counted(engine::Dims dims, const Function& of) {
    engine::Tensor tensor = engine::Tensor::allocate(engine::dataTypeOf<T>, std::move(dims));
    int64_t index = 0;
    for (T& element : tensor.mutableValues<T>()) element = static_cast<T>(of(index++));
    return tensor;
}

inline engine::Tensor floats(engine::Dims dims, std::initializer_list<float> values) {
    return engine::Tensor::of<float>(std::move(dims), values);
}
inline engine::Tensor doubles(engine::Dims dims, std::initializer_list<double> values) {
    return engine::Tensor::of<double>(std::move(dims), values);
}
inline engine::Tensor int64s(engine::Dims dims, std::initializer_list<int64_t> values) {
    return engine::Tensor::of<int64_t>(std::move(dims), values);
}
inline engine::Tensor int32s(engine::Dims dims, std::initializer_list<int32_t> values) {
    return engine::Tensor::of<int32_t>(std::move(dims), values);
}
inline engine::Tensor bools(engine::Dims dims, std::initializer_list<bool> values) {
    return engine::Tensor::of<bool>(std::move(dims), values);
}
inline engine::Tensor strings(engine::Dims dims, std::initializer_list<std::string> values) {
    return engine::Tensor::ofStrings(std::move(dims), std::span(values.begin(), values.size()));
}

/// A sequence of tensors, all of the first one's element type.
engine::Datum sequence(std::vector<engine::Tensor> items);
engine::Datum emptySequence(engine::Type element);

}  // namespace test
