#pragma once

#include <optional>
#include <span>

#include "engine/core/tensor.h"
#include "engine/core/type.h"

namespace engine {

class InferContext;

// What operators check of their inputs. `what` names the input in the message: "bias", "weights".

/// Throws Error unless the tensor's elements are of this type.
void checkElement(const Tensor& tensor, DataType expected, const char* what);

/// Throws Error unless the tensor has exactly these dims.
void checkDims(const Tensor& tensor, const Dims& expected, const char* what);

/// Throws Error unless the tensor has this rank.
void checkRank(const Tensor& tensor, int64_t expected, const char* what);

/// Throws Error unless the tensor has at least this rank.
void checkRankAtLeast(const Tensor& tensor, int64_t smallest, const char* what);

/// The single element of a tensor of any rank; throws Error if it has more or fewer.
template <class T>
T onlyElement(const Tensor& tensor, const char* what);

/// The elements; throws Error unless they are of type T.
template <class T>
std::span<const T> checkedValues(const Tensor& tensor, const char* what) {
    checkElement(tensor, dataTypeOf<T>, what);
    return tensor.values<T>();
}

/// The dims of an input; nothing if it is omitted or they are not all numbers yet.
std::optional<Dims> knownDims(const InferContext& context, size_t index);

/// Two dims that must agree: the one that says more. Throws Error if both are numbers and differ.
Dim agreed(const Dim& left, const Dim& right, const char* what);

[[noreturn]] void failNotSingle(const Tensor& tensor, const char* what);

template <class T>
T onlyElement(const Tensor& tensor, const char* what) {
    const auto values = checkedValues<T>(tensor, what);
    if (values.size() != 1) failNotSingle(tensor, what);
    return values[0];
}

}  // namespace engine
