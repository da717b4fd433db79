#include "engine/core/error.h"
#include "engine/onnx/import_context.h"

namespace engine::onnx {
namespace {

using Kind = proto::AttributeProto_AttributeType;

/// Old files do not say what an attribute holds: then whatever is there.
Kind kindOf(const proto::AttributeProto& attribute) {
    if (attribute.type() != proto::AttributeProto_AttributeType_UNDEFINED) return attribute.type();
    if (attribute.has_f()) return proto::AttributeProto_AttributeType_FLOAT;
    if (attribute.has_i()) return proto::AttributeProto_AttributeType_INT;
    if (attribute.has_s()) return proto::AttributeProto_AttributeType_STRING;
    if (attribute.has_t()) return proto::AttributeProto_AttributeType_TENSOR;
    if (attribute.has_g()) return proto::AttributeProto_AttributeType_GRAPH;
    if (attribute.has_sparse_tensor()) return proto::AttributeProto_AttributeType_SPARSE_TENSOR;
    if (attribute.has_tp()) return proto::AttributeProto_AttributeType_TYPE_PROTO;
    if (attribute.floats_size() > 0) return proto::AttributeProto_AttributeType_FLOATS;
    if (attribute.ints_size() > 0) return proto::AttributeProto_AttributeType_INTS;
    if (attribute.strings_size() > 0) return proto::AttributeProto_AttributeType_STRINGS;
    if (attribute.tensors_size() > 0) return proto::AttributeProto_AttributeType_TENSORS;
    if (attribute.graphs_size() > 0) return proto::AttributeProto_AttributeType_GRAPHS;
    if (attribute.sparse_tensors_size() > 0) return proto::AttributeProto_AttributeType_SPARSE_TENSORS;
    if (attribute.type_protos_size() > 0) return proto::AttributeProto_AttributeType_TYPE_PROTOS;
    return proto::AttributeProto_AttributeType_UNDEFINED;
}

std::shared_ptr<const Graph> importSubgraph(const proto::GraphProto& graph, const std::string& name,
                                            Scope* scope, ImportContext& context, const std::string& place) {
    const Findings::Place outer(context.findings, place);
    const Findings::Place inner(context.findings, name);
    return std::make_shared<const Graph>(importGraph(graph, scope, context));
}

template <class Result, class List>
std::vector<Result> readAll(const List& tensors, ImportContext& context) {
    std::vector<Result> result;
    for (const auto& tensor : tensors) result.push_back(context.tensors.read(tensor));
    return result;
}

/// The attribute's tensors; one that is not sound makes the attribute empty, and is reported.
AttributeValue importTensors(const proto::AttributeProto& attribute, Kind kind, ImportContext& context,
                             const std::string& place) {
    try {
        switch (kind) {
            case proto::AttributeProto_AttributeType_TENSOR:
                return context.tensors.read(attribute.t());
            case proto::AttributeProto_AttributeType_SPARSE_TENSOR:
                return context.tensors.read(attribute.sparse_tensor());
            case proto::AttributeProto_AttributeType_TENSORS:
                return readAll<Tensor>(attribute.tensors(), context);
            default:
                return readAll<SparseTensor>(attribute.sparse_tensors(), context);
        }
    } catch (const Error& error) {
        const std::string& name = attribute.t().name();
        const std::string which = name.empty() ? "" : " '" + name + "'";
        context.findings.error(
            text("the tensor", which, " in attribute '", attribute.name(), "': ", error.what()), place,
            context.tensors.offset(attribute.t()));
        return {};
    }
}

std::vector<std::shared_ptr<const Graph>> importGraphs(const proto::AttributeProto& attribute, Scope* scope,
                                                       ImportContext& context, const std::string& place) {
    std::vector<std::shared_ptr<const Graph>> graphs;
    for (const proto::GraphProto& graph : attribute.graphs()) {
        const std::string name = text(attribute.name(), "[", graphs.size(), "]");
        graphs.push_back(importSubgraph(graph, name, scope, context, place));
    }
    return graphs;
}

AttributeValue importValue(const proto::AttributeProto& attribute, Scope* scope, ImportContext& context,
                           const std::string& place) {
    const Kind kind = kindOf(attribute);
    switch (kind) {
        case proto::AttributeProto_AttributeType_FLOAT:
            return attribute.f();
        case proto::AttributeProto_AttributeType_INT:
            return int64_t{attribute.i()};
        case proto::AttributeProto_AttributeType_STRING:
            return attribute.s();
        case proto::AttributeProto_AttributeType_FLOATS:
            return std::vector<float>(attribute.floats().begin(), attribute.floats().end());
        case proto::AttributeProto_AttributeType_INTS:
            return std::vector<int64_t>(attribute.ints().begin(), attribute.ints().end());
        case proto::AttributeProto_AttributeType_STRINGS:
            return std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
        case proto::AttributeProto_AttributeType_TENSOR:
        case proto::AttributeProto_AttributeType_SPARSE_TENSOR:
        case proto::AttributeProto_AttributeType_TENSORS:
        case proto::AttributeProto_AttributeType_SPARSE_TENSORS:
            return importTensors(attribute, kind, context, place);
        case proto::AttributeProto_AttributeType_GRAPH:
            return importSubgraph(attribute.g(), attribute.name(), scope, context, place);
        case proto::AttributeProto_AttributeType_GRAPHS:
            return importGraphs(attribute, scope, context, place);
        case proto::AttributeProto_AttributeType_TYPE_PROTO:
            return importType(attribute.tp(), context, place);
        case proto::AttributeProto_AttributeType_TYPE_PROTOS: {
            std::vector<Type> types;
            for (const proto::TypeProto& type : attribute.type_protos())
                types.push_back(importType(type, context, place));
            return types;
        }
        default:
            return {};
    }
}

}  // namespace

Attribute importAttribute(const proto::AttributeProto& attribute, Scope* scope, ImportContext& context,
                          const std::string& place) {
    Attribute result{.name = attribute.name(),
                     .reference = attribute.ref_attr_name(),
                     .documentation = attribute.doc_string()};
    if (!result.reference.empty()) return result;
    result.value = importValue(attribute, scope, context, place);
    if (kindOf(attribute) == proto::AttributeProto_AttributeType_UNDEFINED) {
        context.findings.warning(text("attribute '", attribute.name(), "' holds nothing that we know"),
                                 place);
    }
    return result;
}

}  // namespace engine::onnx
