#include <onnx/defs/printer.h>

#include "engine/onnx/text.h"
#include "engine/onnx/write_graph.h"
#include "engine/onnx/write_tensor.h"

namespace engine::onnx {
namespace {

/// The library's printer writes "..." in place of elements of some types, which its parser reads all the
/// same. This collects, in the order of printing, what has to stand there.
class Elided {
public:
    void collect(const proto::GraphProto& graph) {
        for (const proto::TensorProto& tensor : graph.initializer()) add(tensor);
        for (const proto::NodeProto& node : graph.node()) collect(node);
    }
    void collect(const proto::NodeProto& node) {
        for (const proto::AttributeProto& attribute : node.attribute()) {
            if (attribute.has_t()) add(attribute.t());
            for (const proto::TensorProto& tensor : attribute.tensors()) add(tensor);
            if (attribute.has_g()) collect(attribute.g());
            for (const proto::GraphProto& graph : attribute.graphs()) collect(graph);
        }
    }

    /// `printed` with each "..." outside of strings replaced.
    std::string fillInto(const std::string& printed) const {
        std::string result;
        size_t next = 0;
        bool isQuoted = false;
        for (size_t i = 0; i < printed.size(); ++i) {
            if (isQuoted && printed[i] == '\\') {
                result += printed[i++];
            } else if (printed[i] == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted && printed.compare(i, 3, "...") == 0 && next < lists_.size()) {
                result += lists_[next++];
                i += 2;
                continue;
            }
            if (i < printed.size()) result += printed[i];
        }
        return result;
    }

private:
    void add(const proto::TensorProto& tensor) {
        switch (static_cast<DataType>(tensor.data_type())) {
            case DataType::int4:
            case DataType::uint4:
            case DataType::int2:
            case DataType::uint2:
            case DataType::float4e2m1:
            case DataType::float6e2m3:
            case DataType::float6e3m2:
                return lists_.push_back(listOf(tensor.int32_data()));
            case DataType::complex64:
                return lists_.push_back(listOf(tensor.float_data()));
            case DataType::complex128:
                return lists_.push_back(listOf(tensor.double_data()));
            default:
                return;
        }
    }
    template <class List>
    static std::string listOf(const List& values) {
        std::ostringstream stream;
        stream.precision(17);
        stream << " {";
        for (int i = 0; i < values.size(); ++i) stream << (i > 0 ? "," : "") << values[i];
        stream << "}";
        return stream.str();
    }

    std::vector<std::string> lists_;
};

TensorWriter typedElements() {
    return [](const Tensor& tensor, proto::TensorProto& into) { writeTensor(tensor, Elements::typed, into); };
}

}  // namespace

std::string printGraph(const Graph& graph) {
    proto::GraphProto written;
    writeGraph(graph, typedElements(), written);
    if (written.name().empty()) written.set_name("graph");
    Elided elided;
    elided.collect(written);
    return elided.fillInto(proto::ProtoToString(written));
}

std::string printModel(const Model& model) {
    proto::ModelProto written;
    written.set_ir_version(model.irVersion);
    writeOpsets(model.opsets, *written.mutable_opset_import());
    if (!model.producerName.empty()) written.set_producer_name(model.producerName);
    if (!model.producerVersion.empty()) written.set_producer_version(model.producerVersion);
    if (!model.domain.empty()) written.set_domain(model.domain);
    if (model.modelVersion != 0) written.set_model_version(model.modelVersion);
    if (!model.documentation.empty()) written.set_doc_string(model.documentation);
    writeMetadata(model.metadata, *written.mutable_metadata_props());
    writeGraph(*model.graph, typedElements(), *written.mutable_graph());
    if (written.graph().name().empty()) written.mutable_graph()->set_name("graph");
    Elided elided;
    elided.collect(written.graph());
    for (const Function& function : model.functions) {
        proto::FunctionProto& one = *written.add_functions();
        writeFunction(function, typedElements(), one);
        for (const proto::NodeProto& node : one.node()) elided.collect(node);
    }
    return elided.fillInto(proto::ProtoToString(written));
}

}  // namespace engine::onnx
