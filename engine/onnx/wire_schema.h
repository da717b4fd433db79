#pragma once

#include <cstdint>
#include <span>

namespace engine::onnx {

/// ONNX's protobuf messages, as far as the skim has to tell them apart.
enum class Message : uint8_t {
    model,
    graph,
    function,
    trainingInfo,
    node,
    attribute,
    tensor,
    segment,
    sparseTensor,
    valueInfo,
    type,
    typeOfTensor,
    typeOfElement,  ///< sequence and optional
    typeOfMap,
    typeOpaque,
    shape,
    dimension,
    operatorSet,
    stringPair,
    tensorAnnotation,
    deviceConfiguration,
    nodeDevice,
    sharding,
    intListPair,
    shardedDim,
    simpleSharding,
    sequence,
    map,
    optional,
};

/// What a field holds.
enum class FieldKind : uint8_t {
    integer,   ///< varint, alone or repeated, packed or not
    float32,   ///< alone or repeated, packed or not
    string,    ///< string or bytes
    message,   ///< another message
    rawData,   ///< TensorProto.raw_data
    integers,  ///< a typed payload of TensorProto: varints
    floats,    ///< likewise: 4 bytes each
    doubles,   ///< likewise: 8 bytes each
    strings,   ///< likewise: string_data
};

struct FieldRule {
    uint32_t number;
    FieldKind kind;
    const char* name;
    Message child = Message::model;  ///< of message fields
};

/// The fields of a message that we know; all others are skipped.
std::span<const FieldRule> fieldsOf(Message message);

/// Null if the message has no such field.
const FieldRule* findField(Message message, uint32_t number);

/// Kept as far as it is sound, where other messages are dropped when the file ends inside them.
bool isContainer(Message message);

}  // namespace engine::onnx
