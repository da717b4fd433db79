#include "engine/ops/op_body.h"

#include <cmath>
#include <cstdio>

#include "engine/core/error.h"
#include "engine/ops/op.h"

namespace engine {

template <>
Registry<OpBody>& Registry<OpBody>::instance() {
    static Registry registry;
    return registry;
}

bool OpBody::operator<(const OpBody& other) const {
    return std::pair<std::string_view, std::string_view>{domain, name} <
           std::pair<std::string_view, std::string_view>{other.domain, other.name};
}

const OpBody* findBody(const std::string& domain, const std::string& name) {
    const std::string wanted(canonicalDomain(domain));
    return Registry<OpBody>::instance().find({name.c_str(), wanted.c_str(), nullptr});
}

std::string floatText(double value) {
    if (!std::isfinite(value)) fail("found the number ", value, ", expected a finite one");
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    std::string result = buffer;
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result;
}

std::string integersText(const std::vector<int64_t>& values) {
    std::vector<std::string> parts;
    for (const int64_t value : values) parts.push_back(std::to_string(value));
    return "[" + join(parts, ", ") + "]";
}

std::string transposed(const std::string& value, const std::vector<int64_t>& permutation) {
    return "Transpose <perm: ints = " + integersText(permutation) + "> (" + value + ")";
}

std::vector<int64_t> channelsFirst(int64_t rank) {
    std::vector<int64_t> permutation{0, rank - 1};
    for (int64_t i = 1; i < rank - 1; ++i) permutation.push_back(i);
    return permutation;
}

std::vector<int64_t> channelsLast(int64_t rank) {
    std::vector<int64_t> permutation{0};
    for (int64_t i = 2; i < rank; ++i) permutation.push_back(i);
    permutation.push_back(1);
    return permutation;
}

bool BodyWriter::has(size_t input) const {
    const std::vector<ValueId>& ids = attributes.node().inputs;
    return input < ids.size() && ids[input].isValid();
}

bool BodyWriter::wants(size_t output) const {
    const std::vector<ValueId>& ids = attributes.node().outputs;
    return output < ids.size() && ids[output].isValid();
}

const Shape* BodyWriter::shape(size_t input) const {
    return input < inputs_.size() && inputs_[input].shape ? &*inputs_[input].shape : nullptr;
}

int64_t BodyWriter::rank(size_t input, const char* what) const {
    const Shape* known = shape(input);
    if (known == nullptr) fail(what, ": its rank must be known");
    return static_cast<int64_t>(known->size());
}

DataType BodyWriter::element(size_t input) const {
    return input < inputs_.size() ? inputs_[input].element : DataType::undefined;
}

bool BodyWriter::isSparse(size_t input) const {
    return input < inputs_.size() && inputs_[input].kind == Type::Kind::sparseTensor;
}

BodyWriter& BodyWriter::line(const std::string& text) {
    lines_ += "  " + text + "\n";
    return *this;
}

BodyWriter& BodyWriter::number(const std::string& name, double value) {
    return line(name + " = Constant <value_float = " + floatText(value) + "> ()");
}

BodyWriter& BodyWriter::scalar(const std::string& name, double value, const std::string& like) {
    number(name + "_float", value);
    return line(name + " = CastLike (" + name + "_float, " + like + ")");
}

BodyWriter& BodyWriter::integers(const std::string& name, const std::vector<int64_t>& values) {
    return line(name + " = Constant <value_ints: ints = " + integersText(values) + "> ()");
}

std::string BodyWriter::listed(const std::vector<std::string>& attributeNames) const {
    std::vector<std::string> parts;
    for (const std::string& name : attributeNames) {
        const Attribute* attribute = attributes.node().attribute(name);
        if (attribute == nullptr) continue;
        if (const auto* integer = std::get_if<int64_t>(&attribute->value)) {
            parts.push_back(name + " = " + std::to_string(*integer));
        } else if (const auto* real = std::get_if<float>(&attribute->value)) {
            parts.push_back(name + " = " + floatText(static_cast<double>(*real)));
        } else if (const auto* word = std::get_if<std::string>(&attribute->value)) {
            parts.push_back(name + " = \"" + *word + "\"");
        } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&attribute->value)) {
            parts.push_back(name + ": ints = " + integersText(*integers));
        } else if (const auto* reals = std::get_if<std::vector<float>>(&attribute->value)) {
            std::vector<std::string> numbers;
            for (const float each : *reals) numbers.push_back(floatText(static_cast<double>(each)));
            parts.push_back(name + ": floats = [" + join(numbers, ", ") + "]");
        } else {
            fail("attribute '", name, "': found ", kindText(attribute->value), ", expected numbers or text");
        }
    }
    return join(parts, ", ");
}

BodyWriter& BodyWriter::call(const std::string& outputs, const std::string& operatorType,
                             std::vector<std::string> inputs,
                             const std::vector<std::string>& attributeNames) {
    while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
    const std::string list = listed(attributeNames);
    return line(outputs + " = " + operatorType + (list.empty() ? " " : " <" + list + "> ") + "(" +
                join(inputs, ", ") + ")");
}

std::string BodyWriter::function(const std::string& signature) const {
    return signature + " {\n" + lines_ + "}";
}

}  // namespace engine
