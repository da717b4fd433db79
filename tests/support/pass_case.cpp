#include "tests/support/pass_case.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "engine/passes/pipeline.h"
#include "engine/session.h"

namespace test {
namespace {

using namespace engine;

std::vector<std::string>& names() {
    static std::vector<std::string> all;
    return all;
}

Tensor randomConstant(const Type& type, uint64_t seed) {
    Tensor tensor = Tensor::allocate(type.element, numbers(*type.shape).value());
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> uniform(0.5F, 1.5F);
    for (float& value : tensor.mutableValues<float>()) value = uniform(random);
    return tensor;
}

/// The parsed graph with the named inputs turned into constants.
Graph graphOf(const PassCase& passCase) {
    Graph graph = *Model::parse(passCase.before)->typed->graph;
    for (const std::string& name : passCase.constants) {
        const ValueId id = graph.findValue(name);
        if (!id.isValid()) fail("the case names a constant '", name, "' that its graph lacks");
        graph.value(id).constant = randomConstant(graph.value(id).type, id.index);
        std::erase(graph.inputs, id);
    }
    return graph;
}

std::shared_ptr<const Graph> runAlone(const std::string& pass, const Graph& graph) {
    PipelineOptions options;
    for (const Pass* other : Registry<Pass>::instance().entries()) {
        if (other->name != pass) options.without.emplace_back(other->name);
    }
    Observer observer;
    return optimize(std::make_shared<const Graph>(graph), {}, options, observer).graph;
}

std::vector<NamedDatum> runOnReference(const Graph& graph) {
    Observer observer;
    const auto model = Model::fromGraph(graph, {{"", 24}, {"opscope", 1}});
    SessionOptions options;
    options.providers = {"reference"};
    options.passes.enabled = false;
    const auto session = Session::create(model, options, observer);
    return session->run(completeInputs(*model, {}, {.seed = 7}, observer), {}, observer).outputs;
}

void expectSameResults(const Graph& before, const Graph& after, double tolerance) {
    const std::vector<NamedDatum> expected = runOnReference(before);
    const std::vector<NamedDatum> found = runOnReference(after);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].name, expected[i].name);
        const Difference exact = compare(found[i].datum, expected[i].datum, 0, 0);
        EXPECT_EQ(exact.problem, "") << expected[i].name;
        EXPECT_LE(exact.largest, tolerance * std::max(1e-30, exact.largestMagnitude)) << expected[i].name;
    }
}

class PassTest : public testing::Test {
public:
    PassTest(std::string pass, PassCase passCase) : pass_(std::move(pass)), case_(std::move(passCase)) {}

    void TestBody() override {
        const Graph before = graphOf(case_);
        const std::shared_ptr<const Graph> after = runAlone(pass_, before);
        const std::string expected = case_.after.empty() ? graphText(before) : case_.after;
        EXPECT_EQ(graphText(*after), expected);
        expectSameResults(before, *after, case_.tolerance);
    }

private:
    std::string pass_;
    PassCase case_;
};

std::string attributeText(const Node& node) {
    std::string result;
    for (const Attribute& attribute : node.attributes) {
        std::string value;
        if (const auto* word = std::get_if<std::string>(&attribute.value)) value = *word;
        if (const auto* integer = std::get_if<int64_t>(&attribute.value)) value = std::to_string(*integer);
        if (value.empty()) continue;
        result += (result.empty() ? "" : ", ") + attribute.name + "=" + value;
    }
    return result.empty() ? "" : "[" + result + "]";
}

}  // namespace

std::string graphText(const Graph& graph) {
    std::map<ValueId, std::string> shown;
    for (const ValueId id : graph.inputs) shown[id] = graph.value(id).name;
    for (const ValueId id : graph.outputs) shown[id] = graph.value(id).name;
    size_t inner = 0;
    const auto show = [&](ValueId id) -> std::string {
        if (!id.isValid()) return "-";
        if (graph.value(id).constant && graph.value(id).constant->isTensor()) {
            std::string dims;
            for (const int64_t dim : graph.value(id).constant->tensor().dims()) {
                dims += (dims.empty() ? "" : "x") + std::to_string(dim);
            }
            return "#" + dims;
        }
        if (!shown.contains(id)) shown[id] = "t" + std::to_string(inner++);
        return shown[id];
    };
    const auto list = [&](const std::vector<ValueId>& ids) {
        std::vector<std::string> parts;
        for (const ValueId id : ids) parts.push_back(show(id));
        return join(parts, ", ");
    };
    std::string result;
    for (const Node& node : graph.nodes) {
        const std::string inputs = list(node.inputs);
        result +=
            list(node.outputs) + " = " + qualifiedType(node) + attributeText(node) + "(" + inputs + ")\n";
    }
    return result;
}

const std::vector<std::string>& passesWithCases() { return names(); }

PassCases::PassCases(const std::string& pass, std::vector<PassCase> cases) {
    names().push_back(pass);
    std::string suite = pass;
    std::replace(suite.begin(), suite.end(), '-', '_');
    for (const PassCase& passCase : cases) {
        testing::RegisterTest(suite.c_str(), passCase.name, nullptr, nullptr, __FILE__, __LINE__,
                              [pass, passCase]() -> testing::Test* { return new PassTest(pass, passCase); });
    }
}

}  // namespace test
