#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/model.h"
#include "engine/onnx/proto.h"

namespace engine::onnx {

/// Puts the elements of a constant into its TensorProto, or says there where they are.
using TensorWriter = std::function<void(const Tensor& tensor, proto::TensorProto& into)>;

/// The graph as ONNX writes it. Values get names where they have none or share one; captured values go by the
/// outer graph's names; constants that nothing reads are left out. Throws Error for what ONNX cannot say: a
/// constant that is no tensor.
void writeGraph(const Graph& graph, const TensorWriter& writeElements, proto::GraphProto& into);

void writeFunction(const Function& function, const TensorWriter& writeElements, proto::FunctionProto& into);

void writeMetadata(const Metadata& metadata,
                   google::protobuf::RepeatedPtrField<proto::StringStringEntryProto>& into);
void writeOpsets(std::span<const OpsetImport> opsets,
                 google::protobuf::RepeatedPtrField<proto::OperatorSetIdProto>& into);

}  // namespace engine::onnx
