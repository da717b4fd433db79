#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wire_writer.h"

namespace engine {
namespace {

bool hasDiagnostic(const Model& model, const std::string& place, const std::string& part) {
    return std::any_of(model.diagnostics.begin(), model.diagnostics.end(), [&](const Diagnostic& found) {
        return found.place.find(place) != std::string::npos && found.message.find(part) != std::string::npos;
    });
}

std::string nameOf(const Graph& graph, ValueId id) { return id.isValid() ? graph.value(id).name : "-"; }

TEST(Import, BringsInputsNodesAndOutputs) {
    const auto model = Model::parse(
        R"(<ir_version: 8, opset_import: ["" : 17], producer_name: "tests", metadata_props: ["a": "b"]>
        agraph (float[N, 3] x) => (float[N, 3] y) { [first] h = Relu(x)  y = LeakyRelu <alpha = 0.5> (h) })");
    EXPECT_EQ(model->irVersion, 8);
    EXPECT_EQ(model->producerName, "tests");
    EXPECT_EQ(model->metadata, (Metadata{{"a", "b"}}));
    const Graph& graph = *model->graph;
    EXPECT_EQ(graph.name, "agraph");
    ASSERT_EQ(graph.inputs.size(), 1);
    EXPECT_EQ(typeText(graph.value(graph.inputs[0]).type), "float[N, 3]");
    ASSERT_EQ(graph.nodes.size(), 2);
    EXPECT_EQ(graph.nodes[0].name, "first");
    EXPECT_EQ(graph.nodes[0].version, 17);
    EXPECT_EQ(std::get<float>(graph.nodes[1].attribute("alpha")->value), 0.5F);
    EXPECT_EQ(nameOf(graph, graph.outputs[0]), "y");
    EXPECT_EQ(model->symbols(), std::vector<std::string>{"N"});
}

TEST(Import, TurnsOuterNamesOfASubgraphIntoCapturesThroughEveryLevel) {
    const auto model = Model::parse(R"(agraph (bool c, float[2] x) => (float[2] y) {
        y = If (c) <then_branch = t () => (float[2] a) {
                a = If (c) <then_branch = u () => (float[2] p) { p = Neg(x) },
                            else_branch = v () => (float[2] q) { q = Abs(x) }> },
                    else_branch = e () => (float[2] b) { b = Identity(x) }> })");
    const auto branches = subgraphs(model->graph->nodes[0]);
    ASSERT_EQ(branches.size(), 2);
    const Graph& thenBranch = *branches[0].second;
    ASSERT_EQ(thenBranch.captures.size(), 2);
    const Graph& inner = *subgraphs(thenBranch.nodes[0])[0].second;
    ASSERT_EQ(inner.captures.size(), 1);
    const ValueId inThen = inner.captures[0].outer;
    EXPECT_EQ(nameOf(thenBranch, inThen), "x");
    EXPECT_EQ(nameOf(inner, inner.nodes[0].inputs[0]), "x");
    EXPECT_TRUE(verify(*model->graph).empty());
}

TEST(Import, NumbersOriginsThroughSubgraphsAndFunctions) {
    const auto model = Model::parse(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
        agraph (bool c, float[2] x) => (float[2] z) {
            y = If (c) <then_branch = t () => (float[2] a) { a = Neg(x) },
                        else_branch = e () => (float[2] b) { b = Abs(x) }>
            z = f.twice(y) }
        <domain: "f", opset_import: ["" : 17]> twice (v) => (w) { w = Add(v, v) })");
    ASSERT_EQ(model->origins.size(), 5);
    const char* const expected[] = {"If", "Neg", "Abs", "twice", "Add"};
    for (size_t i = 0; i < 5; ++i) {
        const OriginPlace& place = model->origins[i];
        EXPECT_EQ(place.graph->node(place.node).operatorType, expected[i]);
        EXPECT_EQ(place.graph->node(place.node).origins, std::vector<OriginId>{OriginId(i)});
    }
    EXPECT_EQ(model->origins[2].parent, OriginId(0));
    EXPECT_EQ(model->origins[2].graphName, "else_branch");
    EXPECT_EQ(model->origins[4].graphName, "twice");
    EXPECT_EQ(model->origins[4].graph, model->functions[0].body);
}

TEST(Import, PutsNodesInOrder) {
    const auto model = Model::parse("agraph (float[2] x) => (float[2] y) { y = Neg(h)  h = Relu(x) }");
    EXPECT_EQ(model->graph->nodes[0].operatorType, "Relu");
    EXPECT_TRUE(hasDiagnostic(*model, "", "put in order"));
    EXPECT_TRUE(verify(*model->graph).empty());
}

TEST(Import, ReportsACycle) {
    const auto model = Model::parse("agraph (float[2] x) => (float[2] y) { h = Add(x, y)  y = Neg(h) }");
    EXPECT_EQ(model->graph->nodes.size(), 2);
    EXPECT_TRUE(hasDiagnostic(*model, "(Add)", "cycle"));
}

TEST(Import, NamesNodeAndTensorOfAMissingInput) {
    const auto model = Model::parse("agraph (float[2] x) => (float[2] y) { [late] y = Add(x, nowhere) }");
    EXPECT_TRUE(hasDiagnostic(*model, "node 'late' (Add)", "'nowhere'"));
    EXPECT_EQ(nameOf(*model->graph, model->graph->nodes[0].inputs[1]), "nowhere");
}

TEST(Import, KeepsTheFirstOfTwoValuesOfOneName) {
    const auto model =
        Model::parse("agraph (float[2] x) => (float[2] y) { y = Neg(x)  [again] y = Relu(x) }");
    EXPECT_TRUE(hasDiagnostic(*model, "node 'again' (Relu)", "'y' exists already"));
    EXPECT_EQ(model->graph->nodes[0].outputs[0], model->graph->outputs[0]);
    EXPECT_NE(model->graph->nodes[1].outputs[0], model->graph->outputs[0]);
}

TEST(Import, TakesAnInputWithAnInitializerAsAConstant) {
    const auto model = Model::parse(R"(<ir_version: 3, opset_import: ["" : 7]>
        agraph (float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Add(x, w) })");
    ASSERT_EQ(model->graph->inputs.size(), 1);
    const Value& weight = model->graph->value(model->graph->findValue("w"));
    ASSERT_TRUE(weight.constant.has_value());
    EXPECT_EQ(weight.constant->tensor().values<float>()[1], 2);
}

TEST(Import, OpensUnknownOperatorsAndDomains) {
    const auto model = Model::parse(R"(<ir_version: 8, opset_import: ["" : 17]>
        agraph (float[2] x) => (float[2] y) { h = my.own.Thing <level = 3> (x)  y = NoSuchThing(h) })");
    EXPECT_EQ(model->graph->nodes[0].domain, "my.own");
    EXPECT_TRUE(hasDiagnostic(*model, "(my.own.Thing)", "opset imports do not name the domain 'my.own'"));
    EXPECT_EQ(model->typed->nodes[1].op, nullptr);
}

TEST(Import, KeepsOmittedInputsAndOutputs) {
    const auto model = Model::parse(
        R"(agraph (float[2] x, float m) => (float[2] y) { y = Clip(x, "", m)  "", mask = Dropout(y) })");
    const Graph& graph = *model->graph;
    EXPECT_FALSE(graph.nodes[0].inputs[1].isValid());
    EXPECT_TRUE(graph.nodes[0].inputs[2].isValid());
    EXPECT_FALSE(graph.nodes[1].outputs[0].isValid());
}

TEST(ImportText, OpensFilesOfThatName) {
    const test::TemporaryFolder folder;
    Observer observer;
    const auto path = folder.write("m.onnxtxt", "agraph (float[2] x) => (float[2] y) { y = Neg(x) }");
    const auto model = Model::open(path, observer);
    EXPECT_EQ(model->graph->nodes[0].operatorType, "Neg");
    EXPECT_EQ(model->path, path);
    EXPECT_GT(model->openNs, 0);
}

TEST(Import, KeepsTrainingInformationAndAnnotations) {
    const test::WireWriter info =
        test::WireWriter()
            .message(1, test::WireWriter().bytes(2, "start"))
            .message(2, test::WireWriter().bytes(2, "step").message(
                            1, test::WireWriter().bytes(1, "w").bytes(2, "g").bytes(4, "Neg")))
            .message(4, test::WireWriter().bytes(1, "w").bytes(2, "g"));
    const test::WireWriter weight =
        test::WireWriter().varint(1, 1).varint(2, 1).bytes(8, "w").bytes(9, "1234");
    const test::WireWriter annotation = test::WireWriter().bytes(1, "w").message(
        2, test::WireWriter().bytes(1, "SCALE_TENSOR").bytes(2, "s"));
    const test::TemporaryFolder folder;
    Observer observer;
    const auto model = Model::open(
        folder.write("m.onnx", test::WireWriter()
                                   .varint(1, 8)
                                   .message(8, test::WireWriter().varint(2, 17))
                                   .message(7, test::WireWriter().message(5, weight).message(14, annotation))
                                   .message(20, info)
                                   .data()),
        observer);
    ASSERT_EQ(model->training.size(), 1);
    EXPECT_EQ(model->training[0].initialization->name, "start");
    ASSERT_EQ(model->training[0].algorithm->captures.size(), 1) << "it reads the main graph's w";
    EXPECT_EQ(model->training[0].updateBinding, (Metadata{{"w", "g"}}));
    EXPECT_EQ(model->graph->values[0].metadata, (Metadata{{"quantization: SCALE_TENSOR", "s"}}));
}

TEST(ImportText, SaysLineAndColumnOfAFault) {
    try {
        Model::parse("agraph (float[2] x) => (float[2] y) {\n  y = Neg(x\n}");
        FAIL() << "half a node was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("line 3, column 1"), std::string::npos) << error.what();
    }
}

TEST(ImportText, RefusesBottomlessNestingAndHugeNumbers) {
    std::string deep = "agraph (";
    for (int i = 0; i < 100000; ++i) deep += "seq(";
    EXPECT_THROW(Model::parse(deep), Error);
    EXPECT_THROW(Model::parse("agraph (float[99999999999999999999] x) => (float[2] y) { y = Neg(x) }"),
                 Error);
    EXPECT_THROW(Model::parse(""), Error);
}

}  // namespace
}  // namespace engine
