#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace engine {

/// What the specification says of an operator, for people. From ONNX's schemas, and for the operators of
/// other domains that the engine knows, from their definition.
struct OperatorSchema {
    struct Parameter {
        std::string name = {};  ///< "X"
        std::string type = {};  ///< "T", "tensor(int64)"
        std::string documentation = {};
        bool isOptional = false;
        bool isVariadic = false;
    };
    struct AttributeInfo {
        std::string name = {};
        std::string kind = {};  ///< as kindText(): "int", "floats", …
        std::string documentation = {};
        std::string defaultText = {};  ///< "[1, 1]", "NOTSET"; empty: none
        bool isRequired = false;
    };

    std::string documentation = {};  ///< Markdown
    int sinceVersion = 0;
    bool isDeprecated = false;
    std::vector<Parameter> inputs = {};
    std::vector<Parameter> outputs = {};
    std::vector<AttributeInfo> attributes = {};
    std::vector<std::pair<std::string, std::string>> typeConstraints = {};  ///< "T" -> "float, float16, …"
};

/// The schema that governs the operator at that opset version; null if there is none. Thread-safe; asking
/// again is cheap.
std::shared_ptr<const OperatorSchema> operatorSchema(const std::string& domain, const std::string& name,
                                                     int version);

/// One form of one operator of ONNX's specification.
struct SpecifiedOperator {
    std::string domain = {};
    std::string name = {};
    int sinceVersion = 0;
    bool isDeprecated = false;  ///< from this version on there is no such operator any more
};

/// Every form of every operator that ONNX specifies, sorted by domain, name and version.
std::vector<SpecifiedOperator> specifiedOperators();

/// How a form of an operator is run.
enum class FormRuns : uint8_t {
    kernel,     ///< by code of the engine's own
    rewritten,  ///< in another form, or as another operator, that has a kernel
    function,   ///< by a function body: its specification's, or one of the engine's own (OpBody)
    removed,    ///< the specification has taken it out from this version on
    never,
};

/// A form of an operator that the specification or the engine knows.
struct OperatorForm {
    std::string domain = {};
    std::string name = {};
    int sinceVersion = 0;
    FormRuns runs = FormRuns::never;
    std::string reason = {};  ///< why never
};

/// Every form of every operator that ONNX specifies, that the engine has, or that it knows and does not run;
/// sorted by domain, name and version.
std::vector<OperatorForm> operatorForms();

/// The newest opset version of a domain that ONNX specifies; 0 for other domains.
int newestOpset(const std::string& domain);

}  // namespace engine
