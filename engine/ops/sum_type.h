#pragma once

#include <complex>
#include <concepts>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/ops/checks.h"

namespace engine {

/// The type in which kernels add up products of T: float for the 16-bit floating-point types; for integers
/// the unsigned type of the same size, which wraps around as ONNX's integers do.
template <class T>
struct SumTypeOf {
    using Type = std::conditional_t<std::is_same_v<T, double>, double, float>;
};
template <std::integral T>
struct SumTypeOf<T> {
    using Type = std::make_unsigned_t<T>;
};
template <class Real>
struct SumTypeOf<std::complex<Real>> {
    using Type = std::complex<Real>;
};
template <class T>
using SumType = typename SumTypeOf<T>::Type;

/// A tensor of T seen as its SumType: the tensor's own memory where that is the same representation, a copy
/// where not.
template <class T>
class Widened {
public:
    /// Throws Error, naming the tensor `what`, unless its elements are of type T.
    Widened(const Tensor& tensor, const char* what) {
        checkElement(tensor, dataTypeOf<T>, what);
        if constexpr (sizeof(T) == sizeof(SumType<T>)) {
            values_ = {static_cast<const SumType<T>*>(tensor.data()), static_cast<size_t>(tensor.elements())};
        } else {
            const auto narrow = tensor.values<T>();
            copy_.assign(narrow.begin(), narrow.end());
            values_ = copy_;
        }
    }
    Widened(const Widened&) = delete;
    Widened& operator=(const Widened&) = delete;

    const SumType<T>* data() const { return values_.data(); }
    std::span<const SumType<T>> values() const { return values_; }

private:
    std::vector<SumType<T>> copy_;
    std::span<const SumType<T>> values_;
};

}  // namespace engine
