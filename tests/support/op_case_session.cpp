#include "tests/support/op_case_session.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/session.h"
#include "tests/support/difference.h"

namespace test {

using namespace engine;

namespace {

/// Which inputs are constants of the graph. Weights, axes and shapes mostly are, and kernels that pack or
/// read them ahead want them so.
struct Variant {
    const char* what;
    bool (*isConstant)(size_t input);
};
constexpr Variant variants[] = {
    {"all inputs at run time", [](size_t) { return false; }},
    {"all but the first input constant", [](size_t input) { return input > 0; }},
    {"only the first input constant", [](size_t input) { return input == 0; }},
};

struct Prepared {
    Graph graph;
    std::vector<NamedDatum> inputs = {};
    size_t constants = 0;
};

Prepared prepare(const RegisteredCase& registered, const Variant& variant) {
    Prepared result{.graph = graphOf(registered)};
    const std::vector<ValueId> ids = result.graph.nodes[0].inputs;
    for (size_t i = 0; i < registered.content.inputs.size(); ++i) {
        const Datum& datum = registered.content.inputs[i];
        if (datum.isEmpty()) continue;
        if (datum.isTensor() && variant.isConstant(i)) {
            result.graph.value(ids[i]).constant = datum;
            std::erase(result.graph.inputs, ids[i]);
            ++result.constants;
        } else {
            result.inputs.push_back({result.graph.value(ids[i]).name, datum});
        }
    }
    return result;
}

std::shared_ptr<Session> sessionOf(const RegisteredCase& registered, const Graph& graph,
                                   const std::string& provider, int threads) {
    std::vector<OpsetImport> opsets = {{registered.domain, registered.version}};
    if (!registered.domain.empty()) opsets.push_back({"", newestOpset});
    SessionOptions options{.providers = {provider}, .threads = threads, .measureCandidates = false};
    options.passes.enabled = false;
    Observer observer;
    return Session::create(Model::fromGraph(graph, opsets), options, observer);
}

/// Why the provider does not take the node; empty if it does.
std::string refusalOf(const Session& session, const std::string& provider) {
    for (const Placement& placement : session.placement().nodes) {
        if (placement.provider == provider || !placement.graphName.empty()) continue;
        for (const Refusal& refusal : placement.refusals) {
            if (refusal.provider == provider) return refusal.reason;
        }
        return "the node is placed on '" + placement.provider + "'";
    }
    return {};
}

void expectOutputs(const RegisteredCase& registered, Session& session,
                   const std::vector<NamedDatum>& inputs) {
    Observer observer;
    const RunResult result = session.run(inputs, {}, observer);
    const Node& node = session.graph()->graph->nodes.at(0);
    const OpDef* op = findOp(node.domain, node.operatorType, node.version);
    ASSERT_NE(op, nullptr);
    std::vector<Datum> outputs;
    size_t next = 0;
    for (const Datum& expected : registered.content.outputs) {
        outputs.push_back(expected.isEmpty() ? Datum() : result.outputs.at(next++).datum);
        if (expected.isEmpty()) continue;
        EXPECT_EQ(difference(outputs.back(), expected, op->tolerance), "") << "output " << outputs.size() - 1;
    }
    if (registered.content.outputs.empty()) outputs.push_back(result.outputs.at(0).datum);
    if (registered.content.check) registered.content.check(outputs);
}

void expectError(const RegisteredCase& registered, Session& session, const std::vector<NamedDatum>& inputs) {
    try {
        Observer observer;
        session.run(inputs, {}, observer);
        ADD_FAILURE() << "found no error, expected one that contains '" << registered.content.error << "'";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(registered.content.error), std::string::npos)
            << "found '" << error.what() << "', expected a message that contains '"
            << registered.content.error << "'";
    }
}

}  // namespace

/// The one-node graph of a case. Value ids: the inputs in order, then the outputs.
Graph graphOf(const RegisteredCase& registered) {
    Graph graph;
    Node node{.name = "node",
              .operatorType = registered.op,
              .domain = registered.domain,
              .version = registered.version,
              .attributes = registered.content.attributes};
    for (const Datum& input : registered.content.inputs) {
        if (input.isEmpty()) {
            node.inputs.emplace_back();
            continue;
        }
        node.inputs.push_back(
            graph.addValue({.name = text("input", node.inputs.size()), .type = input.type()}));
        graph.inputs.push_back(node.inputs.back());
    }
    for (const Datum& output : registered.content.outputs) {
        if (output.isEmpty()) {
            node.outputs.emplace_back();
            continue;
        }
        node.outputs.push_back(graph.addValue({.name = text("output", node.outputs.size())}));
        graph.outputs.push_back(node.outputs.back());
    }
    if (node.outputs.empty()) {
        node.outputs.push_back(graph.addValue({.name = "output0"}));
        graph.outputs = node.outputs;
    }
    graph.addNode(std::move(node));
    return graph;
}

std::string expectFromSessions(const RegisteredCase& registered, const std::string& provider) {
    std::string refusals;
    bool isTaken = false;
    for (const Variant& variant : variants) {
        const Prepared prepared = prepare(registered, variant);
        const bool isNew = &variant == variants || (prepared.constants > 0 && !prepared.inputs.empty());
        if (!isNew) continue;
        for (const int threads : {1, 2, 3}) {
            SCOPED_TRACE(text("session with ", variant.what, ", threads: ", threads));
            const auto session = sessionOf(registered, prepared.graph, provider, threads);
            if (const std::string refusal = refusalOf(*session, provider); !refusal.empty()) {
                const std::string& wanted = registered.content.error;
                const bool isRight = !wanted.empty() && refusal.find(wanted) != std::string::npos;
                EXPECT_TRUE(!wanted.empty() || provider != "reference") << refusal;
                isTaken = isTaken || isRight;
                refusals = text(variant.what, ": ", refusal);
                break;
            }
            isTaken = true;
            if (registered.content.error.empty()) {
                expectOutputs(registered, *session, prepared.inputs);
            } else {
                expectError(registered, *session, prepared.inputs);
            }
        }
    }
    return isTaken ? std::string() : refusals;
}

}  // namespace test
