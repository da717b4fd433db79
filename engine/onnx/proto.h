#pragma once

#include <onnx/onnx_pb.h>

namespace engine::onnx {

/// The library's protobuf classes: proto::ModelProto.
namespace proto = ::onnx;

}  // namespace engine::onnx
