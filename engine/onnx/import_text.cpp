#include <onnx/defs/parser.h>
#include <onnx/defs/schema.h>

#include "engine/core/error.h"
#include "engine/onnx/import.h"
#include "engine/onnx/proto.h"

namespace engine::onnx {
namespace {

constexpr int deepestBrackets = 200;

/// "line 3, column 7" of a place in the text.
std::string placeIn(const std::string& source, size_t position) {
    const size_t lines = static_cast<size_t>(std::count(source.begin(), source.begin() + position, '\n'));
    const size_t lineStart = lines == 0 ? 0 : source.rfind('\n', position - 1) + 1;
    return text("line ", lines + 1, ", column ", position - lineStart + 1);
}

/// The parser recurses without bound, so the depth of brackets is checked before it starts.
void checkNesting(const std::string& source) {
    int depth = 0;
    for (size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        if (c == '#') {
            i = std::min(source.find('\n', i), source.size());
        } else if (c == '"') {
            for (++i; i < source.size() && source[i] != '"'; ++i) {
                if (source[i] == '\\') ++i;
            }
        } else if (c == '(' || c == '{') {
            if (++depth > deepestBrackets)
                fail(placeIn(source, i), ": brackets are nested more than ", deepestBrackets, " deep");
        } else if (c == ')' || c == '}') {
            --depth;
        }
    }
}

/// The library's message, "[ParseError at position (line: 1 column: 3)]\nError context: …\nwhat", in our
/// form.
[[noreturn]] void failParse(const std::string& message) {
    unsigned line = 0;
    unsigned column = 0;
    const size_t position = message.find("(line:");
    const size_t last = message.rfind('\n');
    if (position != std::string::npos &&
        std::sscanf(message.c_str() + position, "(line: %u column: %u)", &line, &column) == 2) {
        fail("line ", line, ", column ", column, ": ",
             last == std::string::npos ? message : message.substr(last + 1));
    }
    fail(message);
}

size_t firstToken(const std::string& source) {
    size_t i = 0;
    while (i < source.size()) {
        if (source[i] == '#') {
            i = std::min(source.find('\n', i), source.size());
        } else if (std::isspace(static_cast<unsigned char>(source[i])) != 0) {
            ++i;
        } else {
            break;
        }
    }
    return i;
}

void addDomains(const proto::GraphProto& graph, proto::ModelProto& model);

void addDomain(const proto::NodeProto& node, proto::ModelProto& model) {
    const auto& opsets = model.opset_import();
    const bool isKnown = std::any_of(opsets.begin(), opsets.end(),
                                     [&](const auto& opset) { return opset.domain() == node.domain(); });
    if (!isKnown && node.domain() != "ai.onnx") {
        proto::OperatorSetIdProto& opset = *model.add_opset_import();
        opset.set_domain(node.domain());
        opset.set_version(1);
    }
    for (const proto::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) addDomains(attribute.g(), model);
        for (const proto::GraphProto& graph : attribute.graphs()) addDomains(graph, model);
    }
}

void addDomains(const proto::GraphProto& graph, proto::ModelProto& model) {
    for (const proto::NodeProto& node : graph.node()) addDomain(node, model);
}

/// What a bare graph leaves open: the newest versions.
void addDefaults(proto::ModelProto& model) {
    model.set_ir_version(proto::Version::IR_VERSION);
    for (const auto& [domain, version] :
         proto::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap()) {
        proto::OperatorSetIdProto& opset = *model.add_opset_import();
        opset.set_domain(domain);
        opset.set_version(version);
    }
    addDomains(model.graph(), model);
    for (const proto::FunctionProto& function : model.functions()) {
        for (const proto::NodeProto& node : function.node()) addDomain(node, model);
    }
}

proto::ModelProto parse(const std::string& source) {
    checkNesting(source);
    proto::ModelProto model;
    try {
        const auto status = proto::OnnxParser::Parse(model, source);
        if (!status.IsOK()) failParse(status.ErrorMessage());
    } catch (const Error&) {
        throw;
    } catch (const std::exception& problem) {
        // The parser lets a number out of range escape as std::out_of_range, without a place.
        fail("a number or name in the text cannot be read: ", problem.what());
    }
    const size_t start = firstToken(source);
    if (start < source.size() && source[start] != '<') addDefaults(model);
    return model;
}

}  // namespace

void importText(const std::string& source, std::optional<std::filesystem::path> folder, Model& model,
                Observer& observer) {
    const auto bytes = std::make_shared<const std::string>(parse(source).SerializeAsString());
    importModel(std::as_bytes(std::span(bytes->data(), bytes->size())), bytes, std::move(folder), model,
                observer);
}

}  // namespace engine::onnx
