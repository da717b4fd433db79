#include "views/graph/node_text.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "views/format.h"

namespace views {

namespace {

constexpr int64_t fewElements = 4;

template <class T, class ToText>
QString list(const std::vector<T>& items, const ToText& toText) {
    constexpr size_t most = 12;
    QStringList parts;
    for (size_t index = 0; index < std::min(items.size(), most); ++index) parts << toText(items[index]);
    if (items.size() > most) parts << "…";
    return '[' + parts.join(", ") + ']';
}

QString tensorSummary(const engine::Tensor& tensor) {
    return qstring(engine::name(tensor.type())) + ' ' + dimsText(tensor.dims());
}

/// The data of a constant may lie in a file that is not there.
bool isReadable(const engine::Tensor& tensor) {
    try {
        return tensor.data() != nullptr;
    } catch (const engine::Error&) {
        return false;
    }
}

struct AttributeWriter {
    QString operator()(std::monostate) const { return "unknown kind"; }
    QString operator()(int64_t number) const { return QString::number(number); }
    QString operator()(float number) const { return plainNumber(static_cast<double>(number)); }
    QString operator()(const std::string& text) const { return qstring(text); }
    QString operator()(const engine::Tensor& tensor) const { return constantText(tensor); }
    QString operator()(const engine::SparseTensor& tensor) const { return "sparse " + dimsText(tensor.dims); }
    QString operator()(const std::shared_ptr<const engine::Graph>& graph) const {
        return QString("graph of %1 nodes").arg(graph->nodes.size());
    }
    QString operator()(const engine::Type& type) const { return typeLabel(type); }
    QString operator()(const std::vector<int64_t>& numbers) const {
        return list(numbers, [](int64_t number) { return QString::number(number); });
    }
    QString operator()(const std::vector<float>& numbers) const {
        return list(numbers, [](float number) { return plainNumber(static_cast<double>(number)); });
    }
    QString operator()(const std::vector<std::string>& texts) const {
        return list(texts, [](const std::string& text) { return qstring(text); });
    }
    QString operator()(const std::vector<engine::Tensor>& tensors) const {
        return list(tensors, tensorSummary);
    }
    QString operator()(const std::vector<engine::SparseTensor>& tensors) const {
        return QString("%1 sparse tensors").arg(tensors.size());
    }
    QString operator()(const std::vector<std::shared_ptr<const engine::Graph>>& graphs) const {
        return QString("%1 graphs").arg(graphs.size());
    }
    QString operator()(const std::vector<engine::Type>& types) const {
        return list(types, [](const engine::Type& type) { return typeLabel(type); });
    }
};

const std::vector<int64_t>* integers(const engine::Node& node, const char* name) {
    const engine::Attribute* attribute = node.attribute(name);
    return attribute == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(&attribute->value);
}

/// "2" where all are equal, else "2,1".
QString shortList(const std::vector<int64_t>& numbers) {
    const bool areEqual =
        std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == numbers[0]; });
    if (areEqual && !numbers.empty()) return QString::number(numbers[0]);
    QStringList parts;
    for (const int64_t number : numbers) parts << QString::number(number);
    return parts.join(',');
}

bool areAll(const std::vector<int64_t>& numbers, int64_t expected) {
    return std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == expected; });
}

/// "3×3 s2 p1 d2 g32" for what slides a window.
QString windowText(const engine::Node& node) {
    QStringList parts;
    if (const auto* kernel = integers(node, "kernel_shape")) {
        QStringList dims;
        for (const int64_t dim : *kernel) dims << QString::number(dim);
        parts << dims.join("×");
    }
    const auto addUnless = [&](const char* name, const char* letter, int64_t usual) {
        const auto* numbers = integers(node, name);
        if (numbers != nullptr && !areAll(*numbers, usual)) parts << letter + shortList(*numbers);
    };
    addUnless("strides", "s", 1);
    addUnless("pads", "p", 0);
    addUnless("dilations", "d", 1);
    const engine::Attribute* group = node.attribute("group");
    if (group != nullptr && std::holds_alternative<int64_t>(group->value) &&
        std::get<int64_t>(group->value) != 1) {
        parts << "g" + QString::number(std::get<int64_t>(group->value));
    }
    return parts.join(' ');
}

bool isWindowAttribute(const std::string& name) {
    return name == "kernel_shape" || name == "strides" || name == "pads" || name == "dilations" ||
           name == "group";
}

bool isDefaultText(const engine::AttributeValue& value, const QString& usual) {
    if (usual.isEmpty()) return false;
    if (const auto* number = std::get_if<float>(&value)) {
        return std::abs(static_cast<float>(usual.toDouble()) - *number) <= 1e-6F * std::abs(*number);
    }
    return usual == attributeText(value);
}

bool isDefault(const engine::Attribute& attribute, const engine::OperatorSchema* schema) {
    if (schema == nullptr) return false;
    for (const auto& known : schema->attributes) {
        if (known.name == attribute.name) {
            return isDefaultText(attribute.value, qstring(known.defaultText));
        }
    }
    return false;
}

bool isLong(const engine::AttributeValue& value) {
    return std::holds_alternative<std::shared_ptr<const engine::Graph>>(value) ||
           std::holds_alternative<std::monostate>(value);
}

QString parameterName(const std::vector<engine::OperatorSchema::Parameter>& formal, size_t index) {
    if (formal.empty()) return QString::number(index);
    if (index < formal.size() && !formal[index].isVariadic) return qstring(formal[index].name);
    if (!formal.back().isVariadic) return QString::number(index);
    return qstring(formal.back().name) + '[' + QString::number(index + 1 - formal.size()) + ']';
}

}  // namespace

QString operatorTitle(const engine::Node& node) {
    return node.operatorType.empty() ? QString("(no operator)") : clipped(qstring(node.operatorType));
}

QString attributeText(const engine::AttributeValue& value) { return std::visit(AttributeWriter{}, value); }

QString constantText(const engine::Tensor& tensor) {
    if (tensor.elements() == 0 || tensor.elements() > fewElements || tensor.rank() > 1) {
        return dimsText(tensor.dims());
    }
    if (!isReadable(tensor)) return dimsText(tensor.dims()) + " (not readable)";
    QStringList parts;
    if (tensor.type() == engine::DataType::string) {
        for (const engine::String& text : tensor.values<engine::String>())
            parts << '"' + qstring(text).left(20) + '"';
    } else if (tensor.type() == engine::DataType::complex64 ||
               tensor.type() == engine::DataType::complex128) {
        return dimsText(tensor.dims());
    } else {
        for (const double number : tensor.toDouble()) parts << plainNumber(number);
    }
    return tensor.rank() == 0 ? parts.join(", ") : '[' + parts.join(", ") + ']';
}

QStringList distinguishingAttributes(const engine::Node& node, const engine::OperatorSchema* schema) {
    QStringList result;
    const QString window = windowText(node);
    if (!window.isEmpty()) result << window;
    for (const engine::Attribute& attribute : node.attributes) {
        if (!window.isEmpty() && isWindowAttribute(attribute.name)) continue;
        if (isLong(attribute.value) || isDefault(attribute, schema)) continue;
        if (attribute.name == "to" && std::holds_alternative<int64_t>(attribute.value)) {
            const auto type = static_cast<engine::DataType>(std::get<int64_t>(attribute.value));
            result << "to " + qstring(engine::name(type));
        } else {
            result << qstring(attribute.name) + ' ' + attributeText(attribute.value);
        }
    }
    return result;
}

QString inputName(size_t index, const engine::OperatorSchema* schema) {
    return schema == nullptr ? QString::number(index) : parameterName(schema->inputs, index);
}

QString outputName(size_t index, const engine::OperatorSchema* schema) {
    return schema == nullptr ? QString::number(index) : parameterName(schema->outputs, index);
}

}  // namespace views
