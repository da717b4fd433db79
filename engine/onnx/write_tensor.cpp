#include "engine/onnx/write_tensor.h"

#include "engine/core/dispatch.h"
#include "engine/core/error.h"

namespace engine::onnx {
namespace {

std::vector<std::byte> packedElements(const Tensor& tensor) {
    const size_t bits = bitsInFile(tensor.type());
    const std::span<const uint8_t> elements = elementsAs<uint8_t>(tensor);
    std::vector<std::byte> packed((elements.size() * bits + 7) / 8);
    const unsigned mask = (1U << bits) - 1;
    for (size_t i = 0; i < elements.size(); ++i) {
        const unsigned shifted = (elements[i] & mask) << (i * bits % 8);
        packed[i * bits / 8] |= static_cast<std::byte>(shifted & 0xFFU);
        if (shifted > 0xFFU) packed[i * bits / 8 + 1] |= static_cast<std::byte>(shifted >> 8);
    }
    return packed;
}

/// The elements as the numbers of their memory form, which is what int32_data and uint64_data hold.
template <class Stored, class List>
void append(const Tensor& tensor, List& list) {
    for (const Stored value : elementsAs<Stored>(tensor))
        list.Add(static_cast<typename List::value_type>(value));
}

void writeTyped(const Tensor& tensor, proto::TensorProto& into) {
    switch (tensor.type()) {
        case DataType::string:
            for (const String& value : tensor.values<String>()) {
                into.add_string_data(value.data(), value.size());
            }
            return;
        case DataType::float32:
            return append<float>(tensor, *into.mutable_float_data());
        case DataType::float64:
            return append<double>(tensor, *into.mutable_double_data());
        case DataType::complex64:
            for (const std::complex<float> value : tensor.values<std::complex<float>>()) {
                into.add_float_data(value.real());
                into.add_float_data(value.imag());
            }
            return;
        case DataType::complex128:
            for (const std::complex<double> value : tensor.values<std::complex<double>>()) {
                into.add_double_data(value.real());
                into.add_double_data(value.imag());
            }
            return;
        case DataType::int64:
            return append<int64_t>(tensor, *into.mutable_int64_data());
        case DataType::uint64:
            return append<uint64_t>(tensor, *into.mutable_uint64_data());
        case DataType::uint32:
            return append<uint32_t>(tensor, *into.mutable_uint64_data());
        case DataType::int32:
            return append<int32_t>(tensor, *into.mutable_int32_data());
        case DataType::int16:
            return append<int16_t>(tensor, *into.mutable_int32_data());
        case DataType::int8:
            return append<int8_t>(tensor, *into.mutable_int32_data());
        default:
            break;
    }
    if (8 % bitsInFile(tensor.type()) == 0 && bitsInFile(tensor.type()) < 8) {
        for (const std::byte byte : packedElements(tensor))
            into.add_int32_data(std::to_integer<int32_t>(byte));
    } else if (bytesInMemory(tensor.type()) == 2) {
        append<uint16_t>(tensor, *into.mutable_int32_data());
    } else {
        append<uint8_t>(tensor, *into.mutable_int32_data());
    }
}

}  // namespace

std::span<const std::byte> rawElements(const Tensor& tensor, std::vector<std::byte>& packed) {
    if (bitsInFile(tensor.type()) < 8) {
        packed = packedElements(tensor);
        return packed;
    }
    return {static_cast<const std::byte*>(tensor.data()), tensor.bytes()};
}

void writeTensor(const Tensor& tensor, Elements elements, proto::TensorProto& into) {
    into.set_data_type(static_cast<int>(tensor.type()));
    for (const int64_t dim : tensor.dims()) into.add_dims(dim);
    if (elements == Elements::typed || tensor.type() == DataType::string) return writeTyped(tensor, into);
    std::vector<std::byte> packed;
    const std::span<const std::byte> raw = rawElements(tensor, packed);
    into.mutable_raw_data()->assign(reinterpret_cast<const char*>(raw.data()), raw.size());
}

void writeSparse(const SparseTensor& tensor, Elements elements, proto::SparseTensorProto& into) {
    writeTensor(tensor.values, elements, *into.mutable_values());
    writeTensor(tensor.indices, elements, *into.mutable_indices());
    for (const int64_t dim : tensor.dims) into.add_dims(dim);
}

namespace {

template <class Container>
void writeInner(const Type& type, Container* container) {
    if (type.inner) writeType(*type.inner, *container->mutable_elem_type());
}

template <class TensorType>
void writeTensorType(const Type& type, TensorType* into) {
    into->set_elem_type(static_cast<int>(type.element));
    if (!type.shape) return;
    proto::TensorShapeProto& shape = *into->mutable_shape();
    for (const Dim& dim : *type.shape) {
        proto::TensorShapeProto_Dimension& one = *shape.add_dim();
        if (dim.isNumber()) {
            one.set_dim_value(dim.number());
        } else if (!dim.isUnknown()) {
            one.set_dim_param(dim.text());
        }
    }
}

}  // namespace

void writeType(const Type& type, proto::TypeProto& into) {
    switch (type.kind) {
        case Type::Kind::unknown:
            return;
        case Type::Kind::tensor:
            return writeTensorType(type, into.mutable_tensor_type());
        case Type::Kind::sparseTensor:
            return writeTensorType(type, into.mutable_sparse_tensor_type());
        case Type::Kind::sequence:
            return writeInner(type, into.mutable_sequence_type());
        case Type::Kind::optional:
            return writeInner(type, into.mutable_optional_type());
        case Type::Kind::map:
            into.mutable_map_type()->set_key_type(static_cast<int>(type.key));
            if (type.inner) writeType(*type.inner, *into.mutable_map_type()->mutable_value_type());
            return;
    }
}

}  // namespace engine::onnx
