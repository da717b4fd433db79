#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/limits.h"
#include "engine/core/observer.h"
#include "engine/onnx/wire_schema.h"

namespace engine::onnx {

/// Where the elements of one TensorProto lie in the skimmed bytes. All offsets are from their beginning.
struct TensorPayload {
    uint64_t begin = 0;  ///< of the TensorProto: typed data is found by walking its fields again
    uint64_t end = 0;
    bool hasRaw = false;
    uint64_t rawBegin = 0;
    uint64_t rawBytes = 0;
    /// Elements of float_data, int32_data, string_data, int64_data, double_data, uint64_data.
    uint64_t floats = 0;
    uint64_t int32s = 0;
    uint64_t strings = 0;
    uint64_t int64s = 0;
    uint64_t doubles = 0;
    uint64_t uint64s = 0;
};

/// A place where the bytes are not what protobuf's wire format and ONNX's messages allow.
struct Fault {
    uint64_t offset = 0;
    std::string where;  ///< "graph.node.attribute"
    std::string what;
};

/// The bytes without the tensors' elements: what is left is small and sound, so protobuf can parse it.
struct Skim {
    /// A well-formed message. In place of its elements each TensorProto has a raw_data of 4 bytes: its index
    /// in `payloads`, little-endian.
    std::string rest;
    std::vector<TensorPayload> payloads;
    std::vector<Fault> faults;  ///< the first few
    size_t faultCount = 0;
    size_t unknownFields = 0;  ///< skipped; of a newer ONNX, or rubbish
};

/// Walks the bytes as a message of kind `root`, copying everything but the elements of tensors. What is
/// damaged is left out and reported; a file that ends early is kept up to its last sound element. Throws
/// Error only when the rest would not fit into memory by far.
Skim skim(std::span<const std::byte> bytes, Message root, Observer& observer, const OpenLimits& limits = {});

}  // namespace engine::onnx
