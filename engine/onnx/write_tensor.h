#pragma once

#include <vector>

#include "engine/core/datum.h"
#include "engine/onnx/proto.h"

namespace engine::onnx {

/// How a tensor's elements are put into a TensorProto.
enum class Elements {
    raw,    ///< as raw_data: what files hold
    typed,  ///< in the field for their type: what the text form prints
};

/// Type, dims and elements; no name.
void writeTensor(const Tensor& tensor, Elements elements, proto::TensorProto& into);
void writeSparse(const SparseTensor& tensor, Elements elements, proto::SparseTensorProto& into);
void writeType(const Type& type, proto::TypeProto& into);

/// The elements as raw_data has them: the tensor's own buffer, or `packed` for types smaller than a byte. Not
/// for strings.
std::span<const std::byte> rawElements(const Tensor& tensor, std::vector<std::byte>& packed);

}  // namespace engine::onnx
