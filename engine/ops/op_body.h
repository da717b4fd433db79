#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/registry.h"
#include "engine/core/type.h"
#include "engine/ops/attribute_reader.h"

namespace engine {

/// What OpBody::text sees of a node, and how it writes.
class BodyWriter {
public:
    BodyWriter(const Node& node, std::span<const Type> inputs) : attributes(node), inputs_(inputs) {}

    bool has(size_t input) const;
    /// `name` if the node has that input, else empty: for call().
    std::string given(size_t input, const std::string& name) const { return has(input) ? name : ""; }
    bool wants(size_t output) const;
    /// Throws Error if the rank of the input is not known.
    int64_t rank(size_t input, const char* what) const;
    /// Null if the rank is not known.
    const Shape* shape(size_t input) const;
    DataType element(size_t input) const;
    bool isSparse(size_t input) const;

    /// Adds "name = …": operators of ONNX's newest opset and of com.microsoft.
    BodyWriter& line(const std::string& text);
    /// Adds a scalar of the element type of the value `like`.
    BodyWriter& scalar(const std::string& name, double value, const std::string& like);
    /// Adds a float32 scalar, a 1-D int64 tensor.
    BodyWriter& number(const std::string& name, double value);
    BodyWriter& integers(const std::string& name, const std::vector<int64_t>& values);

    /// Adds "outputs = operatorType <…> (inputs)" with the node's attributes of these names as they stand. An
    /// empty name is an omitted input.
    BodyWriter& call(const std::string& outputs, const std::string& operatorType,
                     std::vector<std::string> inputs, const std::vector<std::string>& attributeNames);

    /// The function's text: "(X, bias) => (Y) {…}".
    std::string function(const std::string& signature) const;

    const AttributeReader attributes;

private:
    /// "alpha = 0.5, perm: ints = [1, 0]": those of the node's attributes that it has.
    std::string listed(const std::vector<std::string>& attributeNames) const;

    std::span<const Type> inputs_;
    std::string lines_;
};

/// An operator that is made of operators of ONNX (and of com.microsoft): a node of it runs by this body. For
/// those outside of ONNX's specification, and where the specification's own body does not do.
struct OpBody {
    const char* name;
    const char* domain;
    /// The body in ONNX's text syntax, for this node; empty: what the specification says is right. Throws
    /// Error on a node that the operator does not take.
    std::string (*text)(BodyWriter& writer);

    bool operator<(const OpBody& other) const;
};

/// The body of that operator, or null.
const OpBody* findBody(const std::string& domain, const std::string& name);

/// "0.5", "1e-05", "-inf" is refused: how ONNX's text writes a float.
std::string floatText(double value);
/// "[1, 2]".
std::string integersText(const std::vector<int64_t>& values);
/// "Transpose <perm: ints = [0, 2, 1]> (x)": for BodyWriter::line().
std::string transposed(const std::string& value, const std::vector<int64_t>& permutation);
/// The order of axes that moves the channels of a picture of that rank from the last axis to the second, and
/// back.
std::vector<int64_t> channelsFirst(int64_t rank);
std::vector<int64_t> channelsLast(int64_t rank);

}  // namespace engine
