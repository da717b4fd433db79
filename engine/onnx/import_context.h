#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/core/diagnostic.h"
#include "engine/core/observer.h"
#include "engine/core/type.h"
#include "engine/graph/graph.h"
#include "engine/onnx/proto.h"
#include "engine/onnx/tensor_data.h"

namespace engine::onnx {

/// What is found wrong while a file is read. Bounded, so that a thoroughly damaged file stays readable.
class Findings {
public:
    explicit Findings(std::vector<Diagnostic>& into) : into_(into) {}

    /// `place` is put after the places that are open.
    void add(Diagnostic::Severity severity, std::string message, const std::string& place,
             std::optional<uint64_t> byteOffset = {});
    void error(std::string message, const std::string& place, std::optional<uint64_t> byteOffset = {}) {
        add(Diagnostic::Severity::error, std::move(message), place, byteOffset);
    }
    void warning(std::string message, const std::string& place) {
        add(Diagnostic::Severity::warning, std::move(message), place);
    }

    /// Adds how many were left out, if any.
    void close();

    /// While it lives, everything found stands in that place: "node 'if_1' (If) / then_branch".
    class Place {
    public:
        Place(Findings& findings, std::string name) : findings_(findings) {
            findings_.places_.push_back(std::move(name));
        }
        ~Place() { findings_.places_.pop_back(); }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        Findings& findings_;
    };

private:
    std::vector<Diagnostic>& into_;
    std::vector<std::string> places_;
    size_t leftOut_ = 0;
};

/// What the importers of one file share.
struct ImportContext {
    const TensorReader& tensors;
    Findings& findings;
    Observer& observer;
    int64_t irVersion = 0;
    /// Domain ("" for ai.onnx) -> version, of the model or of the function being imported.
    std::map<std::string, int> opsets = {};
    size_t badTensors = 0;  ///< initializers that could not be read, so far
};

/// "" for ONNX's own domain, whichever way it is written.
std::string normalDomain(const std::string& domain);

Metadata importMetadata(const google::protobuf::RepeatedPtrField<proto::StringStringEntryProto>& entries);

/// What cannot be (an element type that we do not know, a negative dim) is left unknown and reported.
Type importType(const proto::TypeProto& type, ImportContext& context, const std::string& place);

class Scope;

/// An attribute of a node in `scope`, into which its subgraphs reach.
Attribute importAttribute(const proto::AttributeProto& attribute, Scope* scope, ImportContext& context,
                          const std::string& place);

/// A graph whose free names are looked up in `outer`, if there is one.
Graph importGraph(const proto::GraphProto& graph, Scope* outer, ImportContext& context);

/// The body of a function: `context.opsets` must be the function's.
Graph importFunctionBody(const proto::FunctionProto& function, ImportContext& context);

}  // namespace engine::onnx
