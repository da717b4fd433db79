#include "engine/onnx/tensor_data.h"

#include <cstring>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/core/utf.h"
#include "engine/onnx/wire.h"

namespace engine::onnx {
namespace {

constexpr uint64_t smallBytes = 4096;

uint64_t fileBytes(DataType type, int64_t elements) {
    uint64_t bits = 0;
    if (__builtin_mul_overflow(static_cast<uint64_t>(elements), uint64_t{bitsInFile(type)}, &bits)) {
        fail("its ", elements, " elements are more than a file can hold");
    }
    return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

/// Small tensors are made at once; larger ones when first looked at, and then an error names them.
Tensor makeOrDefer(DataType type, Dims dims, uint64_t bytes, const std::string& name,
                   std::function<Tensor()> make) {
    if (bytes <= smallBytes) return make();
    return Tensor::deferred(type, std::move(dims), [name, make = std::move(make)] {
        try {
            return make();
        } catch (Error& error) {
            if (!name.empty()) error.addContext("tensor '" + printable(name) + "'");
            throw;
        }
    });
}

/// The value of `bits` bits at element `index` of a stream of bits, low ones first; sign-extended where the
/// type is signed.
uint8_t unpacked(const std::byte* data, size_t index, size_t bits, bool isSignedInteger) {
    const size_t first = index * bits;
    const size_t shift = first % 8;
    unsigned word = std::to_integer<unsigned>(data[first / 8]);
    if (shift + bits > 8) word |= std::to_integer<unsigned>(data[first / 8 + 1]) << 8;
    const unsigned mask = (1U << bits) - 1;
    unsigned value = (word >> shift) & mask;
    if (isSignedInteger && (value >> (bits - 1)) != 0) value |= ~mask;
    return static_cast<uint8_t>(value);
}

Tensor unpack(DataType type, const Dims& dims, std::span<const std::byte> packed) {
    Tensor tensor = Tensor::allocate(type, dims);
    const std::span<uint8_t> out = mutableElementsAs<uint8_t>(tensor);
    const bool isSignedInteger = isInteger(type) && isSigned(type);
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = unpacked(packed.data(), i, bitsInFile(type), isSignedInteger);
    return tensor;
}

Tensor booleans(const Dims& dims, std::span<const std::byte> raw) {
    Tensor tensor = Tensor::allocate(DataType::boolean, dims);
    std::transform(raw.begin(), raw.end(), tensor.mutableValues<bool>().begin(),
                   [](std::byte byte) { return byte != std::byte{0}; });
    return tensor;
}

Tensor copied(DataType type, const Dims& dims, std::span<const std::byte> raw) {
    Tensor tensor = Tensor::allocate(type, dims);
    if (!raw.empty()) std::memcpy(tensor.mutableData(), raw.data(), raw.size());
    return tensor;
}

/// Calls `use(field)` for each field of that number in the message.
template <class Use>
void eachField(std::span<const std::byte> bytes, const TensorPayload& payload, uint32_t number,
               const Use& use) {
    for (uint64_t position = payload.begin; position < payload.end;) {
        const std::optional<WireField> field = readField(bytes, position, payload.end);
        if (!field) return;
        if (field->number == number && !field->isCut()) use(*field);
        position = field->end;
    }
}

/// The numbers of a repeated varint field, in order.
template <class Use>
void eachVarint(std::span<const std::byte> bytes, const TensorPayload& payload, uint32_t number,
                const Use& use) {
    eachField(bytes, payload, number, [&](const WireField& field) {
        const bool isPacked = field.type == WireType::bytes;
        if (isPacked ? !countVarints(bytes, field.content, field.end) : field.type != WireType::varint)
            return;
        for (uint64_t position = field.content; position < field.end;) {
            const std::optional<uint64_t> value = readVarint(bytes, position, field.end);
            if (!value) return;
            use(*value);
        }
    });
}

template <class T>
Tensor fixedNumbers(std::span<const std::byte> bytes, const TensorPayload& payload, uint32_t number,
                    DataType type, const Dims& dims) {
    Tensor tensor = Tensor::allocate(type, dims);
    auto* out = static_cast<std::byte*>(tensor.mutableData());
    const std::byte* const end = out + tensor.bytes();
    eachField(bytes, payload, number, [&](const WireField& field) {
        const uint64_t size = std::min<uint64_t>(field.end - field.content, static_cast<uint64_t>(end - out));
        if (field.type == WireType::varint || size % sizeof(T) != 0) return;
        std::memcpy(out, bytes.data() + field.content, size);
        out += size;
    });
    return tensor;
}

template <class Stored>
Tensor varints(std::span<const std::byte> bytes, const TensorPayload& payload, uint32_t number, DataType type,
               const Dims& dims) {
    Tensor tensor = Tensor::allocate(type, dims);
    const std::span<Stored> out = mutableElementsAs<Stored>(tensor);
    size_t next = 0;
    eachVarint(bytes, payload, number, [&](uint64_t value) {
        if (next == out.size()) return;
        out[next++] = type == DataType::boolean ? Stored{value != 0} : static_cast<Stored>(value);
    });
    return tensor;
}

Tensor packedVarints(std::span<const std::byte> bytes, const TensorPayload& payload, DataType type,
                     const Dims& dims) {
    std::vector<std::byte> packed;
    eachVarint(bytes, payload, 5, [&](uint64_t value) { packed.push_back(static_cast<std::byte>(value)); });
    return unpack(type, dims, packed);
}

Tensor strings(std::span<const std::byte> bytes, const TensorPayload& payload, const Dims& dims) {
    Tensor tensor = Tensor::allocate(DataType::string, dims);
    const std::span<String> out = tensor.mutableValues<String>();
    size_t next = 0;
    eachField(bytes, payload, 6, [&](const WireField& field) {
        if (field.type != WireType::bytes || next == out.size()) return;
        out[next++].assign(reinterpret_cast<const char*>(bytes.data()) + field.content,
                           field.end - field.content);
    });
    return tensor;
}

/// Which of the typed fields a type's elements stand in, how many entries it has and how many it needs.
struct TypedField {
    const char* name;
    uint32_t number;
    uint64_t found;
    uint64_t needed;
};

TypedField typedField(DataType type, uint64_t elements, const TensorPayload& payload) {
    switch (type) {
        case DataType::float32:
            return {"float_data", 4, payload.floats, elements};
        case DataType::complex64:
            return {"float_data", 4, payload.floats, 2 * elements};
        case DataType::float64:
            return {"double_data", 10, payload.doubles, elements};
        case DataType::complex128:
            return {"double_data", 10, payload.doubles, 2 * elements};
        case DataType::int64:
            return {"int64_data", 7, payload.int64s, elements};
        case DataType::uint32:
        case DataType::uint64:
            return {"uint64_data", 11, payload.uint64s, elements};
        case DataType::string:
            return {"string_data", 6, payload.strings, elements};
        default: {
            const uint64_t perEntry = std::max<uint64_t>(8 / bitsInFile(type), 1);
            return {"int32_data", 5, payload.int32s,
                    elements / perEntry + (elements % perEntry != 0 ? 1 : 0)};
        }
    }
}

Tensor makeTyped(DataType type, const Dims& dims, std::span<const std::byte> bytes,
                 const TensorPayload& payload, uint32_t number) {
    switch (number) {
        case 4:
            return fixedNumbers<float>(bytes, payload, number, type, dims);
        case 10:
            return fixedNumbers<double>(bytes, payload, number, type, dims);
        case 6:
            return strings(bytes, payload, dims);
        default:
            break;
    }
    // Elements that would straddle bytes stand alone in their entries.
    if (bitsInFile(type) < 8 && 8 % bitsInFile(type) == 0) return packedVarints(bytes, payload, type, dims);
    switch (bytesInMemory(type)) {
        case 1:
            return varints<uint8_t>(bytes, payload, number, type, dims);
        case 2:
            return varints<uint16_t>(bytes, payload, number, type, dims);
        case 4:
            return varints<uint32_t>(bytes, payload, number, type, dims);
        default:
            return varints<uint64_t>(bytes, payload, number, type, dims);
    }
}

ExternalLocation externalLocation(const proto::TensorProto& tensor) {
    ExternalLocation where;
    for (const proto::StringStringEntryProto& entry : tensor.external_data()) {
        if (entry.key() == "location") where.location = entry.value();
        if (entry.key() == "offset") where.offset = entry.value();
        if (entry.key() == "length") where.length = entry.value();
    }
    return where;
}

/// The linear index of value `i`; throws Error if it lies outside.
int64_t linearIndex(const SparseTensor& sparse, std::span<const int64_t> indices, size_t i,
                    int64_t elements) {
    int64_t linear = 0;
    if (sparse.indices.rank() == 1) {
        linear = indices[i];
    } else {
        const size_t rank = sparse.dims.size();
        for (size_t axis = 0; axis < rank; ++axis) {
            const int64_t index = indices[i * rank + axis];
            if (index < 0 || index >= sparse.dims[axis]) {
                fail("sparse index ", index, " is out of range for dim ", sparse.dims[axis]);
            }
            linear = linear * sparse.dims[axis] + index;
        }
    }
    if (linear < 0 || linear >= elements)
        fail("sparse index ", linear, " is out of range for ", elements, " elements");
    return linear;
}

}  // namespace

DataType elementType(int number) {
    if (number <= 0 || number > static_cast<int>(DataType::float6e3m2)) {
        fail("found the element type number ", number, ", expected one from 1 to ",
             static_cast<int>(DataType::float6e3m2));
    }
    return static_cast<DataType>(number);
}

Tensor rawTensor(DataType type, Dims dims, std::span<const std::byte> raw, std::shared_ptr<const void> owner,
                 const std::string& name) {
    if (type == DataType::string) fail("found raw bytes, but strings must stand in string_data");
    const uint64_t needed = fileBytes(type, elementCount(dims));
    if (raw.size() != needed) {
        fail("found ", raw.size(), " bytes of elements, but ", type, listText(dims), " needs ", needed);
    }
    if (bitsInFile(type) < 8) {
        return makeOrDefer(type, dims, needed, name,
                           [type, dims, raw, owner] { return unpack(type, dims, raw); });
    }
    if (type == DataType::boolean) {
        return makeOrDefer(type, dims, needed, name, [dims, raw, owner] { return booleans(dims, raw); });
    }
    const bool isAligned =
        reinterpret_cast<uintptr_t>(raw.data()) % std::min<size_t>(bytesInMemory(type), 8) == 0;
    if (isAligned) return Tensor::view(type, std::move(dims), raw.data(), std::move(owner));
    return makeOrDefer(type, dims, needed, name,
                       [type, dims, raw, owner] { return copied(type, dims, raw); });
}

TensorReader::TensorReader(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                           std::vector<TensorPayload> payloads, ExternalFiles* external)
    : bytes_(bytes), owner_(std::move(owner)), payloads_(std::move(payloads)), external_(external) {}

const TensorPayload& TensorReader::payload(const proto::TensorProto& tensor) const {
    static const TensorPayload nothing;
    if (tensor.raw_data().size() != 4) return nothing;
    size_t index = 0;
    for (size_t i = 0; i < 4; ++i)
        index |= static_cast<size_t>(static_cast<unsigned char>(tensor.raw_data()[i])) << (8 * i);
    return index < payloads_.size() ? payloads_[index] : nothing;
}

std::optional<uint64_t> TensorReader::offset(const proto::TensorProto& tensor) const {
    const TensorPayload& where = payload(tensor);
    if (where.end == 0) return std::nullopt;
    return where.hasRaw ? where.rawBegin : where.begin;
}

Tensor TensorReader::read(const proto::TensorProto& tensor) const {
    const DataType type = elementType(tensor.data_type());
    if (tensor.dims_size() > mostAxes) fail("found ", tensor.dims_size(), " axes, expected 0 to ", mostAxes);
    Dims dims(tensor.dims().begin(), tensor.dims().end());
    if (tensor.has_segment()) fail("it is only a segment of a tensor, which is not supported");
    const int64_t elements = elementCount(dims);
    if (tensor.data_location() == proto::TensorProto_DataLocation_EXTERNAL) {
        if (external_ == nullptr) fail("its elements lie in another file, which is not allowed here");
        if (type == DataType::string) fail("its elements lie in another file, which strings cannot");
        const ExternalBytes data = external_->read(externalLocation(tensor), fileBytes(type, elements));
        return rawTensor(type, std::move(dims), data.bytes, data.owner, tensor.name());
    }
    const TensorPayload& where = payload(tensor);
    if (where.hasRaw && !(where.rawBytes == 0 && elements > 0)) {
        return rawTensor(type, std::move(dims), bytes_.subspan(where.rawBegin, where.rawBytes), owner_,
                         tensor.name());
    }
    return readTyped(type, std::move(dims), where, tensor.name());
}

Tensor TensorReader::readTyped(DataType type, Dims dims, const TensorPayload& where,
                               const std::string& name) const {
    const auto elements = static_cast<uint64_t>(elementCount(dims));
    if (elements > static_cast<uint64_t>(INT64_MAX) / 16) {
        fail(type, listText(dims), " is larger than memory can be");
    }
    const TypedField field = typedField(type, elements, where);
    if (field.found != field.needed) {
        fail("found ", field.found, " entries in ", field.name, " and no raw data, but ", type,
             listText(dims), " needs ", field.needed);
    }
    return makeOrDefer(type, dims, elements * bytesInMemory(type), name,
                       [type, dims, bytes = bytes_, where, number = field.number, owner = owner_] {
                           return makeTyped(type, dims, bytes, where, number);
                       });
}

SparseTensor TensorReader::read(const proto::SparseTensorProto& tensor) const {
    SparseTensor sparse{.values = read(tensor.values()),
                        .indices = read(tensor.indices()),
                        .dims = Dims(tensor.dims().begin(), tensor.dims().end())};
    const Tensor& indices = sparse.indices;
    if (indices.type() != DataType::int64) fail("its indices are ", indices.type(), ", expected int64");
    if (sparse.values.rank() != 1) fail("its values have rank ", sparse.values.rank(), ", expected 1");
    const int64_t count = sparse.values.elements();
    const auto rank = static_cast<int64_t>(sparse.dims.size());
    if (indices.dims() != Dims{count} && indices.dims() != Dims{count, rank}) {
        fail("its indices have dims ", listText(indices.dims()), ", expected ", listText(Dims{count}), " or ",
             listText(Dims{count, rank}));
    }
    const std::span<const int64_t> places = indices.values<int64_t>();
    const int64_t elements = elementCount(sparse.dims);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) linearIndex(sparse, places, i, elements);
    return sparse;
}

namespace {

Tensor scattered(const SparseTensor& sparse) {
    Tensor dense = Tensor::allocate(sparse.values.type(), sparse.dims);
    const std::span<const int64_t> indices = sparse.indices.values<int64_t>();
    dispatchStorage(dense.type(), [&]<typename T>(std::type_identity<T>) {
        const std::span<T> out = mutableElementsAs<T>(dense);
        std::fill(out.begin(), out.end(), T{});
        const std::span<const T> values = elementsAs<T>(sparse.values);
        for (size_t i = 0; i < values.size(); ++i)
            out[static_cast<size_t>(linearIndex(sparse, indices, i, dense.elements()))] = values[i];
    });
    return dense;
}

}  // namespace

Tensor denseTensor(const SparseTensor& sparse, const std::string& name) {
    const int64_t elements = elementCount(sparse.dims);
    const uint64_t bytes = elements > 1 << 12 ? UINT64_MAX : static_cast<uint64_t>(elements);
    return makeOrDefer(sparse.values.type(), sparse.dims, bytes, name,
                       [sparse] { return scattered(sparse); });
}

}  // namespace engine::onnx
