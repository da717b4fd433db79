#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace engine::onnx {

/// Protobuf's ways to write a field.
enum class WireType : uint8_t {
    varint = 0,
    fixed64 = 1,
    bytes = 2,
    startGroup = 3,
    endGroup = 4,
    fixed32 = 5
};

/// One field as it lies in the file: [start, end) with its tag, [content, end) without tag and length.
struct WireField {
    uint32_t number = 0;
    WireType type = WireType::varint;
    uint64_t start = 0;
    uint64_t content = 0;
    uint64_t end = 0;
    uint64_t declaredLength = 0;  ///< of `bytes` fields; more than end - content where the message is cut off
    bool isCut() const { return type == WireType::bytes && declaredLength > end - content; }
};

/// A varint at `position`, which moves past it; nothing if it is longer than 10 bytes or reaches `end`.
std::optional<uint64_t> readVarint(std::span<const std::byte> data, uint64_t& position, uint64_t end);

/// The field at `position` of a message that ends at `end`. A `bytes` field longer than the message is cut to
/// it. Nothing if there is no sound field (groups, which ONNX never uses, among them).
std::optional<WireField> readField(std::span<const std::byte> data, uint64_t position, uint64_t end);

/// How many varints [begin, end) holds, or nothing if it does not consist of sound varints.
std::optional<uint64_t> countVarints(std::span<const std::byte> data, uint64_t begin, uint64_t end);

}  // namespace engine::onnx
