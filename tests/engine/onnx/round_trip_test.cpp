#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/onnx/export.h"
#include "engine/onnx/text.h"
#include "tests/engine/onnx/samples.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

using test::isSame;
using test::sampleTensor;

std::shared_ptr<const Model> exportedAndOpened(const Model& model, const onnx::ExportOptions& options = {}) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "model.onnx";
    Observer observer;
    onnx::exportModel(*model.graph, model, path, options, observer);
    return Model::open(path, observer);
}

/// y = Identity(w) with w a constant.
std::shared_ptr<const Model> modelWithConstant(const Tensor& tensor) {
    Graph graph{.name = "g"};
    const ValueId constant = graph.addValue({.name = "w", .constant = Datum(tensor)});
    const ValueId output = graph.addValue({.name = "y"});
    graph.addNode({.operatorType = "Identity", .version = 21, .inputs = {constant}, .outputs = {output}});
    graph.outputs = {output};
    return Model::fromGraph(std::move(graph), {{.domain = "", .version = 21}});
}

const Tensor& constantOf(const Model& model) {
    const Value& value = model.graph->value(model.graph->findValue("w"));
    EXPECT_TRUE(value.constant.has_value());
    return value.constant->tensor();
}

class EveryType : public testing::TestWithParam<DataType> {};

TEST_P(EveryType, SurvivesAFile) {
    const Tensor tensor = sampleTensor(GetParam());
    EXPECT_TRUE(isSame(constantOf(*exportedAndOpened(*modelWithConstant(tensor))), tensor));
}

TEST_P(EveryType, SurvivesText) {
    const Tensor tensor = sampleTensor(GetParam());
    const auto model = Model::parse(onnx::printGraph(*modelWithConstant(tensor)->graph));
    EXPECT_TRUE(isSame(constantOf(*model), tensor));
}

TEST_P(EveryType, SurvivesAnEmptyAndALargeTensor) {
    Tensor large = Tensor::allocate(GetParam(), {1000, 5});
    const Tensor sample = sampleTensor(GetParam());
    for (size_t i = 0; i < 1000; ++i) {
        if (GetParam() == DataType::string) {
            std::ranges::copy(sample.values<String>(), large.mutableValues<String>().begin() + 5 * i);
        } else {
            std::copy_n(static_cast<const std::byte*>(sample.data()), sample.bytes(),
                        static_cast<std::byte*>(large.mutableData()) + i * sample.bytes());
        }
    }
    EXPECT_TRUE(isSame(constantOf(*exportedAndOpened(*modelWithConstant(large))), large));
    EXPECT_TRUE(
        isSame(constantOf(*exportedAndOpened(*modelWithConstant(large), {.externalData = true})), large));
    const Tensor empty = Tensor::allocate(GetParam(), {3, 0});
    EXPECT_TRUE(isSame(constantOf(*exportedAndOpened(*modelWithConstant(empty))), empty));
}

INSTANTIATE_TEST_SUITE_P(Onnx, EveryType, testing::ValuesIn(test::allDataTypes()),
                         [](const auto& type) { return std::string(name(type.param)); });

TEST(RoundTrip, KeepsEveryKindOfAttribute) {
    Graph graph{.name = "g"};
    Node node = test::nodeWithAllAttributes();
    node.outputs = {graph.addValue({.name = "y"})};
    graph.outputs = node.outputs;
    graph.addNode(node);
    const auto model = Model::fromGraph(std::move(graph), {{.domain = "test", .version = 1}});
    const auto opened = exportedAndOpened(*model);
    const Node& read = opened->graph->nodes[0];
    ASSERT_EQ(read.attributes.size(), node.attributes.size());
    for (size_t i = 0; i < node.attributes.size(); ++i) {
        const Attribute& attribute = read.attributes[i];
        EXPECT_EQ(attribute.name, node.attributes[i].name);
        EXPECT_EQ(kindText(attribute.value), attribute.name);
        EXPECT_EQ(attribute.documentation, "about " + attribute.name);
    }
    EXPECT_EQ(std::get<std::string>(read.attribute("string")->value), std::string("a\0b", 3));
    EXPECT_EQ(std::get<std::vector<int64_t>>(read.attribute("ints")->value),
              (std::vector<int64_t>{1, INT64_MIN}));
    EXPECT_TRUE(isSame(std::get<Tensor>(read.attribute("tensor")->value), sampleTensor(DataType::int4)));
    EXPECT_EQ(typeText(std::get<Type>(read.attribute("type_proto")->value)), "seq(float16[n, 3])");
    EXPECT_EQ(std::get<SparseTensor>(read.attribute("sparse_tensor")->value).dims, (Dims{2, 3}));
    EXPECT_EQ(std::get<std::vector<std::shared_ptr<const Graph>>>(read.attribute("graphs")->value).size(), 2);
}

const char* const nested =
    R"(agraph (bool c, float[2] x) => (float[2] y, seq(float[N]) s, optional(int64[]) o) {
    h = Neg(x)
    y = If (c) <then_branch = t () => (float[2] a) {
            a = If (c) <then_branch = u () => (float[2] p) { p = Add(h, x) },
                        else_branch = v () => (float[2] q) { q = Abs(x) }> },
                else_branch = e () => (float[2] b) { b = Identity(h) }>
    s = SequenceConstruct(x)
    o = Optional <type: type_proto = int64[]> () })";

TEST(RoundTrip, KeepsSubgraphsAndTheirCaptures) {
    const auto model = Model::parse(nested);
    const std::string printed = onnx::printGraph(*model->graph);
    EXPECT_EQ(onnx::printGraph(*Model::parse(printed)->graph), printed);
    EXPECT_EQ(onnx::printGraph(*exportedAndOpened(*model)->graph), printed);
}

TEST(RoundTrip, KeepsHeadAndFunctions) {
    const std::string source = R"(<ir_version: 10, opset_import: ["" : 17, "f" : 1], producer_name: "p",
        model_version: 3, metadata_props: ["k": "v"]>
        agraph (float[2] x) => (float[2] z) { z = f.leaky <slope = 0.5> (x) }
        <domain: "f", opset_import: ["" : 17]> leaky <slope> (v) => (w) { w = LeakyRelu <alpha: float = @slope> (v) })";
    const auto model = Model::parse(source);
    ASSERT_EQ(model->functions.size(), 1);
    EXPECT_EQ(model->functions[0].body->nodes[0].attribute("alpha")->reference, "slope");
    const std::string printed = onnx::printModel(*model);
    EXPECT_EQ(onnx::printModel(*Model::parse(printed)), printed);
    const auto opened = exportedAndOpened(*model);
    EXPECT_EQ(opened->metadata, model->metadata);
    EXPECT_EQ(opened->modelVersion, 3);
    EXPECT_EQ(opened->functions[0].body->nodes[0].attribute("alpha")->reference, "slope");
}

TEST(Export, NamesValuesWithoutANameAndKeepsOutputNames) {
    Graph graph{.name = "g"};
    const ValueId input = graph.addValue({.name = "x", .type = Type::tensor(DataType::float32, {2})});
    const ValueId middle = graph.addValue({});
    const ValueId output = graph.addValue({.name = "y"});
    graph.addNode({.operatorType = "Neg", .version = 17, .inputs = {input}, .outputs = {middle}});
    graph.addNode({.operatorType = "Abs", .version = 17, .inputs = {middle}, .outputs = {output}});
    graph.inputs = {input};
    graph.outputs = {output, output};
    const auto opened =
        exportedAndOpened(*Model::fromGraph(std::move(graph), {{.domain = "", .version = 17}}));
    EXPECT_TRUE(verify(*opened->graph).empty());
    ASSERT_EQ(opened->graph->outputs.size(), 2);
    EXPECT_EQ(opened->graph->value(opened->graph->outputs[0]).name, "y");
    EXPECT_EQ(opened->graph->nodes.size(), 3) << "an output that leaves twice is copied";
}

TEST(Export, RefusesNodesThatNoOpsetVersionFits) {
    Graph graph{.name = "g"};
    const ValueId x = graph.addValue({.name = "x"});
    const ValueId h = graph.addValue({.name = "h"});
    const ValueId y = graph.addValue({.name = "y"});
    graph.addNode({.operatorType = "Upsample", .version = 9, .inputs = {x}, .outputs = {h}});
    graph.addNode({.operatorType = "Gelu", .version = 20, .inputs = {h}, .outputs = {y}});
    graph.inputs = {x};
    graph.outputs = {y};
    const auto model = Model::fromGraph(std::move(graph), {});
    const test::TemporaryFolder folder;
    Observer observer;
    EXPECT_THROW(onnx::exportModel(*model->graph, *model, folder.path() / "m.onnx", {}, observer), Error);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "no half file may stay behind";
}

TEST(Export, SaysWhyAFolderCannotBeWrittenTo) {
    const auto model = Model::parse("agraph (float[2] x) => (float[2] y) { y = Neg(x) }");
    Observer observer;
    EXPECT_THROW(onnx::exportModel(*model->graph, *model, "/nonexistent/m.onnx", {}, observer), Error);
}

}  // namespace
}  // namespace engine
