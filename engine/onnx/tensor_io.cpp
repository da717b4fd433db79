#include "engine/onnx/tensor_io.h"

#include <google/protobuf/io/coded_stream.h>
#include <onnx/onnx-data.pb.h>

#include "engine/core/atomic_file.h"
#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/onnx/mapped_file.h"
#include "engine/onnx/tensor_data.h"
#include "engine/onnx/wire_skim.h"
#include "engine/onnx/write_tensor.h"

namespace engine::onnx {
namespace {

/// Converts one file's messages.
class DatumReader {
public:
    explicit DatumReader(const std::filesystem::path& path) : file_(MappedFile::open(path)) {}

    template <class Proto>
    Proto parse(Message kind) {
        Observer observer;
        Skim skimmed = skim(file_->bytes(), kind, observer);
        if (!skimmed.faults.empty()) {
            const Fault& fault = skimmed.faults.front();
            fail("at byte ", fault.offset, fault.where.empty() ? "" : " (" + fault.where + ")", ": ",
                 fault.what);
        }
        Proto proto;
        google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(skimmed.rest.data()),
                                                      static_cast<int>(skimmed.rest.size()));
        stream.SetRecursionLimit(2 * deepestNesting);
        if (!proto.MergePartialFromCodedStream(&stream)) fail("protobuf cannot read it");
        tensors_.emplace(file_->bytes(), file_, std::move(skimmed.payloads), nullptr);
        return proto;
    }

    Datum read(const proto::TensorProto& tensor) const { return tensors_->read(tensor); }
    Datum read(const proto::SparseTensorProto& tensor) const { return tensors_->read(tensor); }
    Datum read(const proto::SequenceProto& from) const;
    Datum read(const proto::MapProto& from) const;
    Datum read(const proto::OptionalProto& from) const;

private:
    std::shared_ptr<const MappedFile> file_;
    std::optional<TensorReader> tensors_;
};

Datum DatumReader::read(const proto::SequenceProto& from) const {
    Sequence sequence;
    for (const auto& item : from.tensor_values()) sequence.items.push_back(read(item));
    for (const auto& item : from.sparse_tensor_values()) sequence.items.push_back(read(item));
    for (const auto& item : from.sequence_values()) sequence.items.push_back(read(item));
    for (const auto& item : from.map_values()) sequence.items.push_back(read(item));
    for (const auto& item : from.optional_values()) sequence.items.push_back(read(item));
    if (!sequence.items.empty()) sequence.element = sequence.items.front().type();
    // The items of a sequence share an element type, not a shape.
    if (sequence.element.isTensor()) sequence.element.shape = std::nullopt;
    return sequence;
}

/// The scalars (or one-element tensors) of a sequence, in one tensor.
Tensor joined(const Sequence& sequence) {
    const auto count = static_cast<int64_t>(sequence.items.size());
    if (count == 0) fail("found a map without values, whose type is not known");
    const DataType type = sequence.items.front().tensor().type();
    Tensor result = Tensor::allocate(type, {count});
    dispatchStorage(type, [&]<typename T>(std::type_identity<T>) {
        const std::span<T> out = mutableElementsAs<T>(result);
        for (size_t i = 0; i < sequence.items.size(); ++i) {
            const Tensor& item = sequence.items[i].tensor();
            if (item.type() != type || item.elements() != 1) {
                fail("found the value ", typeText(sequence.items[i].type()), " in a map, expected one ",
                     type);
            }
            out[i] = elementsAs<T>(item)[0];
        }
    });
    return result;
}

Datum DatumReader::read(const proto::MapProto& from) const {
    const Datum values = read(from.values());
    Map map{.keys = {}, .values = joined(values.sequence())};
    const int64_t count = map.values.elements();
    if (from.string_keys_size() > 0) {
        const std::vector<String> keys(from.string_keys().begin(), from.string_keys().end());
        if (static_cast<int64_t>(keys.size()) != count)
            fail("found ", keys.size(), " keys for ", count, " values");
        map.keys = Tensor::of<String>({count}, std::span(keys));
    } else {
        const std::vector<int64_t> keys(from.keys().begin(), from.keys().end());
        if (static_cast<int64_t>(keys.size()) != count)
            fail("found ", keys.size(), " keys for ", count, " values");
        map.keys = Tensor::of<int64_t>({count}, std::span(keys));
    }
    return map;
}

Datum DatumReader::read(const proto::OptionalProto& from) const {
    if (from.has_tensor_value()) return read(from.tensor_value());
    if (from.has_sparse_tensor_value()) return read(from.sparse_tensor_value());
    if (from.has_sequence_value()) return read(from.sequence_value());
    if (from.has_map_value()) return read(from.map_value());
    if (from.has_optional_value()) return read(from.optional_value());
    return {};
}

NamedValue readAs(const std::filesystem::path& path, const Type& expected) {
    DatumReader reader(path);
    switch (expected.kind) {
        case Type::Kind::sequence: {
            const auto from = reader.parse<proto::SequenceProto>(Message::sequence);
            Sequence sequence = reader.read(from).sequence();
            if (sequence.items.empty() && expected.inner) sequence.element = *expected.inner;
            return {.name = from.name(), .datum = std::move(sequence)};
        }
        case Type::Kind::optional: {
            const auto from = reader.parse<proto::OptionalProto>(Message::optional);
            return {.name = from.name(), .datum = reader.read(from)};
        }
        case Type::Kind::map: {
            const auto from = reader.parse<proto::MapProto>(Message::map);
            return {.name = from.name(), .datum = reader.read(from)};
        }
        case Type::Kind::sparseTensor: {
            const auto from = reader.parse<proto::SparseTensorProto>(Message::sparseTensor);
            return {.name = from.values().name(), .datum = reader.read(from)};
        }
        default: {
            const auto from = reader.parse<proto::TensorProto>(Message::tensor);
            return {.name = from.name(), .datum = reader.read(from)};
        }
    }
}

void write(const Datum& datum, proto::TensorProto& into) { writeTensor(datum.tensor(), Elements::raw, into); }

void write(const Map& map, proto::MapProto& into) {
    into.set_key_type(static_cast<int>(map.keys.type()));
    if (map.keys.type() == DataType::string) {
        for (const String& key : map.keys.values<String>()) {
            into.add_string_keys(key.data(), key.size());
        }
    } else {
        for (const int64_t key : map.keys.toInt64()) into.add_keys(key);
    }
    proto::SequenceProto& values = *into.mutable_values();
    values.set_elem_type(proto::SequenceProto::TENSOR);
    dispatchStorage(map.values.type(), [&]<typename T>(std::type_identity<T>) {
        for (const T& value : elementsAs<T>(map.values)) {
            Tensor scalar = Tensor::allocate(map.values.type(), {});
            mutableElementsAs<T>(scalar)[0] = value;
            writeTensor(scalar, Elements::raw, *values.add_tensor_values());
        }
    });
}

void write(const Sequence& sequence, proto::SequenceProto& into) {
    const auto isSequence = sequence.element.kind == Type::Kind::sequence;
    into.set_elem_type(isSequence ? proto::SequenceProto::SEQUENCE : proto::SequenceProto::TENSOR);
    for (const Datum& item : sequence.items) {
        if (item.isSequence()) {
            into.set_elem_type(proto::SequenceProto::SEQUENCE);
            write(item.sequence(), *into.add_sequence_values());
        } else if (item.isMap()) {
            into.set_elem_type(proto::SequenceProto::MAP);
            write(item.map(), *into.add_map_values());
        } else if (item.isSparse()) {
            into.set_elem_type(proto::SequenceProto::SPARSE_TENSOR);
            writeSparse(item.sparse(), Elements::raw, *into.add_sparse_tensor_values());
        } else if (item.isTensor()) {
            write(item, *into.add_tensor_values());
        } else {
            into.set_elem_type(proto::SequenceProto::OPTIONAL);
            into.add_optional_values();
        }
    }
}

void write(const Datum& datum, const Type& type, proto::OptionalProto& into) {
    const bool holdsSequence = datum.isSequence() || (type.inner && type.inner->kind == Type::Kind::sequence);
    into.set_elem_type(holdsSequence ? proto::OptionalProto::SEQUENCE : proto::OptionalProto::TENSOR);
    if (datum.isTensor()) write(datum, *into.mutable_tensor_value());
    if (datum.isSequence()) write(datum.sequence(), *into.mutable_sequence_value());
    if (datum.isMap()) write(datum.map(), *into.mutable_map_value());
}

/// The message for the datum, as bytes.
std::string serialize(const std::string& name, const Datum& datum, const Type& type) {
    const auto finish = [&name](auto& proto) {
        proto.set_name(name);
        return proto.SerializeAsString();
    };
    if (type.kind == Type::Kind::optional || datum.isEmpty()) {
        proto::OptionalProto proto;
        write(datum, type, proto);
        return finish(proto);
    }
    if (datum.isSequence()) {
        proto::SequenceProto proto;
        write(datum.sequence(), proto);
        return finish(proto);
    }
    if (datum.isMap()) {
        proto::MapProto proto;
        write(datum.map(), proto);
        return finish(proto);
    }
    if (datum.isSparse()) {
        proto::SparseTensorProto proto;
        writeSparse(datum.sparse(), Elements::raw, proto);
        proto.mutable_values()->set_name(name);
        return proto.SerializeAsString();
    }
    proto::TensorProto proto;
    write(datum, proto);
    return finish(proto);
}

}  // namespace

NamedValue readDatum(const std::filesystem::path& path, const Type& expected) {
    try {
        return readAs(path, expected);
    } catch (Error& error) {
        error.addContext(path.string());
        throw;
    }
}

void writeDatum(const std::filesystem::path& path, const std::string& name, const Datum& datum,
                const Type& type) {
    AtomicFile file(path);
    file.write(serialize(name, datum, type));
    file.commit();
}

}  // namespace engine::onnx
