#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include "engine/core/error.h"
#include "engine/model.h"
#include "engine/onnx/text.h"
#include "engine/ops/op.h"
#include "engine/schema.h"

namespace fuzz {
namespace {

using namespace engine;

constexpr int64_t mostInteger = std::numeric_limits<int64_t>::max();
constexpr int64_t leastInteger = std::numeric_limits<int64_t>::min();

constexpr std::array<int64_t, 24> integers = {0,
                                              1,
                                              -1,
                                              2,
                                              3,
                                              -2,
                                              4,
                                              5,
                                              7,
                                              8,
                                              16,
                                              17,
                                              31,
                                              32,
                                              64,
                                              127,
                                              128,
                                              255,
                                              1000,
                                              65536,
                                              int64_t{1} << 31,
                                              int64_t{1} << 62,
                                              mostInteger,
                                              leastInteger};
constexpr std::array<float, 12> floats = {0.0F,
                                          1.0F,
                                          -1.0F,
                                          0.5F,
                                          -0.0F,
                                          1e-30F,
                                          1e30F,
                                          3.5F,
                                          -7.25F,
                                          std::numeric_limits<float>::infinity(),
                                          -std::numeric_limits<float>::infinity(),
                                          std::numeric_limits<float>::quiet_NaN()};
/// What string attributes of the specification may say, and what they may not.
constexpr std::array<const char*, 30> words = {
    "",       "NOTSET",  "VALID",   "SAME_UPPER",    "SAME_LOWER",    "constant",    "edge",  "reflect",
    "wrap",   "nearest", "linear",  "cubic",         "half_pixel",    "asymmetric",  "floor", "ceil",
    "add",    "mul",     "max",     "none",          "bilinear",      "bicubic",     "avg",   "zeros",
    "border", "forward", "reverse", "bidirectional", "align_corners", "bij,bjk->bik"};
constexpr std::array<DataType, 14> elements = {
    DataType::float32, DataType::int64,   DataType::int32,   DataType::uint8,    DataType::int8,
    DataType::boolean, DataType::float16, DataType::float64, DataType::bfloat16, DataType::string,
    DataType::uint64,  DataType::int4,    DataType::uint16,  DataType::complex64};

class Mutator {
public:
    explicit Mutator(uint32_t seed) : random_(seed) {}

    void apply(Graph& graph, std::vector<OpsetImport>& opsets) {
        const size_t changes = 1 + below(4);
        for (size_t i = 0; i < changes; ++i) change(graph, opsets);
    }

private:
    size_t below(size_t bound) { return bound == 0 ? 0 : random_() % bound; }
    template <class Range>
    auto& one(Range& range) {
        return range[below(range.size())];
    }

    void change(Graph& graph, std::vector<OpsetImport>& opsets) {
        switch (below(14)) {
            case 0:
            case 1:
            case 2:
                changeInputType(graph);
                break;
            case 3:
            case 4:
            case 5:
                changeAttribute(graph);
                break;
            case 6:
                addAttribute(graph);
                break;
            case 7:
                changeEdges(graph);
                break;
            case 8:
            case 9:
                makeConstant(graph);
                break;
            case 10:
                changeConstant(graph);
                break;
            case 11:
                changeOperator(graph);
                break;
            case 12:
                appendNode(graph);
                break;
            default:
                if (!opsets.empty()) one(opsets).version = static_cast<int>(1 + below(28));
        }
    }

    Dim dim() {
        const size_t kind = below(10);
        if (kind == 0) return Dim::symbol(below(2) == 0 ? "n" : "m");
        if (kind == 1) return {};
        if (kind == 2) return one(integers) < 0 ? 0 : one(integers) & mostInteger;
        return static_cast<int64_t>(below(9));
    }

    void changeShape(Shape& shape) {
        switch (below(4)) {
            case 0:
                shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(below(shape.size() + 1)), dim());
                break;
            case 1:
                if (!shape.empty())
                    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(below(shape.size())));
                break;
            default:
                if (!shape.empty()) one(shape) = dim();
        }
    }

    void changeInputType(Graph& graph) {
        if (graph.inputs.empty()) return;
        Type& type = graph.value(one(graph.inputs)).type;
        if (type.isTensor() && below(3) == 0) {
            type.element = one(elements);
        } else if (type.isTensor() && type.shape) {
            changeShape(*type.shape);
        } else if (below(4) == 0) {
            type = Type::tensor(one(elements), {dim(), dim()});
        }
    }

    void changeInteger(int64_t& number) {
        switch (below(4)) {
            case 0:
                number = one(integers);
                break;
            case 1:
                number = static_cast<int64_t>(static_cast<uint64_t>(number) + 1);
                break;
            case 2:
                number = static_cast<int64_t>(-static_cast<uint64_t>(number));
                break;
            default:
                number = static_cast<int64_t>(below(6));
        }
    }

    template <class T, class Change>
    void changeList(std::vector<T>& list, Change changeItem) {
        switch (below(5)) {
            case 0:
                list.push_back(list.empty() ? T{} : T(one(list)));
                break;
            case 1:
                if (!list.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(below(list.size())));
                break;
            default:
                if (!list.empty()) changeItem(one(list));
        }
    }

    void changeAttribute(Graph& graph) {
        if (graph.nodes.empty()) return;
        Node& node = one(graph.nodes);
        if (node.attributes.empty()) return;
        if (below(8) == 0) {
            node.attributes.erase(node.attributes.begin() +
                                  static_cast<std::ptrdiff_t>(below(node.attributes.size())));
            return;
        }
        AttributeValue& value = one(node.attributes).value;
        if (auto* integer = std::get_if<int64_t>(&value)) {
            changeInteger(*integer);
        } else if (auto* number = std::get_if<float>(&value)) {
            *number = one(floats);
        } else if (auto* word = std::get_if<std::string>(&value)) {
            *word = one(words);
        } else if (auto* integerList = std::get_if<std::vector<int64_t>>(&value)) {
            changeList(*integerList, [this](int64_t& item) { changeInteger(item); });
        } else if (auto* floatList = std::get_if<std::vector<float>>(&value)) {
            changeList(*floatList, [this](float& item) { item = one(floats); });
        } else if (auto* wordList = std::get_if<std::vector<std::string>>(&value)) {
            changeList(*wordList, [this](std::string& item) { item = one(words); });
        } else if (auto* tensor = std::get_if<Tensor>(&value)) {
            *tensor = constant(tensor->type(), tensor->dims());
        } else if (auto* body = std::get_if<std::shared_ptr<const Graph>>(&value)) {
            auto changed = std::make_shared<Graph>(**body);
            std::vector<OpsetImport> none;
            change(*changed, none);
            *body = std::move(changed);
        }
    }

    void addAttribute(Graph& graph) {
        if (graph.nodes.empty()) return;
        Node& node = one(graph.nodes);
        const auto schema = operatorSchema(node.domain, node.operatorType, node.version);
        if (!schema || schema->attributes.empty()) return;
        const OperatorSchema::AttributeInfo& info = one(schema->attributes);
        AttributeValue value;
        if (info.kind == "int") {
            value = one(integers);
        } else if (info.kind == "float") {
            value = one(floats);
        } else if (info.kind == "string") {
            value = std::string(one(words));
        } else if (info.kind == "ints") {
            std::vector<int64_t> list(below(6));
            for (int64_t& item : list) item = static_cast<int64_t>(below(4));
            value = std::move(list);
        } else if (info.kind == "floats") {
            std::vector<float> list(below(6));
            for (float& item : list) item = one(floats);
            value = std::move(list);
        } else {
            return;
        }
        std::erase_if(node.attributes, [&](const Attribute& known) { return known.name == info.name; });
        node.attributes.push_back({.name = info.name, .value = std::move(value)});
    }

    /// Small numbers mostly: they are what shapes, axes and indices are made of.
    Tensor constant(DataType element, const Dims& dims) {
        int64_t count = 1;
        for (const int64_t size : dims) count = size > 64 || count > 64 ? 65 : count * size;
        if (count > 64 || dims.empty()) return scalarOf(element, {});
        std::vector<int64_t> numbers(static_cast<size_t>(count));
        for (int64_t& number : numbers) {
            number = below(8) == 0 ? one(integers) : static_cast<int64_t>(below(9)) - 3;
        }
        if (element == DataType::int64) return Tensor::of<int64_t>(dims, std::span<const int64_t>(numbers));
        if (element == DataType::int32) return converted<int32_t>(dims, numbers);
        if (element == DataType::float32) return converted<float>(dims, numbers);
        if (element == DataType::uint8) return converted<uint8_t>(dims, numbers);
        if (element == DataType::int8) return converted<int8_t>(dims, numbers);
        return scalarOf(element, dims);
    }

    template <class T>
    static Tensor converted(const Dims& dims, const std::vector<int64_t>& numbers) {
        std::vector<T> values;
        for (const int64_t number : numbers) values.push_back(static_cast<T>(number));
        return Tensor::of<T>(dims, std::span<const T>(values));
    }

    Tensor scalarOf(DataType element, const Dims& dims) {
        if (element == DataType::int64) return Tensor::scalar<int64_t>(one(integers));
        if (element == DataType::float32) return Tensor::scalar<float>(one(floats));
        Tensor zeros = Tensor::allocate(element == DataType::undefined ? DataType::float32 : element, dims);
        if (element != DataType::string)
            std::fill_n(static_cast<char*>(zeros.mutableData()), zeros.bytes(), 0);
        return zeros;
    }

    void makeConstant(Graph& graph) {
        if (graph.inputs.empty()) return;
        const size_t index = below(graph.inputs.size());
        Value& value = graph.value(graph.inputs[index]);
        if (!value.type.isTensor() || !value.type.shape) return;
        Dims dims;
        for (const Dim& size : *value.type.shape) {
            dims.push_back(size.isNumber() && size.number() <= 64 ? size.number() : 1);
        }
        value.constant = constant(value.type.element, dims);
        graph.inputs.erase(graph.inputs.begin() + static_cast<std::ptrdiff_t>(index));
    }

    void changeConstant(Graph& graph) {
        std::vector<Value*> constants;
        for (Value& value : graph.values) {
            if (value.constant && value.constant->isTensor()) constants.push_back(&value);
        }
        if (constants.empty()) return;
        Value& value = *one(constants);
        Dims dims = value.constant->tensor().dims();
        if (below(3) == 0) {
            if (dims.empty() || below(2) == 0) {
                dims.push_back(static_cast<int64_t>(below(5)));
            } else {
                one(dims) = static_cast<int64_t>(below(5));
            }
        }
        const DataType element = below(6) == 0 ? one(elements) : value.constant->tensor().type();
        value.constant = constant(element, dims);
        value.type = value.constant->type();
    }

    void changeEdges(Graph& graph) {
        if (graph.nodes.empty()) return;
        const size_t index = below(graph.nodes.size());
        Node& node = graph.nodes[index];
        switch (below(6)) {
            case 0:
                if (!node.inputs.empty()) node.inputs.pop_back();
                break;
            case 1:
                if (!node.inputs.empty()) one(node.inputs) = {};
                break;
            case 2:
                node.inputs.push_back(earlierValue(graph, index));
                break;
            case 3:
                if (node.outputs.size() > 1) node.outputs.pop_back();
                break;
            case 4:
                node.outputs.push_back(graph.addValue({.name = freshName(graph)}));
                break;
            default:
                if (!node.inputs.empty()) one(node.inputs) = earlierValue(graph, index);
        }
    }

    /// A value that exists when node `index` runs.
    ValueId earlierValue(const Graph& graph, size_t index) {
        std::vector<ValueId> values = graph.inputs;
        for (size_t i = 0; i < graph.values.size(); ++i) {
            if (graph.values[i].constant) values.emplace_back(i);
        }
        for (size_t i = 0; i < index; ++i) {
            for (const ValueId output : graph.nodes[i].outputs) {
                if (output.isValid()) values.push_back(output);
            }
        }
        return values.empty() ? ValueId() : one(values);
    }

    static std::string freshName(const Graph& graph) { return "fresh" + std::to_string(graph.values.size()); }

    void setOperator(Node& node) {
        static const std::vector<const OpDef*> operators = Registry<OpDef>::instance().entries();
        const OpDef& op = *one(operators);
        node.operatorType = op.name;
        node.domain = op.domain;
        node.version = op.sinceVersion;
    }

    void changeOperator(Graph& graph) {
        if (!graph.nodes.empty()) setOperator(one(graph.nodes));
    }

    void appendNode(Graph& graph) {
        if (graph.nodes.size() > 6) return;
        Node node;
        setOperator(node);
        const size_t arity = 1 + below(4);
        for (size_t i = 0; i < arity; ++i) node.inputs.push_back(earlierValue(graph, graph.nodes.size()));
        const ValueId output = graph.addValue({.name = freshName(graph)});
        node.outputs.push_back(output);
        graph.addNode(std::move(node));
        graph.outputs.push_back(output);
    }

    std::mt19937 random_;
};

constexpr const char* smallModel = "agraph (float[2,3] x) => (float[2,3] y) { y = Relu(x) }";

Model parsed(const std::string& text) {
    try {
        return *Model::parse(text);
    } catch (const Error&) {
        return *Model::parse(smallModel);
    }
}

}  // namespace

std::string mutateModel(const std::string& text, uint32_t seed) {
    Model model = parsed(text);
    auto graph = std::make_shared<Graph>(*model.graph);
    Mutator(seed).apply(*graph, model.opsets);
    // Every domain that a node names needs a version in the head.
    for (const Node& node : graph->nodes) {
        const bool isKnown =
            std::any_of(model.opsets.begin(), model.opsets.end(),
                        [&](const OpsetImport& opset) { return opset.domain == node.domain; });
        if (!isKnown) model.opsets.push_back({.domain = node.domain, .version = node.version});
    }
    model.graph = std::move(graph);
    try {
        return onnx::printModel(model);
    } catch (const Error&) {
        return smallModel;
    }
}

}  // namespace fuzz
