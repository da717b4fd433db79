#include "engine/onnx/export.h"

#include <map>
#include <optional>
#include <set>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/onnx/proto.h"
#include "engine/onnx/write_graph.h"
#include "engine/onnx/write_tensor.h"
#include "engine/ops/op.h"
#include "engine/schema.h"

namespace engine::onnx {
namespace {

constexpr int64_t oldestIr = 8;

/// Two versions at which the same rules govern an operator.
bool isSameForm(const Node& node, int version) {
    if (node.version == version) return true;
    const OpDef* const own = findOp(node.domain, node.operatorType, node.version);
    const OpDef* const other = findOp(node.domain, node.operatorType, version);
    if (own != nullptr || other != nullptr) return own == other;
    const auto ownSchema = operatorSchema(node.domain, node.operatorType, node.version);
    const auto otherSchema = operatorSchema(node.domain, node.operatorType, version);
    return ownSchema && otherSchema && ownSchema->sinceVersion == otherSchema->sinceVersion;
}

/// A file has one version for each domain, a graph one for each node.
class OpsetChooser {
public:
    void add(const Graph& graph) {
        for (const Node& node : graph.nodes) {
            nodes_[node.domain].push_back(&node);
            for (const auto& [name, body] : subgraphs(node)) {
                if (body) add(*body);
            }
        }
    }

    std::vector<OpsetImport> choose(const std::vector<OpsetImport>& declared) const {
        std::vector<OpsetImport> result;
        for (const auto& [domain, nodes] : nodes_)
            result.push_back({.domain = domain, .version = versionFor(domain, nodes, declared)});
        for (const OpsetImport& opset : declared) {
            if (nodes_.count(opset.domain) == 0) result.push_back(opset);
        }
        return result;
    }

private:
    static int versionFor(const std::string& domain, const std::vector<const Node*>& nodes,
                          const std::vector<OpsetImport>& declared) {
        std::set<int, std::greater<>> candidates;
        for (const Node* node : nodes) candidates.insert(node->version);
        for (const OpsetImport& opset : declared) {
            if (opset.domain == domain) candidates.insert(opset.version);
        }
        const Node* misfit = nullptr;
        for (const int version : candidates) {
            const auto found = std::find_if(nodes.begin(), nodes.end(), [version](const Node* node) {
                return !isSameForm(*node, version);
            });
            if (found == nodes.end()) return version;
            misfit = *found;
        }
        fail("no version of the domain '", domain.empty() ? "ai.onnx" : domain,
             "' fits all nodes: ", misfit->operatorType, " '", misfit->name, "' follows version ",
             misfit->version, ", and changed before version ", *candidates.begin());
    }

    std::map<std::string, std::vector<const Node*>> nodes_;
};

/// Puts large tensors into a second file.
class ExternalWriter {
public:
    explicit ExternalWriter(std::filesystem::path path) : path_(std::move(path)), file_(path_) {}

    void write(const Tensor& tensor, proto::TensorProto& into) {
        if (tensor.type() == DataType::string || tensor.bytes() < smallestOutside) {
            return writeTensor(tensor, Elements::raw, into);
        }
        into.set_data_type(static_cast<int>(tensor.type()));
        for (const int64_t dim : tensor.dims()) into.add_dims(dim);
        align();
        std::vector<std::byte> packed;
        const std::span<const std::byte> raw = rawElements(tensor, packed);
        into.set_data_location(proto::TensorProto_DataLocation_EXTERNAL);
        writeMetadata({{"location", path_.filename().string()},
                       {"offset", text(file_.size())},
                       {"length", text(raw.size())}},
                      *into.mutable_external_data());
        file_.write(raw);
    }
    void commit() { file_.commit(); }

private:
    static constexpr size_t smallestOutside = 1024;

    /// To a page, so that readers can map the elements.
    void align() {
        static constexpr std::byte zeros[4096] = {};
        const uint64_t rest = file_.size() % sizeof zeros;
        if (rest != 0) file_.write(std::span(zeros).first(sizeof zeros - rest));
    }

    std::filesystem::path path_;
    AtomicFile file_;
};

uint64_t constantBytes(const Graph& graph) {
    uint64_t bytes = 0;
    const auto add = [&bytes](const Tensor& tensor) { bytes += tensor.bytes(); };
    for (const Value& value : graph.values) {
        if (value.constant && value.constant->isTensor()) add(value.constant->tensor());
    }
    for (const Node& node : graph.nodes) {
        for (const Attribute& attribute : node.attributes) {
            if (const auto* tensor = std::get_if<Tensor>(&attribute.value)) add(*tensor);
        }
        for (const auto& [name, body] : subgraphs(node)) {
            if (body) bytes += constantBytes(*body);
        }
    }
    return bytes;
}

void writeHead(const Model& model, const Graph& graph, proto::ModelProto& into) {
    // Before IR version 4 every initializer had to stand among the inputs too.
    into.set_ir_version(std::max(model.irVersion, oldestIr));
    into.set_producer_name("opscope");
    into.set_producer_version(OPSCOPE_VERSION);
    if (!model.domain.empty()) into.set_domain(model.domain);
    if (model.modelVersion != 0) into.set_model_version(model.modelVersion);
    if (!model.documentation.empty()) into.set_doc_string(model.documentation);
    writeMetadata(model.metadata, *into.mutable_metadata_props());
    OpsetChooser opsets;
    opsets.add(graph);
    writeOpsets(opsets.choose(model.opsets), *into.mutable_opset_import());
}

}  // namespace

void exportModel(const Graph& graph, const Model& model, const std::filesystem::path& path,
                 const ExportOptions& options, Observer& observer) {
    proto::ModelProto into;
    writeHead(model, graph, into);
    const bool isOutside = options.externalData || constantBytes(graph) > options.mostBytesInside;
    std::optional<ExternalWriter> outside;
    if (isOutside) outside.emplace(std::filesystem::path(path.string() + ".data"));
    const TensorWriter writeElements = [&](const Tensor& tensor, proto::TensorProto& tensorProto) {
        observer.checkpoint();
        if (outside) {
            outside->write(tensor, tensorProto);
        } else {
            writeTensor(tensor, Elements::raw, tensorProto);
        }
    };
    writeGraph(graph, writeElements, *into.mutable_graph());
    if (into.graph().name().empty()) into.mutable_graph()->set_name("graph");
    for (const Function& function : model.functions)
        writeFunction(function, writeElements, *into.add_functions());
    const std::string bytes = into.SerializeAsString();
    if (bytes.empty()) fail(path.string(), ": the model is too large for one file");
    AtomicFile file(path);
    file.write(bytes);
    if (outside) outside->commit();
    file.commit();
}

}  // namespace engine::onnx
