#include "engine/onnx/wire.h"

#include <algorithm>

namespace engine::onnx {

std::optional<uint64_t> readVarint(std::span<const std::byte> data, uint64_t& position, uint64_t end) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && position < end; shift += 7) {
        const auto byte = std::to_integer<uint64_t>(data[position++]);
        value |= shift < 63 ? (byte & 0x7F) << shift : (byte & 1) << 63;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

std::optional<WireField> readField(std::span<const std::byte> data, uint64_t position, uint64_t end) {
    WireField field;
    field.start = position;
    const std::optional<uint64_t> tag = readVarint(data, position, end);
    if (!tag || *tag > UINT32_MAX || *tag >> 3 == 0) return std::nullopt;
    field.number = static_cast<uint32_t>(*tag >> 3);
    field.type = static_cast<WireType>(*tag & 7);
    switch (field.type) {
        case WireType::varint:
            field.content = position;
            if (!readVarint(data, position, end)) return std::nullopt;
            field.end = position;
            return field;
        case WireType::fixed64:
        case WireType::fixed32: {
            const uint64_t size = field.type == WireType::fixed64 ? 8 : 4;
            if (end - position < size) return std::nullopt;
            field.content = position;
            field.end = position + size;
            return field;
        }
        case WireType::bytes: {
            const std::optional<uint64_t> length = readVarint(data, position, end);
            if (!length) return std::nullopt;
            field.content = position;
            field.declaredLength = *length;
            field.end = position + std::min(*length, end - position);
            return field;
        }
        default:
            return std::nullopt;
    }
}

std::optional<uint64_t> countVarints(std::span<const std::byte> data, uint64_t begin, uint64_t end) {
    uint64_t count = 0;
    unsigned length = 0;
    for (uint64_t position = begin; position < end; ++position) {
        ++length;
        if (length > 10) return std::nullopt;
        if (std::to_integer<unsigned>(data[position]) < 0x80) {
            ++count;
            length = 0;
        }
    }
    if (length != 0) return std::nullopt;
    return count;
}

}  // namespace engine::onnx
