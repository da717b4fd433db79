#include "engine/onnx/function_body.h"

#include <map>

#include <onnx/defs/parser.h>
#include <onnx/defs/schema.h>

#include "engine/core/error.h"
#include "engine/onnx/import.h"
#include "engine/onnx/import_context.h"
#include "engine/onnx/proto.h"
#include "engine/onnx/write_graph.h"
#include "engine/onnx/write_tensor.h"
#include "engine/ops/op_body.h"
#include "engine/schema.h"

namespace engine::onnx {
namespace {

const proto::OpSchema* schemaOf(const Node& node) {
    return proto::OpSchemaRegistry::Schema(node.operatorType, node.version, node.domain);
}

/// The node alone, in a graph that has just the values it touches.
struct LoneNode {
    Graph graph;
    std::vector<ValueId> captured;  ///< in the node's own graph
    std::vector<std::string> capturedNames;
};

LoneNode isolate(const Node& node) {
    LoneNode lone;
    std::map<ValueId, ValueId> ids;
    const auto own = [&](ValueId id) {
        if (!id.isValid()) return id;
        const auto [place, isNew] = ids.try_emplace(id);
        // No formal parameter of a specification has a dot in its name.
        if (isNew) place->second = lone.graph.addValue({.name = text("outer.", id.index)});
        return place->second;
    };
    Node copy = node;
    for (ValueId& id : copy.inputs) id = own(id);
    for (ValueId& id : copy.outputs) id = own(id);
    const auto adopt = [&](std::shared_ptr<const Graph>& body) {
        Graph changed = *body;
        for (Capture& capture : changed.captures) {
            if (std::find(lone.captured.begin(), lone.captured.end(), capture.outer) == lone.captured.end()) {
                lone.captured.push_back(capture.outer);
                lone.capturedNames.push_back(text("outer.", capture.outer.index));
            }
            capture.outer = own(capture.outer);
        }
        body = std::make_shared<const Graph>(std::move(changed));
    };
    for (Attribute& attribute : copy.attributes) {
        if (auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) adopt(*body);
    }
    lone.graph.addNode(std::move(copy));
    return lone;
}

proto::NodeProto writeNode(const LoneNode& lone) {
    proto::GraphProto graph;
    writeGraph(
        lone.graph,
        [](const Tensor& tensor, proto::TensorProto& into) { writeTensor(tensor, Elements::raw, into); },
        graph);
    return graph.node(0);
}

std::optional<proto::FunctionProto> build(const proto::OpSchema& schema, const proto::NodeProto& node,
                                          int version, std::span<const Type> inputTypes) {
    if (schema.HasFunction()) {
        if (const proto::FunctionProto* function = schema.GetFunction(version)) return *function;
    }
    if (!schema.HasContextDependentFunction() || inputTypes.empty()) return std::nullopt;
    std::vector<proto::TypeProto> types(inputTypes.size());
    for (size_t i = 0; i < types.size(); ++i) writeType(inputTypes[i], types[i]);
    proto::FunctionProto function;
    const proto::FunctionBodyBuildContextImpl context(node, types);
    if (!schema.BuildContextDependentFunction(context, function, version)) return std::nullopt;
    return function;
}

Function import(const proto::FunctionProto& function) {
    proto::ModelProto wrapper;
    wrapper.set_ir_version(proto::Version::IR_VERSION);
    *wrapper.add_functions() = function;
    const auto bytes = std::make_shared<const std::string>(wrapper.SerializeAsString());
    Model model;
    Observer observer;
    importModel(std::as_bytes(std::span(bytes->data(), bytes->size())), bytes, std::nullopt, model, observer);
    return std::move(model.functions.at(0));
}

/// Where neither the node nor the body says what an attribute is, the schema does.
void addDefaults(const proto::OpSchema& schema, proto::FunctionProto& function) {
    for (const auto& [name, attribute] : schema.attributes()) {
        if (!attribute.default_value.name().empty())
            *function.add_attribute_proto() = attribute.default_value;
    }
}

/// Bodies of the operators of other domains do not say which ai.onnx they mean: the one they were released
/// with.
void addOpset(proto::FunctionProto& function) {
    for (const proto::OperatorSetIdProto& opset : function.opset_import()) {
        if (normalDomain(opset.domain()).empty()) return;
    }
    proto::OperatorSetIdProto& opset = *function.add_opset_import();
    opset.set_domain("");
    opset.set_version(newestOpset(""));
}

/// The body that the engine itself has for an operator.
std::optional<Function> ownFunction(const OpBody& body, const Node& node, std::span<const Type> inputTypes) {
    BodyWriter writer(node, inputTypes);
    const std::string written = body.text(writer);
    if (written.empty()) return std::nullopt;
    const std::string source =
        text("<opset_import: [\"\" : ", newestOpset(""),
             ", \"com.microsoft\" : 1], domain: \"opscope.body\"> ", node.operatorType, " ", written);
    proto::FunctionProto function;
    const auto status = proto::OnnxParser(source.c_str()).Parse(function);
    if (!status.IsOK()) fail("its function body cannot be read: ", status.ErrorMessage(), "\n", source);
    return import(function);
}

}  // namespace

bool hasSchemaFunction(const Node& node) {
    if (findBody(node.domain, node.operatorType) != nullptr) return true;
    const proto::OpSchema* schema = schemaOf(node);
    return schema != nullptr && (schema->HasFunction() || schema->HasContextDependentFunction());
}

std::optional<SchemaFunction> schemaFunction(const Node& node, std::span<const Type> inputTypes) {
    if (const OpBody* body = findBody(node.domain, node.operatorType)) {
        if (inputTypes.empty() && !node.inputs.empty()) return std::nullopt;
        if (auto function = ownFunction(*body, node, inputTypes)) {
            return SchemaFunction{.function = std::move(*function), .captured = {}};
        }
    }
    const proto::OpSchema* schema = schemaOf(node);
    if (schema == nullptr) return std::nullopt;
    LoneNode lone = isolate(node);
    try {
        std::optional<proto::FunctionProto> function =
            build(*schema, writeNode(lone), node.version, inputTypes);
        if (!function) return std::nullopt;
        for (const std::string& name : lone.capturedNames) function->add_input(name);
        addDefaults(*schema, *function);
        addOpset(*function);
        return SchemaFunction{.function = import(*function), .captured = std::move(lone.captured)};
    } catch (const Error&) {
        throw;
    } catch (const std::exception& problem) {
        fail("its function body cannot be made: ", problem.what());
    }
}

}  // namespace engine::onnx
