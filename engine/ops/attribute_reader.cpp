#include "engine/ops/attribute_reader.h"

#include <algorithm>

#include "engine/core/error.h"

namespace engine {
namespace {

/// The attribute's value as T, null if there is no such attribute; throws Error if it holds another kind.
template <class T>
const T* find(const Node& node, const std::string& name) {
    const Attribute* attribute = node.attribute(name);
    if (attribute == nullptr) return nullptr;
    if (const T* value = std::get_if<T>(&attribute->value)) return value;
    if (!attribute->reference.empty()) {
        fail("attribute '", name, "' still refers to '", attribute->reference, "' of the function around it");
    }
    fail("attribute '", name, "' is of kind ", kindText(attribute->value), ", expected ",
         kindText(AttributeValue(T{})));
}

template <class T>
const T& require(const Node& node, const std::string& name) {
    const T* value = find<T>(node, name);
    if (value == nullptr)
        fail("attribute '", name, "' is missing, expected one of kind ", kindText(AttributeValue(T{})));
    return *value;
}

template <class T>
T valueOr(const Node& node, const std::string& name, T fallback) {
    const T* value = find<T>(node, name);
    return value == nullptr ? std::move(fallback) : *value;
}

template <class T>
std::optional<T> maybe(const Node& node, const std::string& name) {
    const T* value = find<T>(node, name);
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

}  // namespace

int64_t AttributeReader::integer(const std::string& name) const { return require<int64_t>(node_, name); }
int64_t AttributeReader::integer(const std::string& name, int64_t fallback) const {
    return valueOr<int64_t>(node_, name, fallback);
}
std::optional<int64_t> AttributeReader::maybeInteger(const std::string& name) const {
    return maybe<int64_t>(node_, name);
}
float AttributeReader::number(const std::string& name) const { return require<float>(node_, name); }
float AttributeReader::number(const std::string& name, float fallback) const {
    return valueOr<float>(node_, name, fallback);
}
std::optional<float> AttributeReader::maybeNumber(const std::string& name) const {
    return maybe<float>(node_, name);
}
std::string AttributeReader::string(const std::string& name) const {
    return require<std::string>(node_, name);
}
std::string AttributeReader::string(const std::string& name, const std::string& fallback) const {
    return valueOr<std::string>(node_, name, fallback);
}
std::vector<int64_t> AttributeReader::integers(const std::string& name) const {
    return valueOr<std::vector<int64_t>>(node_, name, {});
}
std::optional<std::vector<int64_t>> AttributeReader::maybeIntegers(const std::string& name) const {
    return maybe<std::vector<int64_t>>(node_, name);
}
std::vector<float> AttributeReader::numbers(const std::string& name) const {
    return valueOr<std::vector<float>>(node_, name, {});
}
std::vector<std::string> AttributeReader::strings(const std::string& name) const {
    return valueOr<std::vector<std::string>>(node_, name, {});
}
std::optional<Tensor> AttributeReader::maybeTensor(const std::string& name) const {
    return maybe<Tensor>(node_, name);
}
std::shared_ptr<const Graph> AttributeReader::graph(const std::string& name) const {
    return require<std::shared_ptr<const Graph>>(node_, name);
}

DataType AttributeReader::dataType(const std::string& name, DataType fallback) const {
    const std::optional<int64_t> number = maybeInteger(name);
    if (!number) return fallback;
    const auto type = static_cast<DataType>(*number);
    if (*number < 1 || *number > 255 || engine::name(type) == "undefined") {
        fail("attribute '", name, "' is ", *number, ", which is no element type of ONNX");
    }
    return type;
}

std::string AttributeReader::choice(const std::string& name, const std::string& fallback,
                                    const std::vector<std::string>& allowed) const {
    std::string value = string(name, fallback);
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        fail("attribute '", name, "' is '", value, "', expected one of ", join(allowed, ", "));
    }
    return value;
}

int64_t normalizedAxis(int64_t axis, int64_t rank) {
    if (axis < -rank || axis >= rank) fail("axis ", axis, " is out of range for rank ", rank);
    return axis < 0 ? axis + rank : axis;
}

}  // namespace engine
