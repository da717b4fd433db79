#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/datum.h"
#include "engine/onnx/external_data.h"
#include "engine/onnx/proto.h"
#include "engine/onnx/wire_skim.h"

namespace engine::onnx {

/// Makes tensors of the TensorProtos of one skimmed file. Elements stay where they are in the file as far as
/// memory can hold them in the same form; else they are converted when first looked at.
class TensorReader {
public:
    /// `owner` keeps `bytes` alive. `external` may be null: then external data is refused.
    TensorReader(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                 std::vector<TensorPayload> payloads, ExternalFiles* external);

    /// Throws Error that says what is wrong with the tensor: type, dims, or elements.
    Tensor read(const proto::TensorProto& tensor) const;
    SparseTensor read(const proto::SparseTensorProto& tensor) const;

    /// Where the tensor's elements begin in the file, for diagnostics.
    std::optional<uint64_t> offset(const proto::TensorProto& tensor) const;

private:
    const TensorPayload& payload(const proto::TensorProto& tensor) const;
    Tensor readTyped(DataType type, Dims dims, const TensorPayload& payload, const std::string& name) const;

    std::span<const std::byte> bytes_;
    std::shared_ptr<const void> owner_;
    std::vector<TensorPayload> payloads_;
    ExternalFiles* external_;
};

/// Elements as raw_data has them: a view where memory can have them in the same form, else converted when
/// first looked at: an error then names the tensor. Throws Error if there are more or fewer bytes than type
/// and dims need.
Tensor rawTensor(DataType type, Dims dims, std::span<const std::byte> raw, std::shared_ptr<const void> owner,
                 const std::string& name = {});

/// The element type of that number in TensorProto.DataType; throws Error if there is none.
DataType elementType(int number);

/// A dense tensor with the same elements, made when first looked at. Throws Error if an index lies outside
/// the dims.
Tensor denseTensor(const SparseTensor& sparse, const std::string& name = {});

}  // namespace engine::onnx
