#include "engine/onnx/expand_functions.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/onnx/function_body.h"
#include "engine/schema.h"

namespace engine::onnx {
namespace {

bool never(const Node&) { return false; }

/// The model's graph with its functions expanded, and operators for which `needsExpansion` asks.
std::shared_ptr<const Graph> expanded(const std::string& source,
                                      const NeedsExpansion& needsExpansion = never) {
    const auto model = Model::parse(source);
    Observer observer;
    auto graph =
        expandFunctions(model->graph, model->functions, needsExpansion, InferOptions(), observer).graph;
    EXPECT_TRUE(verify(*graph).empty()) << join(verify(*graph), "\n");
    return graph;
}

NeedsExpansion only(const std::string& name) {
    return [name](const Node& node) { return node.operatorType == name; };
}

std::string operatorsOf(const Graph& graph) {
    std::vector<std::string> types;
    for (const Node& node : graph.nodes) types.push_back(node.operatorType);
    return join(types, " ");
}

const char* const head = R"(<ir_version: 10, opset_import: ["" : 18, "f" : 1]>)";

TEST(ExpandFunctions, PutsTheBodyInPlaceOfTheCall) {
    const auto graph = expanded(std::string(head) + R"(
        agraph (float[2] x) => (float[2] y) { h = Neg(x)  [call] y = f.scaled <by = 2.0> (h) }
        <domain: "f", opset_import: ["" : 17]> scaled <by: float = 1.0, slope: float = 0.5> (v) => (w) {
            t = LeakyRelu <alpha: float = @slope> (v)
            [add] w = Selu <gamma: float = @by> (t) })");
    EXPECT_EQ(operatorsOf(*graph), "Neg LeakyRelu Selu");
    const Node& last = graph->nodes[2];
    EXPECT_EQ(last.name, "call/add");
    EXPECT_EQ(last.version, 17) << "the body follows the function's opset";
    EXPECT_EQ(std::get<float>(last.attribute("gamma")->value), 2.0F);
    EXPECT_EQ(std::get<float>(graph->nodes[1].attribute("alpha")->value), 0.5F) << "the default";
    EXPECT_EQ(last.outputs[0], graph->outputs[0]);
    EXPECT_EQ(graph->value(last.inputs[0]).name, "call/t");
    EXPECT_EQ(last.origins, std::vector<OriginId>{OriginId(1)});
}

TEST(ExpandFunctions, ExpandsCallsInBodiesAndInSubgraphs) {
    const auto graph = expanded(std::string(head) + R"(
        agraph (bool c, float[2] x) => (float[2] y) {
            y = If (c) <then_branch = t () => (float[2] a) { a = f.outer(x) },
                        else_branch = e () => (float[2] b) { b = f.inner(x) }> }
        <domain: "f", opset_import: ["" : 18, "f" : 1]> outer (v) => (w) { t = f.inner(v)  w = Abs(t) }
        <domain: "f", opset_import: ["" : 18]> inner (v) => (w) { w = Neg(v) })");
    const auto branches = subgraphs(graph->nodes[0]);
    EXPECT_EQ(operatorsOf(*branches[0].second), "Neg Abs");
    EXPECT_EQ(operatorsOf(*branches[1].second), "Neg");
}

TEST(ExpandFunctions, KeepsCapturesOfABodysSubgraphs) {
    const auto graph = expanded(std::string(head) + R"(
        agraph (bool c, float[2] x) => (float[2] y) { y = f.choose(c, x) }
        <domain: "f", opset_import: ["" : 18]> choose (c, v) => (w) {
            n = Neg(v)
            w = If (c) <then_branch = t () => (float[2] a) { a = Identity(n) },
                        else_branch = e () => (float[2] b) { b = Identity(v) }> })");
    const auto branches = subgraphs(graph->nodes[1]);
    EXPECT_EQ(branches[0].second->captures[0].outer, graph->nodes[0].outputs[0]);
    EXPECT_EQ(branches[1].second->captures[0].outer, graph->inputs[1]);
}

TEST(ExpandFunctions, CopiesWhatTheBodyPassesOnOrGivesTwice) {
    const auto graph = expanded(std::string(head) + R"(
        agraph (float[2] x) => (float[2] y, float[2] z, float[2] u) { y, z, u = f.same(x) }
        <domain: "f", opset_import: ["" : 18]> same (v) => (v, w, w) { w = Neg(v) })");
    EXPECT_EQ(operatorsOf(*graph), "Neg Identity Identity");
}

TEST(ExpandFunctions, LeavesOutOmittedInputsAndOutputs) {
    const auto graph = expanded(std::string(head) + R"(
        agraph (float[2] x, float hi) => (float[2] y) { "", y = f.limit(x, "", hi) }
        <domain: "f", opset_import: ["" : 18]> limit (v, lo, hi) => (n, w) { n = Neg(v)  w = Clip(v, lo, hi) })");
    EXPECT_EQ(operatorsOf(*graph), "Neg Clip");
    EXPECT_FALSE(graph->nodes[1].inputs[1].isValid());
}

TEST(ExpandFunctions, RefusesFunctionsThatCallThemselves) {
    const std::string source = std::string(head) + R"(
        agraph (float[2] x) => (float[2] y) { y = f.a(x) }
        <domain: "f", opset_import: ["f" : 1]> a (v) => (w) { w = f.b(v) }
        <domain: "f", opset_import: ["f" : 1]> b (v) => (w) { w = f.a(v) })";
    const auto model = Model::parse(source);
    Observer observer;
    try {
        expandFunctions(model->graph, model->functions, never, InferOptions(), observer);
        FAIL() << "endless recursion was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("f.a -> f.b -> f.a"), std::string::npos) << error.what();
    }
    EXPECT_EQ(model->expanded, model->typed) << "the model opens all the same";
    EXPECT_NE(model->diagnostics.size(), 0);
}

TEST(ExpandFunctions, StopsBeforeTheExpansionFillsTheMemory) {
    std::string source = std::string(head) + "agraph (float[2] x) => (float[2] y) { y = f.f20(x) }";
    for (int i = 20; i > 0; --i) {
        source += text("<domain: \"f\", opset_import: [\"f\" : 1]> f", i, " (v) => (w) { a = f.f", i - 1,
                       "(v) b = f.f", i - 1, "(a) c = f.f", i - 1, "(b) w = f.f", i - 1, "(c) }");
    }
    source += R"(<domain: "f", opset_import: ["" : 18]> f0 (v) => (w) { w = Neg(v) })";
    const auto model = Model::parse(source);
    EXPECT_EQ(model->expanded, model->typed);
    ASSERT_FALSE(model->diagnostics.empty());
    EXPECT_NE(model->diagnostics[0].message.find("more than"), std::string::npos)
        << model->diagnostics[0].message;
}

TEST(ExpandFunctions, BuildsBodiesOfTheSpecification) {
    const auto fixed = expanded(R"(<ir_version: 8, opset_import: ["" : 18]>
        agraph (float[2] x) => (float[2] y) { y = Mish(x) })",
                                only("Mish"));
    EXPECT_EQ(operatorsOf(*fixed), "Softplus Tanh Mul");
    const auto byType = expanded(R"(<ir_version: 8, opset_import: ["" : 18]>
        agraph (float16[2, 3] x) => (float16[2, 3] y) { y = LogSoftmax(x) })",
                                 only("LogSoftmax"));
    EXPECT_GT(byType->nodes.size(), 3);
    EXPECT_EQ(operatorsOf(*byType).find("LogSoftmax"), std::string::npos);
    const auto withDefault = expanded(R"(<ir_version: 8, opset_import: ["" : 22]>
        agraph (float[2] x) => (float[2] y) { y = ThresholdedRelu(x) })",
                                      only("ThresholdedRelu"));
    EXPECT_EQ(operatorsOf(*withDefault).find("ThresholdedRelu"), std::string::npos);
    const Node& first = withDefault->nodes[0];
    EXPECT_EQ(first.operatorType, "Constant");
    EXPECT_EQ(std::get<float>(first.attribute("value_float")->value), 1.0F)
        << "alpha's default in the schema";
}

TEST(ExpandFunctions, BuildsABodyAroundASubgraphThatCaptures) {
    const auto graph = expanded(R"(<ir_version: 8, opset_import: ["" : 18]>
        agraph (seq(float[N]) s, float[1] k) => (seq(float[N]) r) {
            r = SequenceMap (s) <body = b (float[N] e) => (float[N] o) { o = Add(e, k) }> })",
                                only("SequenceMap"));
    EXPECT_NE(operatorsOf(*graph).find("Loop"), std::string::npos);
    const auto& loop = *std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                     [](const Node& node) { return node.operatorType == "Loop"; });
    const std::vector<ValueId> all = reads(loop);
    EXPECT_NE(std::find(all.begin(), all.end(), graph->inputs[1]), all.end()) << "k is still captured";
}

TEST(ExpandFunctions, TakesBodiesOfOtherDomainsByTheNewestOpset) {
    const auto graph = expanded(R"(<ir_version: 12, opset_import: ["" : 26, "ai.onnx.preview" : 1]>
        agraph (float[1, 2, 3, 4] q, float[1, 2, 3, 4] k, float[1, 2, 3, 4] v) => (float[1, 2, 3, 4] y) {
            y = ai.onnx.preview.FlexAttention(q, k, v) })",
                                only("FlexAttention"));
    ASSERT_GT(graph->nodes.size(), 1);
    for (const Node& node : graph->nodes) EXPECT_GE(node.version, 28) << node.operatorType;
}

TEST(ExpandFunctions, BuildsTheEnginesOwnBodiesFromAttributesAndTypes) {
    const std::string opsets = "<ir_version: 8, opset_import: [\"\" : 18, \"com.microsoft\" : 1]> agraph ";
    const auto norm =
        expanded(opsets + R"((float16[1, 4, 4, 8] x, float[8] g, float[8] b) => (float16[1, 4, 4, 8] y) {
            y = com.microsoft.GroupNorm <groups = 2, activation = 1> (x, g, b) })",
                 only("GroupNorm"));
    EXPECT_EQ(operatorsOf(*norm),
              "Cast Transpose Cast Cast GroupNormalization Sigmoid Mul Identity Transpose CastLike");
    const auto early = expanded(
        "<ir_version: 3, opset_import: [\"\" : 7]> agraph (float[2] x) => (float[2] y) { y "
        "= Affine <alpha = 2.0> (x) }",
        only("Affine"));
    EXPECT_NE(operatorsOf(*early).find("Mul"), std::string::npos);
}

TEST(Model, ExpandsLongChainsOfBodiesThatNeedTypes) {
    for (const std::string node :
         {"Attention (v, v, v)", "com.microsoft.GroupNorm <groups = 2, activation = 1> (v, g, g)"}) {
        std::string text =
            "<ir_version: 11, opset_import: [\"\" : 23, \"com.microsoft\" : 1]> agraph (float[1, 2, 4, "
            "8] v0, float[8] g) => (float[A, B, C, D] v60) {";
        for (int i = 0; i < 60; ++i) {
            std::string call = node;
            for (size_t at = call.find("v,"); at != std::string::npos; at = call.find("v,", at + 3)) {
                call.replace(at, 1, engine::text('v', i));
            }
            for (size_t at = call.find("v)"); at != std::string::npos; at = call.find("v)", at + 3)) {
                call.replace(at, 1, engine::text('v', i));
            }
            text += engine::text(" v", i + 1, " = ", call);
        }
        const auto model = Model::parse(text + " }");
        EXPECT_GT(model->expanded->graph->nodes.size(), 300U) << node;
        const ValueId output = model->graph->outputs[0];
        EXPECT_EQ(typeText(model->typed->types[output.index]), "float[1, 2, 4, 8]") << node;
    }
}

TEST(Model, SaysWhyAnOperatorIsNotRun) {
    const auto model = Model::parse(R"(<ir_version: 8, opset_import: ["" : 18, "com.microsoft" : 1]>
        agraph (float[2] x) => (float[2] y) { y = com.microsoft.EPContext (x) })");
    ASSERT_FALSE(model->diagnostics.empty() && model->typed->diagnostics.empty());
    EXPECT_NE(model->typed->nodes[0].problem.find("a program compiled for one device"), std::string::npos)
        << model->typed->nodes[0].problem;
}

TEST(Model, SaysWhyABodyOfItsOwnCannotBeMade) {
    const auto model = Model::parse(R"(<ir_version: 8, opset_import: ["" : 18, "com.microsoft" : 1]>
        agraph (float[1, 4, 8] x, float[8] g, float[8] b) => (float[1, 4, 8] y) {
            y = com.microsoft.GroupNorm <groups = 2, activation = 5> (x, g, b) })");
    EXPECT_NE(model->expanded->nodes[0].problem.find("activation: found 5"), std::string::npos)
        << model->expanded->nodes[0].problem;
}

TEST(ExpandFunctions, EveryFixedBodyOfTheSpecificationExpands) {
    for (const SpecifiedOperator& one : specifiedOperators()) {
        Graph graph;
        const auto schema = operatorSchema(one.domain, one.name, one.sinceVersion);
        Node node{.operatorType = one.name, .domain = one.domain, .version = one.sinceVersion};
        if (one.isDeprecated || !hasSchemaFunction(node)) continue;
        for (size_t i = 0; i < schema->inputs.size(); ++i) {
            graph.inputs.push_back(graph.addValue({.name = text("in", i)}));
        }
        for (size_t i = 0; i < schema->outputs.size(); ++i) {
            graph.outputs.push_back(graph.addValue({.name = text("out", i)}));
        }
        node.inputs = graph.inputs;
        node.outputs = graph.outputs;
        graph.addNode(node);
        Observer observer;
        try {
            const auto result = expandFunctions(std::make_shared<const Graph>(graph), {}, only(one.name),
                                                InferOptions(), observer)
                                    .graph;
            EXPECT_TRUE(verify(*result).empty()) << one.name;
        } catch (const Error& error) {
            ADD_FAILURE() << one.name << " " << one.sinceVersion << ": " << error.what();
        }
    }
}

TEST(ExpandFunctions, SaysWhatANodeWithoutAttributesLacks) {
    const auto model = Model::parse(R"(<ir_version: 10, opset_import: ["" : 18, "com.microsoft" : 1]>
        agraph (float[1, 2, 8] q) => (y, s) { y, s = com.microsoft.LinearAttention(q, q, q) })");
    ASSERT_FALSE(model->diagnostics.empty());
    EXPECT_NE(model->diagnostics[0].message.find("q_num_heads"), std::string::npos)
        << model->diagnostics[0].message;
}

TEST(Model, KnowsTheTypesBehindFunctionCalls) {
    const auto model = Model::parse(std::string(head) + R"(
        agraph (float[N, 4] x, float[4, 4] m) => (y) { h = f.product(x, m)  y = MatMul(h, m) }
        <domain: "f", opset_import: ["" : 18]> product (a, b) => (c) { c = MatMul(a, b) })");
    EXPECT_EQ(typeText(model->typed->types[model->graph->outputs[0].index]), "float[N, 4]");
    EXPECT_EQ(typeText(model->bound({{"N", 5}})->types[model->graph->outputs[0].index]), "float[5, 4]");
    EXPECT_TRUE(model->diagnostics.empty()) << model->diagnostics[0].message;
}

}  // namespace
}  // namespace engine::onnx
