#include "engine/core/tensor.h"

#include <algorithm>
#include <memory>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace engine {

namespace {

constexpr size_t alignment = 64;

std::shared_ptr<void> allocateBytes(size_t bytes, DataType type, const Dims& dims) {
    try {
        return {allocateCounted(bytes, alignment), [](void* memory) { freeCounted(memory, alignment); }};
    } catch (const Error& error) {
        fail("a tensor ", type, listText(dims), " ", error.what());
    }
}

std::shared_ptr<void> allocateStrings(const std::shared_ptr<void>& memory, size_t count) {
    auto* strings = static_cast<String*>(memory.get());
    std::uninitialized_value_construct_n(strings, count);
    return {strings, [memory, count](String* first) { std::destroy_n(first, count); }};
}

}  // namespace

int64_t elementCount(const Dims& dims) {
    int64_t count = 1;
    bool overflows = false;
    for (const int64_t dim : dims) {
        if (dim < 0) fail("a tensor cannot have the dims ", listText(dims), ": ", dim, " is negative");
        if (dim == 0) return 0;
        overflows = overflows || __builtin_mul_overflow(count, dim, &count);
    }
    if (overflows) fail("a tensor cannot have the dims ", listText(dims), ": the element count overflows");
    return count;
}

Tensor Tensor::allocate(DataType type, Dims dims) {
    if (type == DataType::undefined) fail("a tensor needs an element type");
    Tensor tensor;
    tensor.elements_ = elementCount(dims);
    size_t bytes = 0;
    if (__builtin_mul_overflow(static_cast<size_t>(tensor.elements_), bytesInMemory(type), &bytes) ||
        bytes > static_cast<size_t>(INT64_MAX)) {
        fail("a tensor ", type, listText(dims), " is larger than memory can be");
    }
    tensor.owner_ = allocateBytes(bytes, type, dims);
    if (type == DataType::string) {
        tensor.owner_ = allocateStrings(tensor.owner_, static_cast<size_t>(tensor.elements_));
    }
    tensor.data_ = tensor.owner_.get();
    tensor.type_ = type;
    tensor.dims_ = std::move(dims);
    return tensor;
}

Tensor Tensor::ofStrings(Dims dims, std::span<const std::string> texts) {
    Tensor tensor = allocate(DataType::string, std::move(dims));
    std::copy(texts.begin(), texts.end(), static_cast<String*>(tensor.data_));
    return tensor;
}

Tensor Tensor::view(DataType type, Dims dims, const void* data, std::shared_ptr<const void> owner) {
    Tensor tensor;
    tensor.elements_ = elementCount(dims);
    tensor.type_ = type;
    tensor.dims_ = std::move(dims);
    tensor.data_ = const_cast<void*>(data);
    tensor.owner_ = std::const_pointer_cast<void>(std::move(owner));
    return tensor;
}

Tensor Tensor::reshaped(Dims dims) const {
    Tensor tensor = *this;
    tensor.elements_ = elementCount(dims);
    if (tensor.elements_ != elements_) {
        fail("a tensor of dims ", listText(dims_), " cannot be seen as ", listText(dims), ": ", elements_,
             " elements against ", tensor.elements_);
    }
    tensor.dims_ = std::move(dims);
    return tensor;
}

std::vector<int64_t> Tensor::toInt64() const {
    std::vector<int64_t> result(static_cast<size_t>(elements_));
    dispatchAmong<int64_t, int32_t, uint8_t, int8_t, uint16_t, int16_t, uint32_t, uint64_t, bool, Int4, UInt4,
                  Int2, UInt2>(type_, [&]<typename T>(std::type_identity<T>) {
        const std::span<const T> from = values<T>();
        std::transform(from.begin(), from.end(), result.begin(),
                       [](T value) { return static_cast<int64_t>(value); });
    });
    return result;
}

std::vector<double> Tensor::toDouble() const {
    std::vector<double> result(static_cast<size_t>(elements_));
    dispatchReal(type_, [&]<typename T>(std::type_identity<T>) {
        const std::span<const T> from = values<T>();
        std::transform(from.begin(), from.end(), result.begin(), [](T value) {
            if constexpr (std::is_arithmetic_v<T>) {
                return static_cast<double>(value);
            } else if constexpr (requires { value.value; }) {
                return static_cast<double>(static_cast<int>(value));
            } else {
                return static_cast<double>(static_cast<float>(value));
            }
        });
    });
    return result;
}

}  // namespace engine
