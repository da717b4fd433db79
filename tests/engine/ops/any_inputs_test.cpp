// Every operator with inputs and attributes drawn at random, mostly such as its schema does not allow: on
// each provider it gives a result or an Error, the same of both, and nothing else happens.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/onnx/text.h"
#include "engine/ops/op.h"
#include "engine/schema.h"
#include "engine/session.h"
#include "tests/support/op_case.h"

using namespace engine;

namespace {

constexpr size_t shards = 8;
constexpr size_t memoryBytes = size_t{256} << 20;
constexpr double patienceSeconds = 5;

constexpr std::array<int64_t, 12> farIntegers = {7,
                                                 -2,
                                                 16,
                                                 64,
                                                 127,
                                                 -128,
                                                 255,
                                                 1000,
                                                 int64_t{1} << 31,
                                                 int64_t{1} << 62,
                                                 std::numeric_limits<int64_t>::max(),
                                                 std::numeric_limits<int64_t>::min()};
constexpr std::array<float, 6> farNumbers = {-0.0F,
                                             1e-30F,
                                             1e30F,
                                             -7.25F,
                                             std::numeric_limits<float>::infinity(),
                                             std::numeric_limits<float>::quiet_NaN()};
constexpr std::array<const char*, 20> words = {
    "",       "NOTSET",  "SAME_UPPER",    "VALID",         "constant", "reflect", "nearest",
    "linear", "cubic",   "half_pixel",    "align_corners", "floor",    "add",     "mul",
    "none",   "forward", "bidirectional", "bij,bjk->bik",  "ij->ji",   "tanh"};

/// How often each operator is drawn: OPSCOPE_ANY_INPUTS, which also prints each model, or a few.
std::optional<size_t> wantedDraws() {
    const char* wanted = std::getenv("OPSCOPE_ANY_INPUTS");
    if (wanted == nullptr) return std::nullopt;
    return std::strtoull(wanted, nullptr, 10);
}

/// The element types that a text such as "tensor(float), seq(tensor(int64))" names.
std::vector<DataType> elementsNamed(const std::string& text) {
    std::vector<DataType> result;
    std::string word;
    for (const char letter : text + ",") {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            word += letter;
            continue;
        }
        if (const auto type = dataTypeNamed(word); type && *type != DataType::undefined)
            result.push_back(*type);
        word.clear();
    }
    return result;
}

class Draw {
public:
    Draw(const OpDef& op, uint64_t seed)
        : random_(seed), op_(op), schema_(operatorSchema(op.domain, op.name, op.sinceVersion)) {}

    /// One node, with all that it reads as constants or as inputs.
    std::shared_ptr<const Model> model() {
        Graph graph;
        graph.name = "any";
        Node node;
        node.operatorType = op_.name;
        node.domain = op_.domain;
        node.version = op_.sinceVersion;
        const size_t inputs = countOf(schema_->inputs);
        const Dims shared = dims();
        for (size_t i = 0; i < inputs; ++i) addInput(graph, node, i, shared);
        const size_t outputs = std::max<size_t>(1, countOf(schema_->outputs));
        for (size_t i = 0; i < outputs; ++i) {
            const ValueId output = graph.addValue({.name = text("y", i)});
            node.outputs.push_back(output);
            graph.outputs.push_back(output);
        }
        for (const OperatorSchema::AttributeInfo& info : schema_->attributes) addAttribute(node, info);
        graph.addNode(std::move(node));
        std::vector<OpsetImport> opsets = {{op_.domain, op_.sinceVersion}};
        if (!std::string_view(op_.domain).empty()) opsets.push_back({"", test::newestOpset});
        return Model::fromGraph(std::move(graph), std::move(opsets));
    }

private:
    size_t below(size_t bound) { return random_() % bound; }
    bool oneIn(size_t count) { return below(count) == 0; }
    template <class Range>
    const auto& one(const Range& range) {
        return range[below(range.size())];
    }

    size_t countOf(const std::vector<OperatorSchema::Parameter>& parameters) {
        if (parameters.empty()) return oneIn(8) ? 1 : 0;
        size_t count = parameters.size();
        if (parameters.back().isVariadic) count += below(3);
        if (oneIn(3)) count -= below(count);
        return oneIn(16) ? count + 1 : count;
    }

    Dims dims() {
        Dims result(below(5));
        for (int64_t& size : result) size = oneIn(10) ? 0 : static_cast<int64_t>(1 + below(4));
        return result;
    }

    Dims changed(Dims from) {
        if (oneIn(2)) return from;
        if (from.empty() || oneIn(3)) return dims();
        const size_t at = below(from.size());
        if (oneIn(2)) {
            from[at] = static_cast<int64_t>(below(5));
        } else {
            from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
        }
        return from;
    }

    DataType element(const OperatorSchema::Parameter& parameter) {
        if (oneIn(12)) return static_cast<DataType>(1 + below(28));
        const auto bound = bound_.find(parameter.type);
        if (bound != bound_.end() && !oneIn(12)) return bound->second;
        std::string allowed = parameter.type;
        for (const auto& [variable, types] : schema_->typeConstraints) {
            if (variable == parameter.type) allowed = types;
        }
        const std::vector<DataType> types = elementsNamed(allowed);
        const DataType type = types.empty() || oneIn(12) ? DataType::float32 : one(types);
        return bound_[parameter.type] = type;
    }

    void addInput(Graph& graph, Node& node, size_t index, const Dims& shared) {
        const auto& parameters = schema_->inputs;
        const OperatorSchema::Parameter any{.type = "any"};
        const OperatorSchema::Parameter& parameter =
            parameters.empty() ? any : parameters[std::min(index, parameters.size() - 1)];
        if (parameter.isOptional ? oneIn(3) : oneIn(24)) return node.inputs.push_back({});
        const DataType type = element(parameter);
        // Lists are what axes, shapes and indices are.
        const bool isList = isInteger(type) && index > 0 && oneIn(2);
        Dims size = isList ? Dims{static_cast<int64_t>(below(5))} : changed(shared);
        Value value{.name = text("x", index)};
        if (oneIn(2)) {
            value.type = Type::tensor(type, {});
            for (const int64_t dim : size) value.type.shape->emplace_back(dim);
            node.inputs.push_back(graph.addValue(std::move(value)));
            return graph.inputs.push_back(node.inputs.back());
        }
        value.constant = tensor(type, std::move(size));
        value.type = value.constant->type();
        node.inputs.push_back(graph.addValue(std::move(value)));
    }

    int64_t integer() {
        if (oneIn(12)) return one(farIntegers);
        return oneIn(6) ? -1 : static_cast<int64_t>(below(5));
    }
    float number() { return oneIn(8) ? one(farNumbers) : static_cast<float>(below(33)) / 8 - 2; }

    Tensor tensor(DataType type, Dims size) {
        Tensor result = Tensor::allocate(type, std::move(size));
        dispatchAny(type, [&]<typename T>(std::type_identity<T>) {
            for (T& value : result.mutableValues<T>()) {
                if constexpr (std::is_same_v<T, String>) {
                    value = one(words);
                } else if constexpr (std::is_same_v<T, bool>) {
                    value = oneIn(2);
                } else if constexpr (std::is_integral_v<T> || requires(T small) { small.value; }) {
                    value = static_cast<T>(integer());
                } else {
                    value = static_cast<T>(number());
                }
            }
        });
        return result;
    }

    template <class T, class Item>
    std::vector<T> list(Item item) {
        std::vector<T> result(below(6));
        for (T& each : result) each = item();
        return result;
    }

    void addAttribute(Node& node, const OperatorSchema::AttributeInfo& info) {
        if (info.isRequired ? oneIn(16) : !oneIn(3)) return;
        AttributeValue value;
        if (info.kind == "int") {
            value = integer();
        } else if (info.kind == "float") {
            value = number();
        } else if (info.kind == "string") {
            value = std::string(one(words));
        } else if (info.kind == "ints") {
            value = list<int64_t>([this] { return integer(); });
        } else if (info.kind == "floats") {
            value = list<float>([this] { return number(); });
        } else if (info.kind == "strings") {
            value = list<std::string>([this] { return one(words); });
        } else if (info.kind == "tensor") {
            value = tensor(static_cast<DataType>(1 + below(28)), dims());
        } else {
            return;
        }
        node.attributes.push_back({.name = info.name, .value = std::move(value)});
    }

    std::mt19937_64 random_;
    const OpDef& op_;
    std::shared_ptr<const OperatorSchema> schema_;
    std::map<std::string, DataType> bound_;
};

/// What a provider makes of a model: the types of the outputs, or the error.
struct Outcome {
    std::vector<std::string> types = {};
    std::string error = {};
};

Outcome run(const std::shared_ptr<const Model>& model, std::vector<std::string> providers) {
    Outcome outcome;
    Observer observer;
    try {
        SessionOptions options;
        options.providers = std::move(providers);
        options.threads = 1;
        options.measureCandidates = false;
        const auto session = Session::create(model, options, observer);
        const auto inputs = completeInputs(*model, {}, {.memoryBytes = memoryBytes}, observer);
        const RunOptions limits{.limits = {.seconds = patienceSeconds, .memoryBytes = memoryBytes}};
        for (const NamedDatum& output : session->run(inputs, limits, observer).outputs)
            outcome.types.push_back(output.datum.isEmpty() ? "nothing" : typeText(output.datum.type()));
    } catch (const Error& error) {
        outcome.error = error.what();
    }
    return outcome;
}

class AnyInputs : public testing::TestWithParam<size_t> {};

TEST_P(AnyInputs, GiveAResultOrAnError) {
    auto operators = Registry<OpDef>::instance().entries();
    std::erase_if(operators, [](const OpDef* op) { return op->custom != nullptr; });
    const std::optional<size_t> wanted = wantedDraws();
    for (size_t i = GetParam(); i < operators.size(); i += shards) {
        for (size_t draw = 0; draw < wanted.value_or(60); ++draw) {
            const auto model = Draw(*operators[i], draw * operators.size() + i).model();
            if (wanted) std::cerr << onnx::printModel(*model) << '\n';
            const Outcome plain = run(model, {"reference"});
            const Outcome tuned = run(model, {"cpu", "reference"});
            EXPECT_EQ(plain.types, tuned.types)
                << onnx::printModel(*model) << "\nreference: " << plain.error << "\ncpu: " << tuned.error;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, AnyInputs, testing::Range<size_t>(0, shards));

}  // namespace
