#include "engine/ops/custom_ops.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "engine/ops/inference.h"
#include "engine/providers/provider.h"
#include "engine/schema.h"
#include "engine/session.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace test {
namespace {

using namespace engine;

/// The example's operators are there.
class CustomOperators : public testing::Test {
protected:
    CustomOperators() { names_ = loadCustomOperators(customOperators().string()); }

    static std::shared_ptr<const Model> modelOf(const std::string& graph) {
        return Model::parse("<ir_version: 10, opset_import: [\"\": 21, \"com.example\": 1]>\n" + graph);
    }

    /// The first thing that opening or running the model says.
    static std::string problemOf(const std::string& graph, const std::vector<Datum>& inputs) {
        const auto model = modelOf(graph);
        if (!model->diagnostics.empty()) return model->diagnostics[0].message;
        try {
            run(model, inputs, "reference", 1);
        } catch (const Error& error) {
            return error.what();
        }
        return "no problem";
    }

    static std::vector<Datum> run(const std::shared_ptr<const Model>& model, const std::vector<Datum>& inputs,
                                  const std::string& provider, int threads, Observer&& observer = {}) {
        const auto session = Session::create(model, {.providers = {provider}, .threads = threads}, observer);
        std::vector<NamedDatum> named;
        for (size_t i = 0; i < inputs.size(); ++i) {
            named.push_back({model->graph->value(model->graph->inputs.at(i)).name, inputs[i]});
        }
        std::vector<Datum> outputs;
        for (NamedDatum& output : session->run(named, {}, observer).outputs) outputs.push_back(output.datum);
        return outputs;
    }

    std::vector<std::string> names_;
};

std::string problemOfLoading(const std::string& path) {
    try {
        loadCustomOperators(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "no problem";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

constexpr char scaling[] =
    "g (float[n, 2] x) => (float[n, 2] y) { y = com.example.Scale <factor: float = 3.0> (x) }";

TEST_F(CustomOperators, AreNamedByTheLibrary) {
    EXPECT_EQ(names_[0], "com.example.Scale");
    EXPECT_EQ(loadCustomOperators(customOperators().string()), names_);
}

TEST_F(CustomOperators, RunOnEachProviderThatTheyHaveCodeFor) {
    for (const std::string provider : {"reference", "cpu"}) {
        const auto outputs = run(modelOf(scaling), {Tensor::of<float>({2, 2}, {1, -2, 0, 4})}, provider, 1);
        const auto values = outputs[0].tensor().values<float>();
        EXPECT_EQ(std::vector<float>(values.begin(), values.end()), (std::vector<float>{3, -6, 0, 12}))
            << provider;
    }
    EXPECT_TRUE(provider("cpu").hasKernel("com.example", "Scale"));
    EXPECT_FALSE(provider("cpu").hasKernel("com.example", "Repeat"));
}

TEST_F(CustomOperators, ShareTheWorkAmongThreads) {
    std::vector<float> numbers(1 << 20);
    std::iota(numbers.begin(), numbers.end(), 0.F);
    const Tensor x = Tensor::of<float>({1 << 19, 2}, std::span<const float>(numbers));
    const auto outputs = run(modelOf(scaling), {x}, "cpu", 3);
    const auto values = outputs[0].tensor().values<float>();
    for (size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(values[i], 3 * numbers[i]) << i;
}

TEST_F(CustomOperators, WorkAmongOthersInAChain) {
    const auto model = modelOf(
        "g (float[n, 2] x, float s) => (float[n, 2] y) { a = Relu(x) b = Transpose(a) "
        "c = com.example.Scale <factor: float = 2.0> (b, s) d = Transpose(c) y = Neg(d) }");
    for (const std::string provider : {"reference", "cpu"}) {
        const auto outputs =
            run(model, {Tensor::of<float>({2, 2}, {1, -2, 3, 4}), Tensor::scalar(1.F)}, provider, 1);
        const auto values = outputs[0].tensor().values<float>();
        EXPECT_EQ(std::vector<float>(values.begin(), values.end()), (std::vector<float>{-3, -1, -7, -9}))
            << provider;
    }
}

TEST_F(CustomOperators, InferWithSymbolsAndKnownData) {
    const auto model = modelOf(
        "g (float[n, 3] x) => (y) { two = Constant <value_int = 2> () y = com.example.Repeat (x, two) }");
    EXPECT_EQ(typeText(model->typed->types[model->graph->outputs[0].index]), "float[2*n, 3]");
    const auto outputs = run(model, {Tensor::of<float>({1, 3}, {1, 2, 3})}, "cpu", 1);
    EXPECT_EQ(outputs[0].tensor().dims(), (Dims{2, 3}));
    EXPECT_EQ(outputs[0].tensor().values<float>()[5], 3);
}

TEST_F(CustomOperators, MayHaveShapesThatOnlyTheDataKnow) {
    const auto model = modelOf("g (float[n] x, int64 t) => (y) { y = com.example.Repeat (x, t) }");
    EXPECT_EQ(typeText(model->typed->types[model->graph->outputs[0].index]), "float[?]");
    const auto outputs =
        run(model, {Tensor::of<float>({1}, {5}), Tensor::scalar<int64_t>(3)}, "reference", 1);
    EXPECT_EQ(outputs[0].tensor().dims(), (Dims{3}));
}

TEST_F(CustomOperators, TellHowMuchTheyCompute) {
    const auto model = modelOf(scaling);
    EXPECT_EQ(costOf(*model->typed, NodeId(0)).work.multiplyAdds.text(), "2*n");
    const auto silent = modelOf("g (float[n] x, int64 t) => (y) { y = com.example.Repeat (x, t) }");
    EXPECT_TRUE(costOf(*silent->typed, NodeId(0)).work.multiplyAdds.isUnknown());
}

TEST_F(CustomOperators, TakeStrings) {
    const auto outputs =
        run(modelOf("g (string[2] x) => (string[2] y) { y = com.example.Shout <marks = 2> (x) }"),
            {Tensor::of<String>({2}, {"hear", ""})}, "reference", 1);
    EXPECT_EQ(outputs[0].tensor().values<String>()[0], "hear!!");
    EXPECT_EQ(outputs[0].tensor().values<String>()[1], "!!");
}

TEST_F(CustomOperators, AreComputedAheadFromConstants) {
    const auto model = modelOf(
        "g () => (y) { x = Constant <value_floats = [1.0, 2.0]> () y = com.example.Scale <factor: float = "
        "3.0> (x) }");
    const auto& known = model->typed->known[model->graph->outputs[0].index];
    ASSERT_TRUE(known.data);
    EXPECT_EQ(known.data->values<float>()[1], 6);
}

TEST_F(CustomOperators, AreDocumented) {
    const auto schema = operatorSchema("com.example", "Scale", 1);
    ASSERT_NE(schema, nullptr);
    EXPECT_EQ(schema->documentation, "Multiplies by a number and adds another.");
    EXPECT_EQ(schema->inputs.at(1).name, "shift");
    EXPECT_TRUE(schema->inputs.at(1).isOptional);
    EXPECT_TRUE(schema->attributes.at(0).isRequired);
    EXPECT_EQ(schema->typeConstraints.at(0).second, "float");
}

TEST_F(CustomOperators, HoldNodesToTheirDescription) {
    const auto problem = [](const std::string& type, const std::string& call) {
        return problemOf("g (" + type + "[2] x) => (y) { y = com.example." + call + " }", {});
    };
    EXPECT_EQ(problem("float", "Scale (x)"), "attribute 'factor' is missing, expected one of kind float");
    EXPECT_EQ(problem("float", "Scale <factor = 3> (x)"),
              "attribute 'factor' is of kind int, expected float");
    EXPECT_EQ(problem("float", "Scale <factor = 3.0, turns = 2> (x)"),
              "attribute 'turns' is unknown to com.example.Scale; it has: factor");
    EXPECT_EQ(problem("double", "Scale <factor = 3.0> (x)"),
              "input 0 ('x') is of element type double, expected float");
    EXPECT_EQ(problem("float", "Scale <factor = 3.0> (x, x, x)"), "found 3 inputs, expected at most 2");
    EXPECT_EQ(problem("float", "Repeat (x)"), "found 1 inputs, expected at least 2");
    EXPECT_EQ(problem("string", "Shout <marks = 9> (x)"), "marks must be from 1 to 8");
}

TEST_F(CustomOperators, FailWithTheirReason) {
    const Tensor x = Tensor::of<float>({2}, {1, 2});
    EXPECT_TRUE(
        contains(problemOf("g (float[2] x) => (y) { y = com.example.Scale <factor = 3.0> (x, x) }", {x}),
                 "shift must be a single number"));
    EXPECT_TRUE(contains(problemOf("g (float[2] x) => (y) { y = com.example.Silent (x) }", {x}),
                         "its library says that it failed, with status 3 and no reason"));
    EXPECT_TRUE(contains(problemOf("g (float[2] x) => (y) { y = com.example.Forgetful (x) }", {x}),
                         "its library did not make output 0"));
}

TEST_F(CustomOperators, StopWhenTheyAreTold) {
    class Impatient final : public Observer {
    public:
        bool cancelled() const override { return ++asked_ > 100; }

    private:
        mutable int asked_ = 0;
    };
    const auto model = modelOf("g (float[1] x) => (y) { y = com.example.Stuck (x) }");
    EXPECT_THROW(run(model, {Tensor::of<float>({1}, {0})}, "reference", 1, Impatient()), Cancelled);
}

TEST_F(CustomOperators, StopAtTheLimitOfTheRun) {
    const auto model = modelOf("g (float[1] x) => (y) { y = com.example.Stuck (x) }");
    Observer observer;
    const auto session = Session::create(model, {.providers = {"reference"}, .threads = 1}, observer);
    try {
        session->run({{"x", Tensor::of<float>({1}, {0})}}, {.limits = {.seconds = 0.05}}, observer);
        FAIL() << "it came to an end";
    } catch (const Error& error) {
        EXPECT_TRUE(contains(error.what(), "limit-seconds")) << error.what();
    }
}

TEST_F(CustomOperators, AreAskedForWhereTheyAreMissing) {
    const auto model = Model::parse(
        "<ir_version: 10, opset_import: [\"\": 21, \"org.absent\": 1]>\n"
        "g (float[1] x) => (y) { y = org.absent.Odd (x) }");
    ASSERT_EQ(model->diagnostics.size(), 1U);
    EXPECT_TRUE(
        contains(model->diagnostics[0].message, "'org.absent' is unknown; a library of custom operators"))
        << model->diagnostics[0].message;
}

TEST_F(CustomOperators, ComeOnlyFromSoundLibraries) {
    const TemporaryFolder folder;
    const auto problemOfWrong = [](const std::string& library) {
        return problemOfLoading(customOperators(library).string());
    };
    EXPECT_TRUE(contains(problemOfWrong("custom_wrong_abi"), "built for version 9 of the interface"));
    EXPECT_TRUE(contains(problemOfWrong("custom_wrong_domain"), "'ai.onnx.ml' is ONNX's own"));
    EXPECT_TRUE(
        contains(problemOfWrong("custom_wrong_name"), "(com.microsoft.Gelu): the engine has an operator"));
    EXPECT_TRUE(contains(problemOfWrong("custom_wrong_twice"),
                         customOperators().string() + "' has brought it already"));
    EXPECT_TRUE(contains(problemOfWrong("custom_wrong_provider"), "no kernel for the provider 'reference'"));
    EXPECT_TRUE(
        contains(problemOfLoading("/nowhere/at/all.so"), "/nowhere/at/all.so': there is no such file"));
    const std::string text = folder.write("text.so", "no library").string();
    EXPECT_TRUE(contains(problemOfLoading(text), "text.so' cannot be loaded"));
    const std::string engineLibrary = (binDir().parent_path() / "lib/libopscope_engine.so").string();
    EXPECT_TRUE(contains(problemOfLoading(engineLibrary), "does not export opscopeCustomOperators"));
}

}  // namespace
}  // namespace test
