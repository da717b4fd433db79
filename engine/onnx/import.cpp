#include "engine/onnx/import.h"

#include <array>
#include <cstring>

#include <google/protobuf/io/coded_stream.h>

#include "engine/core/error.h"
#include "engine/graph/origins.h"
#include "engine/onnx/external_data.h"
#include "engine/onnx/import_context.h"
#include "engine/onnx/scope.h"
#include "engine/onnx/wire_skim.h"

namespace engine::onnx {
namespace {

constexpr int64_t newestIr = proto::Version::IR_VERSION;

/// What else the bytes look like, for the message when they are no model.
std::string guessContent(std::span<const std::byte> bytes) {
    struct Magic {
        const char* start;
        const char* name;
    };
    static constexpr std::array magics{
        Magic{"PK\x03\x04", "a zip archive (PyTorch saves models so)"},
        Magic{"version https://git-lfs", "a Git LFS pointer, not the file itself"},
        Magic{"\x1f\x8b", "a gzip archive"},
        Magic{"\x89HDF", "an HDF5 file"},
        Magic{"GGUF", "a GGUF file"},
        Magic{"<!DOCTYPE", "a web page"},
        Magic{"<html", "a web page"},
    };
    const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                                 std::min<size_t>(bytes.size(), 64));
    for (const Magic& magic : magics) {
        if (start.substr(0, std::strlen(magic.start)) == magic.start) return magic.name;
    }
    // FlatBuffers have their name after the first offset.
    if (start.size() >= 8 && start.substr(4, 4) == "TFL3") return "a TensorFlow Lite model";
    if (start.size() >= 8 && start.substr(4, 4) == "ORTM") return "ONNX Runtime's own .ort format";
    return "";
}

template <class Opsets>
std::vector<OpsetImport> importOpsets(const Opsets& from) {
    std::vector<OpsetImport> opsets;
    for (const proto::OperatorSetIdProto& opset : from) {
        const int64_t version = std::clamp<int64_t>(opset.version(), 0, INT32_MAX);
        opsets.push_back({.domain = normalDomain(opset.domain()), .version = static_cast<int>(version)});
    }
    return opsets;
}

std::map<std::string, int> byDomain(const std::vector<OpsetImport>& opsets) {
    std::map<std::string, int> result;
    for (const OpsetImport& opset : opsets) result.try_emplace(opset.domain, opset.version);
    return result;
}

void importHead(const proto::ModelProto& from, Model& model) {
    model.irVersion = from.ir_version();
    model.producerName = from.producer_name();
    model.producerVersion = from.producer_version();
    model.domain = from.domain();
    model.modelVersion = from.model_version();
    model.documentation = from.doc_string();
    model.metadata = importMetadata(from.metadata_props());
    model.opsets = importOpsets(from.opset_import());
    for (const proto::DeviceConfigurationProto& device : from.configuration()) {
        model.metadata.emplace_back("device configuration: " + device.name(),
                                    text(device.num_devices(), " devices"));
    }
}

void checkVersions(const Model& model, Findings& findings) {
    if (model.irVersion > newestIr) {
        findings.warning(text("the file is of IR version ", model.irVersion, "; versions up to ", newestIr,
                              " are known, so it may hold what is not shown"),
                         "");
    }
    if (model.irVersion == 0) findings.warning("the file does not say its IR version", "");
    for (const OpsetImport& opset : model.opsets) {
        if (opset.version > 0) continue;
        findings.warning(text("the opset import of domain '", opset.domain.empty() ? "ai.onnx" : opset.domain,
                              "' has the version ", opset.version, ", expected one from 1"),
                         "");
    }
}

Function importFunction(const proto::FunctionProto& from, const Model& model, ImportContext& context) {
    const Findings::Place place(context.findings, text("function '", from.name(), "'"));
    Function function{.domain = normalDomain(from.domain()),
                      .name = from.name(),
                      .overload = from.overload(),
                      .documentation = from.doc_string(),
                      .attributes = {from.attribute().begin(), from.attribute().end()},
                      .opsets = importOpsets(from.opset_import())};
    context.opsets = byDomain(function.opsets);
    for (const OpsetImport& opset : model.opsets) context.opsets.try_emplace(opset.domain, opset.version);
    for (const proto::AttributeProto& attribute : from.attribute_proto())
        function.defaultAttributes.push_back(importAttribute(attribute, nullptr, context, ""));
    function.body = std::make_shared<const Graph>(importFunctionBody(from, context));
    return function;
}

TrainingInfo importTraining(const proto::TrainingInfoProto& from, Graph& mainGraph, ImportContext& context) {
    const Findings::Place place(context.findings, "training information");
    TrainingInfo training;
    if (from.has_initialization()) {
        training.initialization =
            std::make_shared<const Graph>(importGraph(from.initialization(), nullptr, context));
    }
    if (from.has_algorithm()) {
        Scope main(mainGraph, nullptr);
        for (size_t i = 0; i < mainGraph.values.size(); ++i) main.know(mainGraph.values[i].name, ValueId(i));
        training.algorithm = std::make_shared<const Graph>(importGraph(from.algorithm(), &main, context));
    }
    training.initializationBinding = importMetadata(from.initialization_binding());
    training.updateBinding = importMetadata(from.update_binding());
    return training;
}

void reportFaults(const Skim& skim, Findings& findings, Model& model) {
    if (!skim.faults.empty()) {
        const Fault& first = skim.faults.front();
        model.obstacle = text("the file is damaged at byte ", first.offset,
                              first.where.empty() ? "" : ", in ", first.where, ": ", first.what);
    }
    for (const Fault& fault : skim.faults)
        findings.error(fault.what, fault.where.empty() ? "the file" : fault.where, fault.offset);
    if (skim.faultCount > skim.faults.size()) {
        findings.error(text(skim.faultCount - skim.faults.size(), " more parts of the file are damaged"),
                       "the file");
    }
    if (skim.unknownFields > 0) {
        findings.add(
            Diagnostic::Severity::note,
            text(skim.unknownFields, " fields are not known to this version of the program, and left out"),
            "the file");
    }
}

proto::ModelProto parseRest(const std::string& rest, Findings& findings) {
    proto::ModelProto model;
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(rest.data()),
                                                  static_cast<int>(rest.size()));
    stream.SetRecursionLimit(2 * deepestNesting);
    if (!model.MergePartialFromCodedStream(&stream)) {
        findings.error("protobuf cannot read all of it; what comes after the fault is missing", "the file");
    }
    return model;
}

[[noreturn]] void failNoModel(std::span<const std::byte> bytes, const Skim& skim) {
    const std::string guess = guessContent(bytes);
    if (bytes.empty()) fail("the file is empty, expected an ONNX model");
    if (!guess.empty()) fail("found ", guess, ", expected an ONNX model");
    if (!skim.faults.empty()) {
        const Fault& fault = skim.faults.front();
        fail("this is no ONNX model: at byte ", fault.offset, ": ", fault.what);
    }
    fail("this is no ONNX model: it has no graph");
}

}  // namespace

void importModel(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                 std::optional<std::filesystem::path> folder, Model& model, Observer& observer,
                 const OpenLimits& limits) {
    Skim skimmed = skim(bytes, Message::model, observer, limits);
    Findings findings(model.diagnostics);
    reportFaults(skimmed, findings, model);
    proto::ModelProto from = parseRest(skimmed.rest, findings);
    if (!from.has_graph() && from.functions_size() == 0) failNoModel(bytes, skimmed);
    skimmed.rest = {};
    observer.checkpoint(0.5, "reading the graph");

    importHead(from, model);
    checkVersions(model, findings);
    ExternalFiles external(std::move(folder));
    const TensorReader tensors(bytes, std::move(owner), std::move(skimmed.payloads), &external);
    ImportContext context{tensors, findings, observer, model.irVersion, byDomain(model.opsets)};
    Graph graph = importGraph(from.graph(), nullptr, context);
    for (const proto::TrainingInfoProto& training : from.training_info())
        model.training.push_back(importTraining(training, graph, context));
    for (const proto::FunctionProto& function : from.functions())
        model.functions.push_back(importFunction(function, model, context));
    findings.close();

    model.graph = numberNodes(std::move(graph), "", model.origins);
    for (Function& function : model.functions)
        function.body = numberNodes(*function.body, function.name, model.origins);
}

}  // namespace engine::onnx
