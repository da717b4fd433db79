#include "engine/plan/placement.h"

#include <gtest/gtest.h>

#include "engine/model.h"

namespace test {
namespace {

using namespace engine;

/// Two providers that differ only in identity.
struct Named final : Provider {
    explicit Named(std::string name) : name_(std::move(name)) {}
    ProviderInfo info() const override { return {.name = name_}; }
    bool hasKernel(const std::string&, const std::string& type) const override { return type == name_; }
    Support supports(const NodeView& node) const override {
        return node.node().operatorType == name_ ? Support::yes() : Support::no("it is not ", name_);
    }
    void compile(PartitionBuilder&, const CompileOptions&) const override {}
    std::string name_;
};

struct Placed {
    std::shared_ptr<const TypedGraph> typed;
    std::vector<Partition> partitions = {};
};

Placed place(const std::string& text, const std::vector<const Provider*>& providers) {
    Placed result{.typed = Model::parse(text)->typed};
    std::vector<NodeId> nodes;
    std::vector<const Provider*> chosen;
    for (size_t i = 0; i < result.typed->graph->nodes.size(); ++i) {
        nodes.emplace_back(i);
        chosen.push_back(choose(NodeView(*result.typed, NodeId(i)), providers).provider);
    }
    result.partitions = partition(*result.typed->graph, nodes, chosen);
    return result;
}

TEST(Placement, KeepsTheReasonOfEveryRefusal) {
    const Named relu("Relu");
    const Named neg("Neg");
    const auto typed = Model::parse("agraph (float[2] x) => (float[2] y) { y = Neg(x) }")->typed;
    const Choice choice = choose(NodeView(*typed, NodeId(0)), {&relu, &neg});
    EXPECT_EQ(choice.provider, &neg);
    ASSERT_EQ(choice.refusals.size(), 1U);
    EXPECT_EQ(choice.refusals[0].provider, "Relu");
    EXPECT_EQ(choice.refusals[0].reason, "it is not Relu");
}

TEST(Placement, AProviderInBetweenCutsThePartition) {
    const Named relu("Relu");
    const Named neg("Neg");
    const Placed placed =
        place("agraph (float[2] x) => (float[2] y) { a = Relu(x)  b = Neg(a)  y = Relu(b) }", {&relu, &neg});
    ASSERT_EQ(placed.partitions.size(), 3U);
    EXPECT_EQ(placed.partitions[0].provider, &relu);
    EXPECT_EQ(placed.partitions[1].provider, &neg);
    EXPECT_EQ(placed.partitions[2].provider, &relu);
}

TEST(Placement, ABranchOnAnotherProviderDoesNotCutTheOtherBranch) {
    const Named relu("Relu");
    const Named neg("Neg");
    const Placed placed = place(
        "agraph (float[2] x) => (float[2] y, float[2] z) { a = Relu(x)  b = Neg(a)  c = Relu(a)  y = Relu(c) "
        " z = Neg(b) }",
        {&relu, &neg});
    ASSERT_EQ(placed.partitions.size(), 2U);
    EXPECT_EQ(placed.partitions[0].nodes.size(), 3U);
    EXPECT_EQ(placed.partitions[1].nodes.size(), 2U);
}

TEST(Placement, ConnectedPartsAreToldApart) {
    const Named relu("Relu");
    const Placed placed = place(
        "agraph (float[2] x, float[2] u) => (float[2] y, float[2] v) { y = Relu(x)  v = Relu(u) }", {&relu});
    EXPECT_EQ(placed.partitions.size(), 1U);
    EXPECT_EQ(connectedParts(*placed.typed->graph, placed.partitions).size(), 2U);
}

}  // namespace
}  // namespace test
