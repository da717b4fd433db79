#include "engine/passes/pattern.h"

#include <algorithm>

#include "engine/core/dispatch.h"

namespace engine {

bool Pattern::is(NodeId id, const char* operatorType) const { return is(id, "", operatorType); }

bool Pattern::is(NodeId id, const char* domain, const char* operatorType) const {
    if (!id.isValid()) return false;
    const Node& candidate = node(id);
    const bool isDomain = candidate.domain == domain || (candidate.domain == "ai.onnx" && *domain == '\0');
    return isDomain && candidate.operatorType == operatorType && typed_.nodes[id.index].op != nullptr;
}

NodeId Pattern::onlyReader(ValueId value) const {
    if (!value.isValid() || isGraphOutput(value)) return {};
    const std::vector<NodeId>& readers = uses_.consumers[value.index];
    if (readers.size() != 1) return {};
    const std::vector<ValueId>& inputs = node(readers.front()).inputs;
    return std::find(inputs.begin(), inputs.end(), value) == inputs.end() ? NodeId() : readers.front();
}

const Tensor* Pattern::constant(ValueId value) const {
    if (!value.isValid()) return nullptr;
    const Known& known = typed_.known[value.index];
    return known.data ? &*known.data : nullptr;
}

std::optional<double> Pattern::scalar(ValueId value) const {
    const Tensor* tensor = constant(value);
    if (tensor == nullptr || tensor->elements() != 1 || !isFloatingPoint(tensor->type())) return std::nullopt;
    return tensor->toDouble().front();
}

ValueId Pattern::input(NodeId id, size_t index) const {
    return id.isValid() && index < node(id).inputs.size() ? node(id).inputs[index] : ValueId();
}

ValueId Pattern::otherInput(NodeId id, ValueId value) const {
    const std::vector<ValueId>& inputs = node(id).inputs;
    if (inputs.size() != 2 || inputs[0] == inputs[1]) return {};
    return inputs[0] == value ? inputs[1] : inputs[0];
}

std::optional<std::vector<double>> floatValues(const Tensor* tensor) {
    if (tensor == nullptr) return std::nullopt;
    const DataType type = tensor->type();
    if (type != DataType::float32 && type != DataType::float64 && type != DataType::float16)
        return std::nullopt;
    return tensor->toDouble();
}

Tensor floatTensor(DataType element, const Dims& dims, const std::vector<double>& values) {
    Tensor tensor = Tensor::allocate(element, dims);
    dispatchAmong<float, double, Float16>(element, [&]<typename T>(std::type_identity<T>) {
        std::transform(values.begin(), values.end(), tensor.mutableValues<T>().begin(), [](double value) {
            if constexpr (std::is_same_v<T, double>) return value;
            return static_cast<T>(static_cast<float>(value));
        });
    });
    return tensor;
}

}  // namespace engine
