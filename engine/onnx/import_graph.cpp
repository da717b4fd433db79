#include <climits>
#include <unordered_set>

#include <onnx/defs/schema.h>

#include "engine/core/error.h"
#include "engine/onnx/import_context.h"
#include "engine/onnx/scope.h"

namespace engine::onnx {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<proto::NodeProto>;
using ValueInfos = google::protobuf::RepeatedPtrField<proto::ValueInfoProto>;

// Looking at each tensor takes long where all are bad, and helps nobody.
constexpr size_t mostBadTensors = 1000;

constexpr const char* isNothing = "it is no input, initializer or node output of the graph";

std::string placeOf(const proto::NodeProto& node, size_t index) {
    const std::string domain = normalDomain(node.domain());
    const std::string type = domain.empty() ? node.op_type() : domain + "." + node.op_type();
    if (node.name().empty()) return text("node #", index, " (", type, ")");
    return text("node '", node.name(), "' (", type, ")");
}

std::string countText(int least, int most) {
    if (least == most) return text(least);
    return most == INT_MAX ? text("at least ", least) : text("from ", least, " to ", most);
}

/// Builds one graph: first all names, then the nodes that use them, in whatever order the file has them.
class GraphImporter {
public:
    GraphImporter(Scope* outer, ImportContext& context) : scope_(graph_, outer), context_(context) {}

    Graph importGraph(const proto::GraphProto& from);
    Graph importBody(const proto::FunctionProto& from);

private:
    void importInputs(const proto::GraphProto& from);
    void importInitializer(const proto::TensorProto& tensor);
    void importSparseInitializer(const proto::SparseTensorProto& sparse);
    void declareOutputs(const Nodes& nodes);
    void importValueInfos(const ValueInfos& infos);
    void importValueInfo(const proto::ValueInfoProto& info, ValueId id);
    void importNodes(const Nodes& nodes);
    void importNode(const proto::NodeProto& from, size_t index);
    void importOutput(const std::string& name);
    void importAnnotations(const proto::GraphProto& from);
    int versionOf(const std::string& domain, const std::string& place);
    ValueId addInput(const std::string& name);
    ValueId addMissing(const std::string& name, const std::string& what);
    void checkCounts(const proto::NodeProto& from, Node& node, const std::string& place);
    void sortNodes();

    Graph graph_;
    Scope scope_;
    ImportContext& context_;
    std::vector<std::vector<ValueId>> outputs_;  ///< per node of the file
};

Graph GraphImporter::importGraph(const proto::GraphProto& from) {
    graph_.name = from.name();
    graph_.documentation = from.doc_string();
    graph_.metadata = importMetadata(from.metadata_props());
    importInputs(from);
    for (const proto::TensorProto& tensor : from.initializer()) importInitializer(tensor);
    for (const proto::SparseTensorProto& sparse : from.sparse_initializer()) importSparseInitializer(sparse);
    declareOutputs(from.node());
    importValueInfos(from.value_info());
    importValueInfos(from.output());
    importNodes(from.node());
    for (const proto::ValueInfoProto& output : from.output()) importOutput(output.name());
    importAnnotations(from);
    sortNodes();
    return std::move(graph_);
}

Graph GraphImporter::importBody(const proto::FunctionProto& from) {
    graph_.name = from.name();
    graph_.documentation = from.doc_string();
    graph_.metadata = importMetadata(from.metadata_props());
    for (const std::string& input : from.input()) addInput(input);
    declareOutputs(from.node());
    importValueInfos(from.value_info());
    importNodes(from.node());
    for (const std::string& output : from.output()) importOutput(output);
    sortNodes();
    return std::move(graph_);
}

ValueId GraphImporter::addInput(const std::string& name) {
    std::optional<ValueId> id = scope_.declare(name);
    if (!id) {
        context_.findings.error("found a second input of this name", text("input '", name, "'"));
        id = scope_.declare("");
    }
    graph_.inputs.push_back(*id);
    return *id;
}

void GraphImporter::importInputs(const proto::GraphProto& from) {
    std::unordered_set<std::string> initialized;
    for (const proto::TensorProto& tensor : from.initializer()) initialized.insert(tensor.name());
    for (const proto::SparseTensorProto& sparse : from.sparse_initializer())
        initialized.insert(sparse.values().name());
    size_t withDefault = 0;
    for (const proto::ValueInfoProto& input : from.input()) {
        if (!input.name().empty() && initialized.count(input.name()) > 0) {
            ++withDefault;
        } else {
            importValueInfo(input, addInput(input.name()));
        }
    }
    if (withDefault > 0 && context_.irVersion >= 4) {
        context_.findings.add(Diagnostic::Severity::note,
                              text(withDefault, " inputs have an initializer, and are taken as constants"),
                              "");
    }
}

void GraphImporter::importInitializer(const proto::TensorProto& tensor) {
    const std::string place = text("initializer '", tensor.name(), "'");
    const std::optional<uint64_t> offset = context_.tensors.offset(tensor);
    const std::optional<ValueId> id = scope_.declare(tensor.name());
    if (!id) {
        context_.findings.error("found a second initializer of this name; the first one counts", place,
                                offset);
        return;
    }
    Value& value = graph_.value(*id);
    value.documentation = tensor.doc_string();
    value.metadata = importMetadata(tensor.metadata_props());
    for (const proto::StringStringEntryProto& entry : tensor.external_data())
        value.metadata.emplace_back("external data: " + entry.key(), entry.value());
    if (context_.badTensors >= mostBadTensors) {
        value.problem = text(place, ": not read, since so many before it are damaged");
        return context_.findings.error("not read", place);
    }
    try {
        value.type = Type::tensor(elementType(tensor.data_type()),
                                  shapeOf(Dims(tensor.dims().begin(), tensor.dims().end())));
        value.constant = context_.tensors.read(tensor);
    } catch (const Error& error) {
        ++context_.badTensors;
        value.problem = text(place, ": ", error.what());
        context_.findings.error(error.what(), place, offset);
    }
}

void GraphImporter::importSparseInitializer(const proto::SparseTensorProto& sparse) {
    const std::string& name = sparse.values().name();
    const std::string place = text("sparse initializer '", name, "'");
    const std::optional<ValueId> id = scope_.declare(name);
    if (!id) {
        context_.findings.error("found a second initializer of this name; the first one counts", place);
        return;
    }
    Value& value = graph_.value(*id);
    try {
        const SparseTensor content = context_.tensors.read(sparse);
        value.type = Type::tensor(content.values.type(), shapeOf(content.dims));
        value.metadata.emplace_back("sparse", text(content.values.elements(), " of ",
                                                   elementCount(content.dims), " elements are stored"));
        value.constant = denseTensor(content, name);
    } catch (const Error& error) {
        value.problem = text(place, ": ", error.what());
        context_.findings.error(error.what(), place, context_.tensors.offset(sparse.values()));
    }
}

void GraphImporter::declareOutputs(const Nodes& nodes) {
    for (const proto::NodeProto& node : nodes) {
        std::vector<ValueId>& ids = outputs_.emplace_back();
        for (const std::string& name : node.output()) {
            if (name.empty()) {
                ids.emplace_back();
                continue;
            }
            std::optional<ValueId> id = scope_.declare(name);
            if (!id) {
                context_.findings.error(text("its output '", name, "' exists already; the first one counts"),
                                        placeOf(node, outputs_.size() - 1));
                id = scope_.declare("");
            }
            ids.push_back(*id);
        }
    }
}

void GraphImporter::importValueInfos(const ValueInfos& infos) {
    for (const proto::ValueInfoProto& info : infos) {
        const ValueId id = info.name().empty() ? ValueId{} : scope_.findOwn(info.name());
        if (id.isValid()) importValueInfo(info, id);
    }
}

void GraphImporter::importValueInfo(const proto::ValueInfoProto& info, ValueId id) {
    Value& value = graph_.value(id);
    if (!info.doc_string().empty()) value.documentation = info.doc_string();
    const Metadata metadata = importMetadata(info.metadata_props());
    value.metadata.insert(value.metadata.end(), metadata.begin(), metadata.end());
    if (!info.type().denotation().empty())
        value.metadata.emplace_back("denotation", info.type().denotation());
    // What a constant is needs no declaration.
    if (!value.constant && info.has_type()) {
        value.type = importType(info.type(), context_, text("value '", info.name(), "'"));
    }
}

void GraphImporter::importNodes(const Nodes& nodes) {
    graph_.nodes.reserve(static_cast<size_t>(nodes.size()));
    for (int i = 0; i < nodes.size(); ++i) {
        context_.observer.checkpoint();
        importNode(nodes[i], static_cast<size_t>(i));
    }
}

void GraphImporter::importNode(const proto::NodeProto& from, size_t index) {
    const std::string place = placeOf(from, index);
    Node node{.name = from.name(),
              .operatorType = from.op_type(),
              .domain = normalDomain(from.domain()),
              .overload = from.overload(),
              .outputs = std::move(outputs_[index]),
              .documentation = from.doc_string(),
              .metadata = importMetadata(from.metadata_props())};
    if (from.op_type().empty()) context_.findings.error("it does not say which operator it is", place);
    node.version = versionOf(node.domain, place);
    for (const std::string& name : from.input()) {
        ValueId id;
        if (!name.empty()) {
            id = scope_.find(name);
            if (!id.isValid()) {
                context_.findings.error(text("its input '", name, "': ", isNothing), place);
                id = addMissing(name, text("its input '", name, "'"));
            }
        }
        node.inputs.push_back(id);
    }
    for (const proto::AttributeProto& attribute : from.attribute()) {
        if (node.attribute(attribute.name()) != nullptr) {
            context_.findings.error(
                text("found a second attribute '", attribute.name(), "'; the first one counts"), place);
            continue;
        }
        node.attributes.push_back(importAttribute(attribute, &scope_, context_, place));
    }
    for (const proto::NodeDeviceConfigurationProto& device : from.device_configurations())
        node.metadata.emplace_back("device configuration", device.configuration_id());
    checkCounts(from, node, place);
    graph_.addNode(std::move(node));
}

int GraphImporter::versionOf(const std::string& domain, const std::string& place) {
    const auto [found, isNew] = context_.opsets.try_emplace(domain, 1);
    if (isNew) {
        context_.findings.warning(text("the opset imports do not name the domain '",
                                       domain.empty() ? "ai.onnx" : domain, "'; version 1 is taken"),
                                  place);
    }
    return found->second;
}

/// A value for a name that stands for nothing.
ValueId GraphImporter::addMissing(const std::string& name, const std::string& what) {
    const ValueId id = *scope_.declare(name);
    graph_.value(id).problem = text(what, ": ", isNothing);
    return id;
}

/// Kernels rely on there being no more inputs and outputs than the operator has, and no fewer than it needs.
void GraphImporter::checkCounts(const proto::NodeProto& from, Node& node, const std::string& place) {
    const proto::OpSchema* schema =
        proto::OpSchemaRegistry::Schema(node.operatorType, node.version, node.domain);
    if (schema == nullptr) return;
    const auto check = [&](const char* what, int found, int least, int most) {
        if (found >= least && found <= most) return;
        node.problem = text("found ", found, " ", what, ", expected ", countText(least, most));
    };
    check("outputs", from.output_size(), schema->min_output(), schema->max_output());
    check("inputs", from.input_size(), schema->min_input(), schema->max_input());
    if (!node.problem.empty()) context_.findings.error(node.problem, place);
}

void GraphImporter::importOutput(const std::string& name) {
    ValueId id = name.empty() ? ValueId{} : scope_.find(name);
    if (!id.isValid()) {
        context_.findings.error(isNothing, text("output '", name, "'"));
        id = addMissing(name, text("output '", name, "'"));
    }
    graph_.outputs.push_back(id);
}

void GraphImporter::importAnnotations(const proto::GraphProto& from) {
    for (const proto::TensorAnnotation& annotation : from.quantization_annotation()) {
        const ValueId id = scope_.findOwn(annotation.tensor_name());
        if (!id.isValid()) continue;
        for (const proto::StringStringEntryProto& entry : annotation.quant_parameter_tensor_names())
            graph_.value(id).metadata.emplace_back("quantization: " + entry.key(), entry.value());
    }
}

void GraphImporter::sortNodes() {
    const Order order = topologicalOrder(graph_);
    if (order.cyclic > 0) {
        const NodeId first = order.nodes[order.nodes.size() - order.cyclic];
        context_.findings.error(text(order.cyclic,
                                     " nodes wait for each other's outputs or for those of such "
                                     "nodes: the graph has a cycle"),
                                describe(graph_, first));
    }
    if (std::is_sorted(order.nodes.begin(), order.nodes.end())) return;
    std::vector<Node> sorted;
    sorted.reserve(graph_.nodes.size());
    for (const NodeId id : order.nodes) sorted.push_back(std::move(graph_.node(id)));
    graph_.nodes = std::move(sorted);
    if (order.cyclic == 0) {
        context_.findings.warning(
            "some nodes stand before those that make their inputs; they are put in order", "");
    }
}

}  // namespace

Graph importGraph(const proto::GraphProto& graph, Scope* outer, ImportContext& context) {
    return GraphImporter(outer, context).importGraph(graph);
}

Graph importFunctionBody(const proto::FunctionProto& function, ImportContext& context) {
    return GraphImporter(nullptr, context).importBody(function);
}

}  // namespace engine::onnx
