#include "engine/onnx/wire_schema.h"

#include <algorithm>

namespace engine::onnx {
namespace {

constexpr auto integer = FieldKind::integer;
constexpr auto string = FieldKind::string;
constexpr auto message = FieldKind::message;

constexpr FieldRule modelFields[] = {
    {1, integer, "ir_version"},
    {2, string, "producer_name"},
    {3, string, "producer_version"},
    {4, string, "domain"},
    {5, integer, "model_version"},
    {6, string, "doc_string"},
    {7, message, "graph", Message::graph},
    {8, message, "opset_import", Message::operatorSet},
    {14, message, "metadata_props", Message::stringPair},
    {20, message, "training_info", Message::trainingInfo},
    {25, message, "functions", Message::function},
    {26, message, "configuration", Message::deviceConfiguration},
};
constexpr FieldRule graphFields[] = {
    {1, message, "node", Message::node},
    {2, string, "name"},
    {5, message, "initializer", Message::tensor},
    {10, string, "doc_string"},
    {11, message, "input", Message::valueInfo},
    {12, message, "output", Message::valueInfo},
    {13, message, "value_info", Message::valueInfo},
    {14, message, "quantization_annotation", Message::tensorAnnotation},
    {15, message, "sparse_initializer", Message::sparseTensor},
    {16, message, "metadata_props", Message::stringPair},
};
constexpr FieldRule functionFields[] = {
    {1, string, "name"},
    {4, string, "input"},
    {5, string, "output"},
    {6, string, "attribute"},
    {7, message, "node", Message::node},
    {8, string, "doc_string"},
    {9, message, "opset_import", Message::operatorSet},
    {10, string, "domain"},
    {11, message, "attribute_proto", Message::attribute},
    {12, message, "value_info", Message::valueInfo},
    {13, string, "overload"},
    {14, message, "metadata_props", Message::stringPair},
};
constexpr FieldRule trainingInfoFields[] = {
    {1, message, "initialization", Message::graph},
    {2, message, "algorithm", Message::graph},
    {3, message, "initialization_binding", Message::stringPair},
    {4, message, "update_binding", Message::stringPair},
};
constexpr FieldRule nodeFields[] = {
    {1, string, "input"},
    {2, string, "output"},
    {3, string, "name"},
    {4, string, "op_type"},
    {5, message, "attribute", Message::attribute},
    {6, string, "doc_string"},
    {7, string, "domain"},
    {8, string, "overload"},
    {9, message, "metadata_props", Message::stringPair},
    {10, message, "device_configurations", Message::nodeDevice},
};
constexpr FieldRule attributeFields[] = {
    {1, string, "name"},
    {2, FieldKind::float32, "f"},
    {3, integer, "i"},
    {4, string, "s"},
    {5, message, "t", Message::tensor},
    {6, message, "g", Message::graph},
    {7, FieldKind::float32, "floats"},
    {8, integer, "ints"},
    {9, string, "strings"},
    {10, message, "tensors", Message::tensor},
    {11, message, "graphs", Message::graph},
    {13, string, "doc_string"},
    {14, message, "tp", Message::type},
    {15, message, "type_protos", Message::type},
    {20, integer, "type"},
    {21, string, "ref_attr_name"},
    {22, message, "sparse_tensor", Message::sparseTensor},
    {23, message, "sparse_tensors", Message::sparseTensor},
};
constexpr FieldRule tensorFields[] = {
    {1, integer, "dims"},
    {2, integer, "data_type"},
    {3, message, "segment", Message::segment},
    {4, FieldKind::floats, "float_data"},
    {5, FieldKind::integers, "int32_data"},
    {6, FieldKind::strings, "string_data"},
    {7, FieldKind::integers, "int64_data"},
    {8, string, "name"},
    {9, FieldKind::rawData, "raw_data"},
    {10, FieldKind::doubles, "double_data"},
    {11, FieldKind::integers, "uint64_data"},
    {12, string, "doc_string"},
    {13, message, "external_data", Message::stringPair},
    {14, integer, "data_location"},
    {16, message, "metadata_props", Message::stringPair},
};
constexpr FieldRule segmentFields[] = {{1, integer, "begin"}, {2, integer, "end"}};
constexpr FieldRule sparseTensorFields[] = {
    {1, message, "values", Message::tensor}, {2, message, "indices", Message::tensor}, {3, integer, "dims"}};
constexpr FieldRule valueInfoFields[] = {{1, string, "name"},
                                         {2, message, "type", Message::type},
                                         {3, string, "doc_string"},
                                         {4, message, "metadata_props", Message::stringPair}};
constexpr FieldRule typeFields[] = {
    {1, message, "tensor_type", Message::typeOfTensor},
    {4, message, "sequence_type", Message::typeOfElement},
    {5, message, "map_type", Message::typeOfMap},
    {6, string, "denotation"},
    {7, message, "opaque_type", Message::typeOpaque},
    {8, message, "sparse_tensor_type", Message::typeOfTensor},
    {9, message, "optional_type", Message::typeOfElement},
};
constexpr FieldRule typeOfTensorFields[] = {{1, integer, "elem_type"}, {2, message, "shape", Message::shape}};
constexpr FieldRule typeOfElementFields[] = {{1, message, "elem_type", Message::type}};
constexpr FieldRule typeOfMapFields[] = {{1, integer, "key_type"}, {2, message, "value_type", Message::type}};
constexpr FieldRule typeOpaqueFields[] = {{1, string, "domain"}, {2, string, "name"}};
constexpr FieldRule shapeFields[] = {{1, message, "dim", Message::dimension}};
constexpr FieldRule dimensionFields[] = {
    {1, integer, "dim_value"}, {2, string, "dim_param"}, {3, string, "denotation"}};
constexpr FieldRule operatorSetFields[] = {{1, string, "domain"}, {2, integer, "version"}};
constexpr FieldRule stringPairFields[] = {{1, string, "key"}, {2, string, "value"}};
constexpr FieldRule tensorAnnotationFields[] = {
    {1, string, "tensor_name"}, {2, message, "quant_parameter_tensor_names", Message::stringPair}};
constexpr FieldRule deviceConfigurationFields[] = {
    {1, string, "name"}, {2, integer, "num_devices"}, {3, string, "device"}};
constexpr FieldRule nodeDeviceFields[] = {{1, string, "configuration_id"},
                                          {2, message, "sharding_spec", Message::sharding},
                                          {3, integer, "pipeline_stage"}};
constexpr FieldRule shardingFields[] = {
    {1, string, "tensor_name"},
    {2, integer, "device"},
    {3, message, "index_to_device_group_map", Message::intListPair},
    {4, message, "sharded_dim", Message::shardedDim},
};
constexpr FieldRule intListPairFields[] = {{1, integer, "key"}, {2, integer, "value"}};
constexpr FieldRule shardedDimFields[] = {{1, integer, "axis"},
                                          {2, message, "simple_sharding", Message::simpleSharding}};
constexpr FieldRule simpleShardingFields[] = {
    {1, integer, "dim_value"}, {2, string, "dim_param"}, {3, integer, "num_shards"}};
constexpr FieldRule sequenceFields[] = {
    {1, string, "name"},
    {2, integer, "elem_type"},
    {3, message, "tensor_values", Message::tensor},
    {4, message, "sparse_tensor_values", Message::sparseTensor},
    {5, message, "sequence_values", Message::sequence},
    {6, message, "map_values", Message::map},
    {7, message, "optional_values", Message::optional},
};
constexpr FieldRule mapFields[] = {
    {1, string, "name"},
    {2, integer, "key_type"},
    {3, integer, "keys"},
    {4, string, "string_keys"},
    {5, message, "values", Message::sequence},
};
constexpr FieldRule optionalFields[] = {
    {1, string, "name"},
    {2, integer, "elem_type"},
    {3, message, "tensor_value", Message::tensor},
    {4, message, "sparse_tensor_value", Message::sparseTensor},
    {5, message, "sequence_value", Message::sequence},
    {6, message, "map_value", Message::map},
    {7, message, "optional_value", Message::optional},
};

}  // namespace

std::span<const FieldRule> fieldsOf(Message kind) {
    static constexpr std::span<const FieldRule> rules[] = {
        modelFields,
        graphFields,
        functionFields,
        trainingInfoFields,
        nodeFields,
        attributeFields,
        tensorFields,
        segmentFields,
        sparseTensorFields,
        valueInfoFields,
        typeFields,
        typeOfTensorFields,
        typeOfElementFields,
        typeOfMapFields,
        typeOpaqueFields,
        shapeFields,
        dimensionFields,
        operatorSetFields,
        stringPairFields,
        tensorAnnotationFields,
        deviceConfigurationFields,
        nodeDeviceFields,
        shardingFields,
        intListPairFields,
        shardedDimFields,
        simpleShardingFields,
        sequenceFields,
        mapFields,
        optionalFields,
    };
    static_assert(std::size(rules) == static_cast<size_t>(Message::optional) + 1);
    return rules[static_cast<size_t>(kind)];
}

const FieldRule* findField(Message kind, uint32_t number) {
    const std::span<const FieldRule> rules = fieldsOf(kind);
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [number](const FieldRule& rule) { return rule.number == number; });
    return found == rules.end() ? nullptr : &*found;
}

bool isContainer(Message kind) {
    return kind == Message::model || kind == Message::graph || kind == Message::function ||
           kind == Message::trainingInfo || kind == Message::sequence;
}

}  // namespace engine::onnx
