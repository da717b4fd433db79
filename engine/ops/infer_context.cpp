#include "engine/ops/infer_context.h"

#include "engine/core/error.h"

namespace engine {
namespace {

constexpr int64_t mostKnownElements = 4096;

/// Whether a value of the type may be a short list of whole numbers.
bool mayBeShapeArithmetic(const Type& type) {
    if (type.kind == Type::Kind::unknown) return true;
    if (!type.isTensor()) return false;
    const bool isWhole = isInteger(type.element) || type.element == DataType::boolean;
    if (!isWhole && type.element != DataType::undefined) return false;
    if (!type.shape) return true;
    if (type.shape->size() != 1) return type.shape->empty();
    return !(*type.shape)[0].isNumber() || (*type.shape)[0].number() <= mostKnownElements;
}

}  // namespace

InferContext::InferContext(Source source)
    : source_(std::move(source)),
      outputTypes_(source_.node->outputs.size()),
      outputElements_(source_.node->outputs.size()) {}

const Type& InferContext::inputType(size_t index) const {
    if (!hasInput(index)) fail("input ", index, " is missing");
    return *source_.inputTypes[index];
}

const Shape* InferContext::inputShape(size_t index) const {
    const Type& type = inputType(index);
    return type.shape ? &*type.shape : nullptr;
}

std::optional<int64_t> InferContext::inputRank(size_t index) const {
    const Shape* shape = inputShape(index);
    if (shape == nullptr) return std::nullopt;
    return static_cast<int64_t>(shape->size());
}

void InferContext::checkRank(size_t index, int64_t rank, const char* what) const {
    const std::optional<int64_t> found = inputRank(index);
    if (found && *found != rank) {
        fail(what, " has rank ", *found, " (", shapeText(*inputShape(index)), "), expected ", rank);
    }
}

const Tensor* InferContext::inputData(size_t index) const {
    if (!hasInput(index)) return nullptr;
    const Known& known = source_.known(index);
    return known.data ? &*known.data : nullptr;
}

std::optional<std::vector<Dim>> InferContext::inputElements(size_t index) const {
    // Who asks for the data of a run has what follows compiled for it alone.
    if (!hasInput(index) || !mayBeShapeArithmetic(inputType(index))) return std::nullopt;
    const Known& known = source_.known(index);
    if (known.elements) return known.elements;
    if (!known.data || known.data->rank() > 1 || known.data->elements() > mostKnownElements)
        return std::nullopt;
    if (!isInteger(known.data->type()) && known.data->type() != DataType::boolean) return std::nullopt;
    std::vector<Dim> elements;
    for (const int64_t number : known.data->toInt64()) elements.emplace_back(number);
    return elements;
}

void InferContext::setOutput(size_t index, Type type) {
    if (index < outputTypes_.size()) outputTypes_[index] = std::move(type);
}

void InferContext::setOutputElements(size_t index, std::vector<Dim> elements) {
    if (index < outputElements_.size()) outputElements_[index] = std::move(elements);
}

std::vector<Type> InferContext::inferBody(const Graph& body, std::span<const Type> inputs,
                                          std::span<const Known> known) const {
    return source_.inferBody(body, inputs, known);
}

void inferSameAsInput(InferContext& context) { context.setOutput(0, context.inputType(0)); }

namespace {

Dim broadcastDim(const Dim& left, const Dim& right) {
    if (left.isNumber() && left.number() == 1) return right;
    if (right.isNumber() && right.number() == 1) return left;
    if (left == right) return left;
    if (left.isNumber() && right.isNumber()) fail("dims ", left, " and ", right, " cannot be broadcast");
    // A number above 1 (or 0) decides: the other must be equal or 1.
    if (left.isNumber()) return left;
    if (right.isNumber()) return right;
    return {};
}

}  // namespace

Shape broadcast(const Shape& left, const Shape& right) {
    const Shape& longer = left.size() >= right.size() ? left : right;
    const Shape& shorter = left.size() >= right.size() ? right : left;
    Shape result = longer;
    const size_t lead = longer.size() - shorter.size();
    for (size_t i = 0; i < shorter.size(); ++i) {
        try {
            result[lead + i] = broadcastDim(longer[lead + i], shorter[i]);
        } catch (Error& error) {
            error.addContext(text("shapes ", shapeText(left), " and ", shapeText(right)));
            throw;
        }
    }
    return result;
}

void inferBroadcast(InferContext& context) {
    const DataType element = context.inputElement(0);
    std::optional<Shape> shape = Shape{};
    for (size_t i = 0; i < context.inputCount(); ++i) {
        const DataType other = context.inputElement(i);
        if (other != element)
            fail("input ", i, " is of element type ", other, ", input 0 of ", element, "; they must agree");
        const Shape* next = context.inputShape(i);
        if (next == nullptr) shape.reset();
        if (shape && next != nullptr) shape = broadcast(*shape, *next);
    }
    if (shape) {
        context.setOutput(0, element, *shape);
    } else {
        context.setOutput(0, element);
    }
}

namespace {

Dim dimOf(const Type* type, int64_t axis) {
    if (type == nullptr || !type->shape) return {};
    const auto rank = static_cast<int64_t>(type->shape->size());
    if (axis < 0) axis += rank;
    return axis >= 0 && axis < rank ? (*type->shape)[static_cast<size_t>(axis)] : Dim();
}

Dim elementsOf(const Type* type) {
    return type != nullptr && type->shape ? elementCount(*type->shape) : Dim();
}

}  // namespace

Dim WorkContext::inputDim(size_t index, int64_t axis) const {
    return dimOf(hasInput(index) ? inputs_[index] : nullptr, axis);
}
Dim WorkContext::outputDim(size_t index, int64_t axis) const {
    return dimOf(index < outputs_.size() ? outputs_[index] : nullptr, axis);
}
Dim WorkContext::inputElements(size_t index) const {
    return elementsOf(hasInput(index) ? inputs_[index] : nullptr);
}
Dim WorkContext::outputElements(size_t index) const {
    return elementsOf(index < outputs_.size() ? outputs_[index] : nullptr);
}
std::optional<int64_t> WorkContext::inputRank(size_t index) const {
    if (!hasInput(index) || !inputs_[index]->shape) return std::nullopt;
    return static_cast<int64_t>(inputs_[index]->shape->size());
}

Work noWork(const WorkContext&) { return {}; }
Work onePerOutput(const WorkContext& context) { return {.otherFlops = context.outputElements(0)}; }
Work onePerInput(const WorkContext& context) { return {.otherFlops = context.inputElements(0)}; }
Work specialPerOutput(const WorkContext& context) { return {.specialFunctions = context.outputElements(0)}; }

}  // namespace engine
