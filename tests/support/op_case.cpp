#include "tests/support/op_case.h"

#include <algorithm>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/ops/inference.h"
#include "engine/ops/kernel_context.h"
#include "engine/providers/provider.h"
#include "tests/support/difference.h"
#include "tests/support/op_case_session.h"

namespace test {

using namespace engine;

namespace {

/// A deque: the factories that gtest keeps refer to its elements.
std::deque<RegisteredCase>& table() {
    static std::deque<RegisteredCase> cases;
    return cases;
}

std::string title(const RegisteredCase& each) {
    return each.domain.empty() ? each.op : each.domain + "." + each.op;
}

/// The graph in the newest operator form; throws Error if that form cannot be had.
std::shared_ptr<const Graph> newestForm(const RegisteredCase& registered) {
    Modernized modern = modernize(graphOf(registered));
    if (!modern.problems.empty()) fail(modern.problems[0]);
    return std::make_shared<const Graph>(std::move(modern.graph));
}

/// Types and values of the inputs for inference, with some of them as symbols.
struct Assumption {
    const char* what;
    InferOptions options = {};
    Bindings bindings = {};  ///< what the symbols stand for

    Dim symbol(const std::string& name, int64_t value) {
        bindings[name] = value;
        return Dim::symbol(name);
    }
};

bool isShapeArithmetic(const Datum& datum) {
    return datum.isTensor() && datum.tensor().rank() <= 1 && datum.tensor().elements() <= 16 &&
           (datum.tensor().type() == DataType::int64 || datum.tensor().type() == DataType::int32);
}

/// What becomes of an input's dims, and of its elements if it is shape arithmetic.
enum class Dimension { number, ownSymbol, symbolOfItsValue, unknownRank };
enum class Elements { known, unknown, symbolic };

Assumption assume(const char* what, const Graph& graph, const std::vector<Datum>& inputs, Dimension dimension,
                  Elements elements) {
    Assumption result{.what = what};
    size_t next = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].isEmpty()) continue;
        // The newest form may have the inputs at other places, but the graph's inputs stay as they are.
        const ValueId id = graph.inputs[next++];
        Type type = inputs[i].type();
        const bool isArithmetic = isShapeArithmetic(inputs[i]);
        const bool keepsDims =
            dimension == Dimension::number || (isArithmetic && elements != Elements::unknown);
        if (type.isTensor() && !keepsDims && dimension == Dimension::unknownRank) type.shape.reset();
        if (type.isTensor() && !keepsDims && type.shape) {
            for (size_t axis = 0; axis < type.shape->size(); ++axis) {
                const int64_t number = (*type.shape)[axis].number();
                if (number < 2) continue;
                const bool isShared = dimension == Dimension::symbolOfItsValue;
                (*type.shape)[axis] =
                    result.symbol(isShared ? text("n", number) : text("d", i, "_", axis), number);
            }
        }
        result.options.types[id] = type;
        if (!inputs[i].isTensor() || elements == Elements::unknown) continue;
        if (elements == Elements::known && (isArithmetic || dimension == Dimension::number)) {
            result.options.known[id].data = inputs[i].tensor();
        }
        if (elements == Elements::symbolic && isArithmetic) {
            std::vector<Dim> symbols;
            for (const int64_t number : inputs[i].tensor().toInt64()) {
                symbols.push_back(number < 2 ? Dim(number) : result.symbol(text("n", number), number));
            }
            result.options.known[id].elements = std::move(symbols);
        }
    }
    result.options.largestFold = 0;
    return result;
}

/// Where inference under an assumption contradicts what the node really gives.
void expectConsistent(const std::shared_ptr<const Graph>& graph, const std::vector<Datum>& outputs,
                      const Assumption& assumption) {
    SCOPED_TRACE(text("inference, ", assumption.what));
    Observer observer;
    Inference inference(graph, assumption.options);
    const Inference::Outcome outcome = inference.inferNode(NodeId(0), observer);
    EXPECT_EQ(outcome.problem, "");
    const Node& node = graph->nodes[0];
    for (size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i) {
        if (!node.outputs[i].isValid() || outputs[i].isEmpty()) continue;
        const Type actual = outputs[i].type();
        Type found = boundType(inference.result().types[node.outputs[i].index], assumption.bindings);
        // An optional that holds something is, at run time, what it holds.
        if (found.kind == Type::Kind::optional && found.inner) found = Type(*found.inner);
        ASSERT_EQ(static_cast<int>(found.kind), static_cast<int>(actual.kind)) << "output " << i;
        if (!actual.isTensor()) continue;
        EXPECT_EQ(found.element, actual.element) << "output " << i;
        if (!found.shape) continue;
        ASSERT_EQ(found.shape->size(), actual.shape->size()) << "output " << i << ": " << typeText(found);
        for (size_t axis = 0; axis < found.shape->size(); ++axis) {
            const Dim& dim = (*found.shape)[axis];
            if (!dim.isNumber()) continue;
            EXPECT_EQ(dim, (*actual.shape)[axis]) << "output " << i << ", axis " << axis;
        }
        const auto& elements = inference.result().known[node.outputs[i].index].elements;
        if (!elements) continue;
        const std::vector<int64_t> values = outputs[i].tensor().toInt64();
        ASSERT_EQ(elements->size(), values.size()) << "elements of output " << i;
        for (size_t k = 0; k < values.size(); ++k) {
            const Dim element = (*elements)[k].bind(assumption.bindings);
            if (!element.isNumber()) continue;
            EXPECT_EQ(element, Dim(values[k])) << "element " << k << " of output " << i;
        }
    }
}

/// Runs the node with the reference kernel. Throws what the operator throws.
std::vector<Datum> evaluateCase(const std::shared_ptr<const Graph>& graph, const std::vector<Datum>& inputs) {
    Observer observer;
    Assumption everything = assume("", *graph, inputs, Dimension::number, Elements::known);
    Inference inference(graph, everything.options);
    const Inference::Outcome outcome = inference.inferNode(NodeId(0), observer);
    if (!outcome.problem.empty()) fail(outcome.problem);
    const Node& node = graph->nodes[0];
    std::map<ValueId, Datum> given;
    for (const Datum& input : inputs) {
        if (!input.isEmpty()) given[graph->inputs[given.size()]] = input;
    }
    std::vector<const Datum*> arguments;
    std::vector<Datum> constants(node.inputs.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId id = node.inputs[i];
        if (id.isValid() && graph->value(id).constant) constants[i] = *graph->value(id).constant;
        if (given.contains(id)) constants[i] = given.at(id);
        arguments.push_back(id.isValid() ? &constants[i] : nullptr);
    }
    std::vector<DataType> elements;
    for (const ValueId output : node.outputs) {
        elements.push_back(output.isValid() ? inference.result().types[output.index].element
                                            : DataType::undefined);
    }
    return evaluate(node, inference.result().nodes[0], arguments, elements, observer);
}

void expectError(const RegisteredCase& registered) {
    try {
        evaluateCase(newestForm(registered), registered.content.inputs);
        FAIL() << "found no error, expected one that contains '" << registered.content.error << "'";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(registered.content.error), std::string::npos)
            << "found '" << message << "', expected a message that contains '" << registered.content.error
            << "'";
    }
}

void expectOutputs(const RegisteredCase& registered) {
    const OpCase& content = registered.content;
    const std::shared_ptr<const Graph> graph = newestForm(registered);
    const OpDef* op = findOp(graph->nodes[0].domain, graph->nodes[0].operatorType, graph->nodes[0].version);
    if (op == nullptr) fail(whyUnknown(registered.domain, registered.op, registered.version));
    const std::vector<Datum> outputs = evaluateCase(graph, content.inputs);
    for (size_t i = 0; i < content.outputs.size(); ++i) {
        if (content.outputs[i].isEmpty()) continue;
        EXPECT_EQ(difference(outputs.at(i), content.outputs[i], op->tolerance), "") << "output " << i;
    }
    if (content.check) content.check(outputs);
    const auto expectInferred = [&](const char* what, Dimension dimension, Elements elements) {
        expectConsistent(graph, outputs, assume(what, *graph, content.inputs, dimension, elements));
    };
    expectInferred("all known", Dimension::number, Elements::known);
    expectInferred("own symbols", Dimension::ownSymbol, Elements::known);
    expectInferred("equal dims as one symbol", Dimension::symbolOfItsValue, Elements::known);
    expectInferred("nothing known", Dimension::ownSymbol, Elements::unknown);
    expectInferred("ranks unknown", Dimension::unknownRank, Elements::known);
    expectInferred("symbolic elements", Dimension::symbolOfItsValue, Elements::symbolic);
}

class OpCaseTest : public testing::Test {
public:
    explicit OpCaseTest(const RegisteredCase& registered) : registered_(registered) {}
    void TestBody() override {
        if (!registered_.content.error.empty()) return expectError(registered_);
        try {
            expectOutputs(registered_);
        } catch (const Error& error) {
            FAIL() << error.what();
        }
    }

private:
    const RegisteredCase& registered_;
};

class OpCaseSessionTest : public testing::Test {
public:
    OpCaseSessionTest(const RegisteredCase& registered, const char* provider)
        : registered_(registered), provider_(provider) {}
    void TestBody() override {
        std::string refusal;
        try {
            refusal = expectFromSessions(registered_, provider_);
        } catch (const Error& error) {
            FAIL() << error.what();
        }
        // Some forms of an operator a provider leaves to others; the reason stands in the output.
        if (!refusal.empty()) std::cout << provider_ << " leaves this form to others: " << refusal << '\n';
    }

private:
    const RegisteredCase& registered_;
    const char* provider_;
};

/// Whether the provider has code for the operator, or for what its older forms are brought to.
bool mayTake(const char* providerName, const std::string& domain, const std::string& op) {
    const std::vector<const OpUpgrade*> upgrades = Registry<OpUpgrade>::instance().entries();
    return provider(providerName).hasKernel(domain, op) ||
           std::any_of(upgrades.begin(), upgrades.end(), [&](const OpUpgrade* upgrade) {
               return domain == upgrade->domain && op == upgrade->name;
           });
}

}  // namespace

OpCases::OpCases(const std::string& op, std::vector<OpCase> cases) : OpCases("", op, std::move(cases)) {}

OpCases::OpCases(const std::string& domain, const std::string& op, std::vector<OpCase> cases) {
    for (OpCase& each : cases) {
        const int newest = domain.empty() ? newestOpset : 100;
        const int version = each.version == 0 ? newest : each.version;
        table().push_back({domain, op, version, std::move(each)});
        const RegisteredCase* registered = &table().back();
        const char* name = registered->content.name;
        testing::RegisterTest((title(*registered) + "/evaluate").c_str(), name, nullptr, nullptr, __FILE__,
                              __LINE__,
                              [registered]() -> testing::Test* { return new OpCaseTest(*registered); });
        for (const char* provider : {"cpu", "reference"}) {
            if (!mayTake(provider, domain, op)) continue;
            testing::RegisterTest((title(*registered) + "/" + provider).c_str(), name, nullptr, nullptr,
                                  __FILE__, __LINE__, [registered, provider]() -> testing::Test* {
                                      return new OpCaseSessionTest(*registered, provider);
                                  });
        }
    }
}

const std::deque<RegisteredCase>& allOpCases() { return table(); }

}  // namespace test
