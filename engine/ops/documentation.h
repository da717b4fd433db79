#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/registry.h"

namespace engine {

/// What an operator outside of ONNX's specification computes and takes, for people: of com.microsoft's, as
/// the engine runs them.
struct OpDocumentation {
    enum class Count : uint8_t { one, optional, any };
    struct Parameter {
        const char* name;
        const char* type;  ///< "T" or an element type
        const char* text;
        Count count = Count::one;
    };
    struct Attribute {
        const char* name;
        const char* kind;  ///< as kindText()
        const char* text;
        const char* fallback = "";  ///< its default as text; "": it has none
    };

    const char* name;
    const char* text;
    std::vector<Parameter> inputs = {};
    std::vector<Parameter> outputs = {};
    std::vector<Attribute> required = {};  ///< attributes that a node must have
    std::vector<Attribute> attributes = {};
    std::vector<std::pair<const char*, const char*>> types = {};  ///< "T" -> "float16, float"
    const char* domain = "com.microsoft";

    bool operator<(const OpDocumentation& other) const;
};

/// Null if there is none.
const OpDocumentation* findDocumentation(const std::string& domain, const std::string& name);

}  // namespace engine
