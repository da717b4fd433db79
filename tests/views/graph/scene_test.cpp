#include "views/graph/scene.h"

#include <gtest/gtest.h>

#include "tests/views/sample_model.h"
#include "views/graph/laid_out_scene.h"

namespace views {
namespace {

std::shared_ptr<const Scene> sceneOf(const engine::Model& model, const SceneOptions& options = {}) {
    engine::Observer observer;
    return buildScene(model, mainPath(model, model.typed).back(), options, observer);
}

const SceneNode& nodeNamed(const engine::Model& model, const Scene& scene, const std::string& name) {
    return scene.nodes[static_cast<size_t>(scene.find(test::originNamed(model, name)))];
}

/// Nodes named as exporters name them, chained by Relu.
std::shared_ptr<const engine::Model> chain(const std::vector<std::string>& names) {
    std::string text = "agraph (float[2] x0) => (float[2] x" + std::to_string(names.size()) + ") {";
    for (size_t index = 0; index < names.size(); ++index) {
        text += " x" + std::to_string(index + 1) + " = Relu (x" + std::to_string(index) + ")";
    }
    auto model = std::make_shared<engine::Model>(*engine::Model::parse(text + " }"));
    auto graph = std::make_shared<engine::Graph>(*model->graph);
    for (size_t index = 0; index < names.size(); ++index) graph->nodes[index].name = names[index];
    model->graph = graph;
    return model;
}

const SceneGroup* groupNamed(const Scene& scene, const QString& path) {
    for (const SceneGroup& group : scene.groups) {
        if (group.path == path) return &group;
    }
    return nullptr;
}

TEST(Scene, HasABoxForEveryNodeInputAndOutputButConstantsAreInline) {
    const auto model = test::sampleModel();
    const auto scene = sceneOf(*model);
    std::map<SceneNode::Kind, int> counts;
    for (const SceneNode& node : scene->nodes) ++counts[node.kind];
    EXPECT_EQ(counts[SceneNode::Kind::operation], 9);
    EXPECT_EQ(counts[SceneNode::Kind::input], 2);
    EXPECT_EQ(counts[SceneNode::Kind::output], 2);
    EXPECT_TRUE(nodeNamed(*model, *scene, "scale").lines.contains("B = 0.500"))
        << nodeNamed(*model, *scene, "scale").lines.join(" | ").toStdString();
    EXPECT_TRUE(nodeNamed(*model, *scene, "a_mul").lines.contains(QString::fromUtf8("B 4×4")));
    // The constant is found where it is read.
    EXPECT_EQ(scene->find(test::originNamed(*model, "half")),
              scene->find(test::originNamed(*model, "scale")));
}

TEST(Scene, LabelsEdgesWithShapesAndThinsShapeArithmetic) {
    const auto model = test::sampleModel();
    const auto scene = sceneOf(*model);
    const int reshape = scene->find(test::originNamed(*model, "reshape"));
    int found = 0;
    for (const SceneEdge& edge : scene->edges) {
        if (edge.to != reshape) continue;
        ++found;
        const bool isShape = scene->nodes[static_cast<size_t>(edge.from)].title == "Shape";
        EXPECT_EQ(edge.isShapeArithmetic, isShape);
        EXPECT_TRUE(isShape || edge.label == QString::fromUtf8("N×4")) << edge.label.toStdString();
    }
    EXPECT_EQ(found, 2);
}

TEST(Scene, WhatABodyReadsFromOutsideComesInAtTheNodeThatHoldsIt) {
    const auto model = test::sampleModel();
    const auto scene = sceneOf(*model);
    const int choose = scene->find(test::originNamed(*model, "choose"));
    EXPECT_TRUE(scene->nodes[static_cast<size_t>(choose)].hasBody);
    std::set<QString> sources;
    for (const SceneEdge& edge : scene->edges) {
        if (edge.to == choose) sources.insert(scene->nodes[static_cast<size_t>(edge.from)].title);
    }
    EXPECT_EQ(sources, (std::set<QString>{"flag", "Reshape", "Relu"}));
}

TEST(Scene, OfABodyShowsCapturesAsItsInputs) {
    const auto model = test::sampleModel();
    const GraphPath path = pathTo(*model, model->typed, test::originNamed(*model, "else_neg"));
    ASSERT_EQ(path.size(), 2);
    EXPECT_EQ(path.back().holder, test::originNamed(*model, "choose"));
    engine::Observer observer;
    const auto scene = buildScene(*model, path.back(), {}, observer);
    int captures = 0;
    for (const SceneNode& node : scene->nodes) captures += node.kind == SceneNode::Kind::capture ? 1 : 0;
    EXPECT_EQ(captures, 1);
    EXPECT_GE(scene->find(test::originNamed(*model, "else_abs")), 0);
    EXPECT_LT(scene->find(test::originNamed(*model, "then_add")), 0);
}

TEST(Scene, MarksAnUnknownOperator) {
    const auto model = test::sampleModel();
    const auto scene = sceneOf(*model);
    EXPECT_TRUE(nodeNamed(*model, *scene, "mystery").hasProblem);
    EXPECT_EQ(nodeNamed(*model, *scene, "mystery").family, Family::unknown);
}

TEST(Grouping, FollowsTheNamesAndCountsEqualSiblings) {
    const auto model = chain({"/net/l0/a/Relu", "/net/l0/a/Relu_1", "/net/l0/Relu", "/net/l1/a/Relu",
                              "/net/l1/a/Relu_1", "/net/l1/Relu", "/head/Relu", "/head/Relu_1"});
    const auto scene = sceneOf(*model);
    ASSERT_NE(groupNamed(*scene, "/net/l0"), nullptr);
    EXPECT_EQ(groupNamed(*scene, "/net/l0")->repeats, 2);
    EXPECT_EQ(groupNamed(*scene, "/net/l0")->nodes.size(), 3);
    EXPECT_EQ(groupNamed(*scene, "/net/l0/a")->repeats, 1) << "it has no sibling";
    EXPECT_EQ(groupNamed(*scene, "/head")->nodes.size(), 2);
}

TEST(Grouping, DropsScopesThatSayNothing) {
    const auto model =
        chain({"/all/x/one/Relu", "/all/x/two/deep/Relu", "/all/x/two/deep/Relu_1", "/all/Relu"});
    const auto scene = sceneOf(*model);
    EXPECT_EQ(groupNamed(*scene, "/all"), nullptr) << "it holds everything";
    EXPECT_EQ(groupNamed(*scene, "/all/x/one"), nullptr) << "it holds one node";
    ASSERT_NE(groupNamed(*scene, "/all/x/two/deep"), nullptr);
    EXPECT_EQ(groupNamed(*scene, "/all/x/two/deep")->title, "two / deep");
}

TEST(Grouping, ClosesWhatWouldBeTooMuchAndTheUserHasTheLastWord) {
    std::vector<std::string> names;
    for (int block = 0; block < 4; ++block) {
        for (int node = 0; node < 10; ++node)
            names.push_back("/b" + std::to_string(block) + "/Relu_" + std::to_string(node));
    }
    const auto model = chain(names);
    const auto open = sceneOf(*model);
    for (const SceneGroup& group : open->groups) EXPECT_FALSE(group.isCollapsed);
    const auto closed = sceneOf(*model, {.mostVisible = 20});
    for (const SceneGroup& group : closed->groups) EXPECT_TRUE(group.isCollapsed);
    const auto chosen = sceneOf(*model, {.isCollapsed = {{"/b1", false}}, .mostVisible = 20});
    for (const SceneGroup& group : chosen->groups) EXPECT_EQ(group.isCollapsed, group.path != "/b1");
}

TEST(LayoutRequest, SaysWhatTheSceneHas) {
    const auto model = test::sampleModel();
    const auto scene = sceneOf(*model);
    const layout::Request request = layoutRequest(*scene);
    EXPECT_EQ(request.nodes.size(), scene->nodes.size());
    EXPECT_EQ(request.edges.size(), scene->edges.size());
    for (const auto& node : request.nodes) {
        EXPECT_GE(node.w, 60);
        EXPECT_LE(node.w, NodeMetrics::widest);
        EXPECT_GE(node.h, NodeMetrics::header);
    }
}

}  // namespace
}  // namespace views
