#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace engine {

/// Reads a node's attributes, checking their kinds. A missing attribute without a fallback, or one of another
/// kind, throws Error naming the attribute, what was found and what was expected.
class AttributeReader {
public:
    explicit AttributeReader(const Node& node) : node_(node) {}

    const Node& node() const { return node_; }
    bool has(const std::string& name) const { return node_.attribute(name) != nullptr; }

    int64_t integer(const std::string& name) const;
    int64_t integer(const std::string& name, int64_t fallback) const;
    std::optional<int64_t> maybeInteger(const std::string& name) const;
    float number(const std::string& name) const;
    float number(const std::string& name, float fallback) const;
    std::optional<float> maybeNumber(const std::string& name) const;
    std::string string(const std::string& name) const;
    std::string string(const std::string& name, const std::string& fallback) const;
    /// An empty list if missing.
    std::vector<int64_t> integers(const std::string& name) const;
    std::optional<std::vector<int64_t>> maybeIntegers(const std::string& name) const;
    std::vector<float> numbers(const std::string& name) const;
    std::vector<std::string> strings(const std::string& name) const;
    std::optional<Tensor> maybeTensor(const std::string& name) const;
    std::shared_ptr<const Graph> graph(const std::string& name) const;
    /// An attribute that holds a TensorProto.DataType.
    DataType dataType(const std::string& name, DataType fallback) const;
    /// One of `allowed`; else throws Error listing them.
    std::string choice(const std::string& name, const std::string& fallback,
                       const std::vector<std::string>& allowed) const;

private:
    const Node& node_;
};

/// The parsed form of a node's attributes, of a type that only its operator knows.
using ParsedAttributes = std::shared_ptr<const void>;

/// Makes `OpDef::attributes` of a function `A parse(const AttributeReader&)`:
///     .attributes = parsed<parse>
template <auto parse>
ParsedAttributes parsed(const AttributeReader& reader) {
    using Attributes = decltype(parse(reader));
    return std::make_shared<const Attributes>(parse(reader));
}

/// `.attributes = noAttributes` for an operator that has none.
inline ParsedAttributes noAttributes(const AttributeReader&) { return nullptr; }

/// `axis` counted from the back if negative; throws Error if out of range for `rank`.
int64_t normalizedAxis(int64_t axis, int64_t rank);

}  // namespace engine
