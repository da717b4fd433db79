#include <algorithm>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/session.h"

namespace engine {
namespace {

std::shared_ptr<const Model> model() {
    return Model::parse(R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[batch, 3] x, int64[batch, n] attention_mask, int64[batch, n] ids) => (float[batch, 3] y)
{ y = Relu(x) })");
}

std::vector<NamedDatum> madeUp(std::vector<NamedDatum> given, const InputOptions& options) {
    Observer observer;
    return completeInputs(*model(), std::move(given), options, observer);
}

const Tensor& tensorOf(const std::vector<NamedDatum>& inputs, const std::string& name) {
    const auto found =
        std::ranges::find_if(inputs, [&](const NamedDatum& datum) { return datum.name == name; });
    return found->datum.tensor();
}

TEST(Inputs, AreMadeUpAsTheModelDeclaresThem) {
    const auto inputs = madeUp({}, {.bindings = {{"batch", 2}, {"n", 50}}});
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(tensorOf(inputs, "x").dims(), (Dims{2, 3}));
    for (const float value : tensorOf(inputs, "x").values<float>()) {
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 1);
    }
    for (const int64_t value : tensorOf(inputs, "attention_mask").values<int64_t>()) EXPECT_EQ(value, 1);
    const auto ids = tensorOf(inputs, "ids").values<int64_t>();
    EXPECT_EQ(std::ranges::min(ids), 0);
    EXPECT_EQ(std::ranges::max(ids), 3);
}

TEST(Inputs, AreTheSameForTheSameSeedAndOthersForAnother) {
    const auto x = [](uint64_t seed) {
        const auto inputs = madeUp({}, {.seed = seed});
        const auto values = tensorOf(inputs, "x").values<float>();
        return std::vector<float>(values.begin(), values.end());
    };
    EXPECT_EQ(x(1), x(1));
    EXPECT_NE(x(1), x(2));
}

TEST(Inputs, KeepWhatIsGivenAndRefuseWhatDoesNotExist) {
    const Tensor given = Tensor::of<float>({1, 3}, std::vector<float>{1, 2, 3});
    const auto inputs = madeUp({{"x", given}}, {});
    EXPECT_EQ(tensorOf(inputs, "x").values<float>()[2], 3);
    EXPECT_THROW(madeUp({}, {.bindings = {{"sequence", 4}}}), Error);
    EXPECT_THROW(madeUp({}, {.bindings = {{"batch", -1}}}), Error);
    EXPECT_THROW(madeUp({}, {.shapes = {{"z", {1}}}}), Error);
}

TEST(Inputs, AreBoundedInMemoryTogether) {
    const InputOptions large{.bindings = {{"batch", 10}, {"n", 10}}, .memoryBytes = 1000};
    EXPECT_THROW(madeUp({}, large), Error);
    EXPECT_NO_THROW(madeUp({}, {.bindings = large.bindings, .memoryBytes = 10'000}));
}

TEST(Inputs, CanBeCancelledWhileTheyAreMadeUp) {
    class Impatient final : public Observer {
        bool cancelled() const override { return true; }
    } observer;
    EXPECT_THROW(completeInputs(*model(), {}, {}, observer), Cancelled);
}

}  // namespace
}  // namespace engine
