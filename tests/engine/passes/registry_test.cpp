#include <algorithm>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "engine/passes/pipeline.h"
#include "tests/support/pass_case.h"

namespace test {
namespace {

using namespace engine;

TEST(Registry, EveryPassHasACase) {
    for (const Pass* pass : Registry<Pass>::instance().entries()) {
        const auto& tested = passesWithCases();
        EXPECT_NE(std::find(tested.begin(), tested.end(), pass->name), tested.end())
            << "pass " << pass->name << " has no cases in tests/engine/passes";
    }
}

TEST(Pipeline, NamesAnUnknownPassAndTheNearestOne) {
    Observer observer;
    const auto graph = Model::parse("agraph (float[N] x) => (float[N] y) { y = Relu(x) }")->typed->graph;
    PipelineOptions options;
    options.without = {"fold-constant"};
    try {
        optimize(graph, {}, options, observer);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "there is no pass 'fold-constant'; did you mean 'fold-constants'?");
    }
}

TEST(Pipeline, StopsAfterSoManyEdits) {
    Observer observer;
    const auto graph =
        Model::parse("agraph (float[N] x) => (float[N] y) { a = Identity(x)  b = Relu(a)  y = Neg(b) }")
            ->typed->graph;
    PipelineOptions options;
    options.stopAfter = 0;
    EXPECT_TRUE(optimize(graph, {}, options, observer).records.empty());
}

TEST(Pipeline, RecordsWhichNodesAPassTouched) {
    Observer observer;
    const auto graph =
        Model::parse("agraph (float[N] x) => (float[N] y) { a = Identity(x)  y = Relu(a) }")->typed->graph;
    const PipelineResult result = optimize(graph, {}, {}, observer);
    ASSERT_EQ(result.records.size(), 1U);
    EXPECT_EQ(result.records[0].pass, "eliminate-identities");
    EXPECT_EQ(result.records[0].nodesBefore, 2U);
    EXPECT_EQ(result.records[0].nodesAfter, 1U);
    EXPECT_EQ(result.records[0].touched, std::vector<OriginId>{OriginId(0)});
}

}  // namespace
}  // namespace test
