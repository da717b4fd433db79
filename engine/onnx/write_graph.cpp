#include "engine/onnx/write_graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/onnx/write_tensor.h"
#include "engine/schema.h"

namespace engine::onnx {
namespace {

using Kind = proto::AttributeProto_AttributeType;
using GraphPointer = std::shared_ptr<const Graph>;

/// The names that the graphs around a graph use.
using Names = std::set<std::string>;

/// Writes one graph; each subgraph gets a writer of its own that knows this one's names.
class GraphWriter {
public:
    GraphWriter(const Graph& graph, const TensorWriter& writeElements, const GraphWriter* outer)
        : graph_(graph), writeElements_(writeElements) {
        if (outer != nullptr) taken_ = outer->taken_;
        nameValues(outer);
    }

    void write(proto::GraphProto& into);
    void writeBody(proto::FunctionProto& into);
    void writeAttribute(const Node* node, const Attribute& attribute, proto::AttributeProto& into) const;

private:
    void nameValues(const GraphWriter* outer);
    std::string newName(const std::string& hint);
    void writeConstant(ValueId id, proto::GraphProto& into) const;
    void writeValueInfo(ValueId id, proto::ValueInfoProto& into) const;
    void writeNode(const Node& node, proto::NodeProto& into) const;
    std::string outputName(size_t index);
    void writeValue(const AttributeValue& value, proto::AttributeProto& into) const;
    void writeSubgraph(const GraphPointer& graph, proto::GraphProto& into) const {
        if (graph) GraphWriter(*graph, writeElements_, this).write(into);
    }
    const std::string& name(ValueId id) const { return names_[id.index]; }

    const Graph& graph_;
    const TensorWriter& writeElements_;
    Names taken_;
    std::map<std::string, size_t> lastNumber_;  ///< put behind a name that was taken
    std::vector<std::string> names_;
    std::vector<std::pair<std::string, std::string>> copies_;  ///< from -> to: outputs that need an Identity
};

std::string GraphWriter::newName(const std::string& hint) {
    if (!hint.empty() && taken_.insert(hint).second) return hint;
    const std::string stem = hint.empty() ? "value" : hint;
    for (size_t& last = lastNumber_[stem];;) {
        std::string candidate = text(stem, "_", ++last);
        if (taken_.insert(candidate).second) return candidate;
    }
}

void GraphWriter::nameValues(const GraphWriter* outer) {
    names_.resize(graph_.values.size());
    std::vector<char> isNamed(graph_.values.size(), 0);
    const auto nameOne = [&](ValueId id) {
        if (!id.isValid() || isNamed[id.index]) return;
        names_[id.index] = newName(graph_.value(id).name);
        isNamed[id.index] = 1;
    };
    for (const Capture& capture : graph_.captures) {
        if (outer != nullptr) names_[capture.inner.index] = outer->name(capture.outer);
        isNamed[capture.inner.index] = outer != nullptr;
    }
    // Inputs and outputs are known by name to the outside, so they come first.
    for (const ValueId id : graph_.inputs) nameOne(id);
    for (const ValueId id : graph_.outputs) nameOne(id);
    for (size_t i = 0; i < graph_.values.size(); ++i) nameOne(ValueId(i));
}

/// The name under which output `index` leaves the graph. A value that leaves twice, or comes from outside, is
/// copied by an Identity, since an ONNX output needs a node of its own.
std::string GraphWriter::outputName(size_t index) {
    const ValueId id = graph_.outputs[index];
    if (!id.isValid()) return "";
    const auto before = graph_.outputs.begin() + static_cast<std::ptrdiff_t>(index);
    const bool isSecond = std::find(graph_.outputs.begin(), before, id) != before;
    const bool isCapture = std::any_of(graph_.captures.begin(), graph_.captures.end(),
                                       [id](const Capture& capture) { return capture.inner == id; });
    if (!isSecond && !isCapture) return name(id);
    copies_.emplace_back(name(id), newName(name(id)));
    return copies_.back().second;
}

void GraphWriter::write(proto::GraphProto& into) {
    into.set_name(graph_.name);
    if (!graph_.documentation.empty()) into.set_doc_string(graph_.documentation);
    writeMetadata(graph_.metadata, *into.mutable_metadata_props());
    std::vector<char> isRead(graph_.values.size(), 0);
    std::vector<char> isDeclared(graph_.values.size(), 0);
    for (const Node& node : graph_.nodes) {
        for (const ValueId id : reads(node)) isRead[id.index] = 1;
    }
    for (const ValueId id : graph_.inputs) {
        writeValueInfo(id, *into.add_input());
        isDeclared[id.index] = 1;
    }
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
        const ValueId id = graph_.outputs[i];
        proto::ValueInfoProto& info = *into.add_output();
        const std::string leavesAs = outputName(i);
        if (!id.isValid()) continue;
        writeValueInfo(id, info);
        info.set_name(leavesAs);
        isRead[id.index] = isDeclared[id.index] = 1;
    }
    for (size_t i = 0; i < graph_.values.size(); ++i) {
        if (graph_.values[i].constant && isRead[i]) writeConstant(ValueId(i), into);
    }
    for (const Node& node : graph_.nodes) {
        writeNode(node, *into.add_node());
        for (const ValueId id : node.outputs) {
            if (!id.isValid() || isDeclared[id.index] || graph_.value(id).type.kind == Type::Kind::unknown)
                continue;
            writeValueInfo(id, *into.add_value_info());
        }
    }
    for (const auto& [from, to] : copies_) {
        proto::NodeProto& copy = *into.add_node();
        copy.set_op_type("Identity");
        copy.add_input(from);
        copy.add_output(to);
    }
}

void GraphWriter::writeBody(proto::FunctionProto& into) {
    for (const ValueId id : graph_.inputs) into.add_input(name(id));
    for (const ValueId id : graph_.outputs) into.add_output(id.isValid() ? name(id) : "");
    for (const Node& node : graph_.nodes) writeNode(node, *into.add_node());
    for (size_t i = 0; i < graph_.values.size(); ++i) {
        if (graph_.values[i].type.kind != Type::Kind::unknown)
            writeValueInfo(ValueId(i), *into.add_value_info());
    }
    if (!graph_.documentation.empty()) into.set_doc_string(graph_.documentation);
    writeMetadata(graph_.metadata, *into.mutable_metadata_props());
}

void GraphWriter::writeConstant(ValueId id, proto::GraphProto& into) const {
    const Datum& datum = *graph_.value(id).constant;
    if (datum.isTensor()) {
        proto::TensorProto& tensor = *into.add_initializer();
        tensor.set_name(name(id));
        writeElements_(datum.tensor(), tensor);
    } else if (datum.isSparse()) {
        proto::SparseTensorProto& sparse = *into.add_sparse_initializer();
        sparse.mutable_values()->set_name(name(id));
        writeElements_(datum.sparse().values, *sparse.mutable_values());
        writeElements_(datum.sparse().indices, *sparse.mutable_indices());
        for (const int64_t dim : datum.sparse().dims) sparse.add_dims(dim);
    } else {
        fail("the constant '", name(id), "' of type ", typeText(datum.type()),
             " cannot be written: ONNX has constants for tensors only");
    }
}

void GraphWriter::writeValueInfo(ValueId id, proto::ValueInfoProto& into) const {
    const Value& value = graph_.value(id);
    into.set_name(name(id));
    Type type = value.type;
    if (type.kind == Type::Kind::unknown && value.constant) type = value.constant->type();
    if (type.kind != Type::Kind::unknown) writeType(type, *into.mutable_type());
    if (!value.documentation.empty()) into.set_doc_string(value.documentation);
    writeMetadata(value.metadata, *into.mutable_metadata_props());
}

void GraphWriter::writeNode(const Node& node, proto::NodeProto& into) const {
    if (!node.name.empty()) into.set_name(node.name);
    into.set_op_type(node.operatorType);
    if (!node.domain.empty()) into.set_domain(node.domain);
    if (!node.overload.empty()) into.set_overload(node.overload);
    for (const ValueId id : node.inputs) into.add_input(id.isValid() ? name(id) : "");
    for (const ValueId id : node.outputs) into.add_output(id.isValid() ? name(id) : "");
    for (const Attribute& attribute : node.attributes)
        writeAttribute(&node, attribute, *into.add_attribute());
    if (!node.documentation.empty()) into.set_doc_string(node.documentation);
    writeMetadata(node.metadata, *into.mutable_metadata_props());
}

/// A reference does not say what kind of value it stands for; the operator's schema does.
Kind kindOfReference(const Node* node, const std::string& attributeName) {
    const auto schema =
        node == nullptr ? nullptr : operatorSchema(node->domain, node->operatorType, node->version);
    if (!schema) return proto::AttributeProto_AttributeType_UNDEFINED;
    for (const OperatorSchema::AttributeInfo& info : schema->attributes) {
        if (info.name != attributeName) continue;
        std::string upper = info.kind;
        std::transform(upper.begin(), upper.end(), upper.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        Kind kind = proto::AttributeProto_AttributeType_UNDEFINED;
        proto::AttributeProto_AttributeType_Parse(upper, &kind);
        return kind;
    }
    return proto::AttributeProto_AttributeType_UNDEFINED;
}

void GraphWriter::writeAttribute(const Node* node, const Attribute& attribute,
                                 proto::AttributeProto& into) const {
    into.set_name(attribute.name);
    if (!attribute.documentation.empty()) into.set_doc_string(attribute.documentation);
    if (attribute.reference.empty()) {
        writeValue(attribute.value, into);
    } else {
        into.set_ref_attr_name(attribute.reference);
        into.set_type(kindOfReference(node, attribute.name));
    }
}

void GraphWriter::writeValue(const AttributeValue& value, proto::AttributeProto& into) const {
    using proto::AttributeProto;
    if (const auto* integer = std::get_if<int64_t>(&value)) {
        into.set_type(AttributeProto::INT);
        into.set_i(*integer);
    } else if (const auto* number = std::get_if<float>(&value)) {
        into.set_type(AttributeProto::FLOAT);
        into.set_f(*number);
    } else if (const auto* string = std::get_if<std::string>(&value)) {
        into.set_type(AttributeProto::STRING);
        into.set_s(*string);
    } else if (const auto* tensor = std::get_if<Tensor>(&value)) {
        into.set_type(AttributeProto::TENSOR);
        writeElements_(*tensor, *into.mutable_t());
    } else if (const auto* sparse = std::get_if<SparseTensor>(&value)) {
        into.set_type(AttributeProto::SPARSE_TENSOR);
        writeSparse(*sparse, Elements::raw, *into.mutable_sparse_tensor());
    } else if (const auto* graph = std::get_if<GraphPointer>(&value)) {
        into.set_type(AttributeProto::GRAPH);
        writeSubgraph(*graph, *into.mutable_g());
    } else if (const auto* type = std::get_if<Type>(&value)) {
        into.set_type(AttributeProto::TYPE_PROTO);
        writeType(*type, *into.mutable_tp());
    } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
        into.set_type(AttributeProto::INTS);
        into.mutable_ints()->Add(integers->begin(), integers->end());
    } else if (const auto* numbers = std::get_if<std::vector<float>>(&value)) {
        into.set_type(AttributeProto::FLOATS);
        into.mutable_floats()->Add(numbers->begin(), numbers->end());
    } else if (const auto* strings = std::get_if<std::vector<std::string>>(&value)) {
        into.set_type(AttributeProto::STRINGS);
        for (const std::string& one : *strings) into.add_strings(one);
    } else if (const auto* tensors = std::get_if<std::vector<Tensor>>(&value)) {
        into.set_type(AttributeProto::TENSORS);
        for (const Tensor& one : *tensors) writeElements_(one, *into.add_tensors());
    } else if (const auto* sparses = std::get_if<std::vector<SparseTensor>>(&value)) {
        into.set_type(AttributeProto::SPARSE_TENSORS);
        for (const SparseTensor& one : *sparses) writeSparse(one, Elements::raw, *into.add_sparse_tensors());
    } else if (const auto* graphs = std::get_if<std::vector<GraphPointer>>(&value)) {
        into.set_type(AttributeProto::GRAPHS);
        for (const GraphPointer& one : *graphs) writeSubgraph(one, *into.add_graphs());
    } else if (const auto* types = std::get_if<std::vector<Type>>(&value)) {
        into.set_type(AttributeProto::TYPE_PROTOS);
        for (const Type& one : *types) writeType(one, *into.add_type_protos());
    }
}

}  // namespace

void writeMetadata(const Metadata& metadata,
                   google::protobuf::RepeatedPtrField<proto::StringStringEntryProto>& into) {
    for (const auto& [key, value] : metadata) {
        proto::StringStringEntryProto& entry = *into.Add();
        entry.set_key(key);
        entry.set_value(value);
    }
}

void writeOpsets(std::span<const OpsetImport> opsets,
                 google::protobuf::RepeatedPtrField<proto::OperatorSetIdProto>& into) {
    for (const OpsetImport& opset : opsets) {
        proto::OperatorSetIdProto& entry = *into.Add();
        entry.set_domain(opset.domain);
        entry.set_version(opset.version);
    }
}

void writeGraph(const Graph& graph, const TensorWriter& writeElements, proto::GraphProto& into) {
    GraphWriter(graph, writeElements, nullptr).write(into);
}

void writeFunction(const Function& function, const TensorWriter& writeElements, proto::FunctionProto& into) {
    into.set_domain(function.domain);
    into.set_name(function.name);
    if (!function.overload.empty()) into.set_overload(function.overload);
    for (const std::string& attribute : function.attributes) into.add_attribute(attribute);
    writeOpsets(function.opsets, *into.mutable_opset_import());
    GraphWriter writer(*function.body, writeElements, nullptr);
    for (const Attribute& attribute : function.defaultAttributes)
        writer.writeAttribute(nullptr, attribute, *into.add_attribute_proto());
    writer.writeBody(into);
    if (!function.documentation.empty()) into.set_doc_string(function.documentation);
}

}  // namespace engine::onnx
