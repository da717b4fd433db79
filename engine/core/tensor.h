#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "engine/core/data_type.h"
#include "engine/core/dim.h"
#include "engine/core/memory.h"
#include "engine/core/number_types.h"
#include "engine/core/string.h"

namespace engine {

/// A dense, row-major tensor: element type, dims and a shared buffer. Copying shares the buffer; a published
/// tensor is never written again. May be a view of a mapped model file. Sub-byte elements take one byte each.
class Tensor {
public:
    /// No tensor: type undefined, no data.
    Tensor() = default;

    /// A new buffer, 64-byte aligned, contents unset (strings empty). Throws Error when the size overflows,
    /// exceeds the thread's MemoryLimit, or cannot be had.
    static Tensor allocate(DataType type, Dims dims);

    /// Borrows `data`, kept alive by `owner`, which may be null if the caller guarantees the lifetime.
    static Tensor view(DataType type, Dims dims, const void* data, std::shared_ptr<const void> owner);

    /// A tensor whose buffer `make` provides when data() is first called (once, thread-safe): how constants
    /// that cannot be views of the model file cost nothing until they are used. `make` returns a tensor of
    /// this type and these dims, or throws Error; then the next call tries again.
    static Tensor deferred(DataType type, Dims dims, std::function<Tensor()> make);

    /// A copy of `values`; their count must be the product of the dims.
    template <class T>
    static Tensor of(Dims dims, std::span<const T> values);
    template <class T>
    static Tensor of(Dims dims, std::initializer_list<T> values) {
        return of<T>(std::move(dims), std::span<const T>(values.begin(), values.size()));
    }
    template <class T>
    static Tensor scalar(T value) {
        return of<T>({}, {value});
    }
    /// A copy of `texts`; their count must be the product of the dims.
    static Tensor ofStrings(Dims dims, std::span<const std::string> texts);

    bool isDefined() const { return type_ != DataType::undefined; }
    DataType type() const { return type_; }
    const Dims& dims() const { return dims_; }
    int64_t rank() const { return static_cast<int64_t>(dims_.size()); }
    int64_t elements() const { return elements_; }
    size_t bytes() const { return static_cast<size_t>(elements_) * bytesInMemory(type_); }

    const void* data() const { return deferred_ != nullptr ? deferredData() : data_; }
    void* mutableData() { return deferred_ != nullptr ? deferredData() : data_; }
    const std::shared_ptr<void>& owner() const { return owner_; }

    /// The elements. T must be the C++ type of type(): checked by assert.
    template <class T>
    std::span<const T> values() const;
    template <class T>
    std::span<T> mutableValues();

    /// The same buffer under other dims of the same element count.
    Tensor reshaped(Dims dims) const;

    /// Integer types and bool widened to int64; throws Error for other types.
    std::vector<int64_t> toInt64() const;
    /// Numbers as double (bool as 0 and 1); throws Error for strings and complex numbers.
    std::vector<double> toDouble() const;

private:
    struct Deferred;
    void* deferredData() const;

    DataType type_ = DataType::undefined;
    Dims dims_;
    int64_t elements_ = 0;
    void* data_ = nullptr;
    std::shared_ptr<void> owner_;
    Deferred* deferred_ = nullptr;  ///< lives in owner_
};

/// The product of the dims; throws Error on a negative dim or when the product overflows.
int64_t elementCount(const Dims& dims);

/// The DataType of a C++ type.
template <class T>
inline constexpr DataType dataTypeOf = DataType::undefined;
template <>
inline constexpr DataType dataTypeOf<float> = DataType::float32;
template <>
inline constexpr DataType dataTypeOf<uint8_t> = DataType::uint8;
template <>
inline constexpr DataType dataTypeOf<int8_t> = DataType::int8;
template <>
inline constexpr DataType dataTypeOf<uint16_t> = DataType::uint16;
template <>
inline constexpr DataType dataTypeOf<int16_t> = DataType::int16;
template <>
inline constexpr DataType dataTypeOf<int32_t> = DataType::int32;
template <>
inline constexpr DataType dataTypeOf<int64_t> = DataType::int64;
template <>
inline constexpr DataType dataTypeOf<String> = DataType::string;
template <>
inline constexpr DataType dataTypeOf<bool> = DataType::boolean;
template <>
inline constexpr DataType dataTypeOf<Float16> = DataType::float16;
template <>
inline constexpr DataType dataTypeOf<double> = DataType::float64;
template <>
inline constexpr DataType dataTypeOf<uint32_t> = DataType::uint32;
template <>
inline constexpr DataType dataTypeOf<uint64_t> = DataType::uint64;
template <>
inline constexpr DataType dataTypeOf<std::complex<float>> = DataType::complex64;
template <>
inline constexpr DataType dataTypeOf<std::complex<double>> = DataType::complex128;
template <>
inline constexpr DataType dataTypeOf<BFloat16> = DataType::bfloat16;
template <>
inline constexpr DataType dataTypeOf<Float8E4M3FN> = DataType::float8e4m3fn;
template <>
inline constexpr DataType dataTypeOf<Float8E4M3FNUZ> = DataType::float8e4m3fnuz;
template <>
inline constexpr DataType dataTypeOf<Float8E5M2> = DataType::float8e5m2;
template <>
inline constexpr DataType dataTypeOf<Float8E5M2FNUZ> = DataType::float8e5m2fnuz;
template <>
inline constexpr DataType dataTypeOf<Float8E8M0> = DataType::float8e8m0;
template <>
inline constexpr DataType dataTypeOf<Float4E2M1> = DataType::float4e2m1;
template <>
inline constexpr DataType dataTypeOf<Float6E2M3> = DataType::float6e2m3;
template <>
inline constexpr DataType dataTypeOf<Float6E3M2> = DataType::float6e3m2;
template <>
inline constexpr DataType dataTypeOf<UInt4> = DataType::uint4;
template <>
inline constexpr DataType dataTypeOf<Int4> = DataType::int4;
template <>
inline constexpr DataType dataTypeOf<UInt2> = DataType::uint2;
template <>
inline constexpr DataType dataTypeOf<Int2> = DataType::int2;

}  // namespace engine

#include "engine/core/tensor_inl.h"
