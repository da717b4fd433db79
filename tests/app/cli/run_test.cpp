#include <fstream>

#include <gtest/gtest.h>

#include "engine/model.h"
#include "engine/onnx/export.h"
#include "engine/onnx/tensor_io.h"
#include "tests/app/cli/fixture.h"
#include "tests/engine/io/numpy_files.h"
#include "tests/support/paths.h"

namespace test {
namespace {

using engine::Tensor;

class Run : public CommandLine {
protected:
    std::vector<std::string> runSmall(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"run", smallModelFile(), "--providers", "reference"});
        return more;
    }
    std::string writeTensor(const std::string& name, const Tensor& tensor) const {
        engine::writeNpy(path(name), tensor);
        return path(name);
    }
};

TEST_F(Run, WritesTheOutputsOfTheGivenInput) {
    const std::string x = writeTensor("in.npy", Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4}));
    runTo(0, runSmall({"--input", "x=" + x, "--outputs", path("out")}));
    const Tensor y = engine::readNpy(path("out/y.npy"));
    EXPECT_EQ(y.dims(), (engine::Dims{1, 4}));
    EXPECT_EQ(y.toDouble(), (std::vector<double>{1, 2, 3, 4}));
    EXPECT_NEAR(engine::readNpy(path("out/p.npy")).toDouble()[3], 0.643914, 1e-6);
}

TEST_F(Run, MakesUpWhatIsNotGivenFromTheSeed) {
    runTo(0, runSmall({"--seed", "3", "--dim", "batch=2", "--outputs", path("a")}));
    runTo(0, runSmall({"--seed", "3", "--shape", "x=2,2,2", "--outputs", path("b")}));
    runTo(0, runSmall({"--seed", "4", "--dim", "batch=2", "--outputs", path("c")}));
    const auto first = engine::readNpy(path("a/y.npy")).toDouble();
    EXPECT_EQ(first.size(), 8U);
    EXPECT_EQ(first, engine::readNpy(path("b/y.npy")).toDouble());
    EXPECT_NE(first, engine::readNpy(path("c/y.npy")).toDouble());
}

TEST_F(Run, TakesInputsFromNpzAndFromTensorProto) {
    const Tensor x = Tensor::of<float>({1, 2, 2}, {5, 6, 7, 8});
    engine::onnx::writeDatum(path("in.pb"), "whatever", x, {});
    runTo(0, runSmall({"--input", "x=" + path("in.pb"), "--outputs", path("out")}));
    EXPECT_EQ(engine::readNpy(path("out/y.npy")).toDouble(), (std::vector<double>{5, 6, 7, 8}));

    const auto archive = numpy::storedArchive;
    folder_.write("in.npz", {reinterpret_cast<const char*>(archive.data()), archive.size()});
    EXPECT_TRUE(contains(problemOf(runSmall({"--input", "x=" + path("in.npz")})), "float[2, 3]"));
}

TEST_F(Run, TakesInputsFromAFolder) {
    std::filesystem::create_directory(path("inputs"));
    writeTensor("inputs/x.npy", Tensor::of<float>({1, 2, 2}, {1, 1, 1, 1}));
    runTo(0, runSmall({"--inputs", path("inputs"), "--outputs", path("out")}));
    EXPECT_EQ(engine::readNpy(path("out/y.npy")).toDouble(), (std::vector<double>{1, 1, 1, 1}));

    std::filesystem::rename(path("inputs/x.npy"), path("inputs/z.npy"));
    EXPECT_TRUE(contains(problemOf(runSmall({"--inputs", path("inputs")})), "the inputs are x"));
    engine::onnx::writeDatum(path("inputs/input_0.pb"), "", Tensor::of<float>({1, 2, 2}, {2, 2, 2, 2}), {});
    runTo(0, runSmall({"--inputs", path("inputs"), "--outputs", path("out")}));
    EXPECT_EQ(engine::readNpy(path("out/y.npy")).toDouble(), (std::vector<double>{2, 2, 2, 2}));
}

TEST_F(Run, RefusesWhatNoMemoryHoldsBeforeTheSystemEndsIt) {
    // 4 TB: the system would promise them.
    const std::string problem = problemOf(runSmall({"--shape", "x=250000000000,2,2"}));
    EXPECT_TRUE(contains(problem, "input 'x' cannot be made up: ")) << problem;
    EXPECT_TRUE(contains(problem, "4000000000000 bytes, which cannot be had")) << problem;
}

TEST_F(Run, NamesTheInputThatDoesNotFit) {
    const std::string wrong = writeTensor("in.npy", Tensor::of<float>({1, 3, 2}, {1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(contains(problemOf(runSmall({"--input", "x=" + wrong})), "'x'"));
    const std::string whole = writeTensor("in.npy", Tensor::of<int64_t>({1, 2, 2}, {1, 2, 3, 4}));
    EXPECT_TRUE(contains(problemOf(runSmall({"--input", "x=" + whole})), "int64"));
    EXPECT_TRUE(contains(problemOf(runSmall({"--input", "z=" + whole})), "no input 'z'"));
    EXPECT_TRUE(contains(problemOf(runSmall({"--input", "x=" + path("missing.npy")})), "missing.npy"));
    EXPECT_TRUE(contains(problemOf(runSmall({"--input", "x"})), "NAME=FILE"));
}

TEST_F(Run, PassesWhatIsAsExpected) {
    runTo(0, runSmall({"--outputs", path("out")}));
    const nlohmann::json json = jsonOf(runSmall({"--expect", path("out")}));
    EXPECT_EQ(json.at("checks").size(), 2U);
    EXPECT_EQ(json.at("checks")[1].at("output"), "p");
    EXPECT_EQ(json.at("checks")[1].at("is_within"), true);
}

TEST_F(Run, NamesOutputIndexAndValuesOfADifference) {
    const std::string x = writeTensor("in.npy", Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4}));
    std::filesystem::create_directory(path("expected"));
    writeTensor("expected/y.npy", Tensor::of<float>({1, 4}, {1, 2, 3.5, 4}));
    const ProcessResult result = runTo(1, runSmall({"--input", "x=" + x, "--expect", path("expected")}));
    EXPECT_TRUE(contains(result.out, "NO y: differs most at [0, 2]: 3, expected 3.5")) << result.out;
    EXPECT_TRUE(contains(result.out, "p: not compared")) << result.out;
    EXPECT_EQ(result.errors, "");

    const nlohmann::json check =
        jsonOf(runSmall({"--input", "x=" + x, "--expect", path("expected")}), 1).at("checks")[0];
    EXPECT_EQ(check.at("index"), nlohmann::json({0, 2}));
    EXPECT_EQ(check.at("found"), 3);
    EXPECT_EQ(check.at("expected"), 3.5);
    runTo(0, runSmall({"--input", "x=" + x, "--expect", path("expected"), "--tolerance", "0.2"}));
}

TEST_F(Run, CountsAnotherShapeAsADifference) {
    std::filesystem::create_directory(path("expected"));
    writeTensor("expected/y.npy", Tensor::of<float>({4}, {1, 2, 3, 4}));
    const ProcessResult result = runTo(1, runSmall({"--expect", path("expected")}));
    EXPECT_TRUE(contains(result.out, "float[1, 4], expected float[4]")) << result.out;
}

TEST_F(Run, RefusesAnExpectationOfNothing) {
    std::filesystem::create_directory(path("empty"));
    EXPECT_TRUE(contains(problemOf(runSmall({"--expect", path("empty")})), "the outputs are y, p"));
    EXPECT_TRUE(contains(problemOf(runSmall({"--expect", path("nowhere")})), "nowhere"));
}

TEST_F(Run, MakesFileNamesOfAnyOutputName) {
    const auto model = engine::Model::parse(smallModel);
    engine::Graph graph = *model->graph;
    graph.value(graph.outputs[0]).name = "a/b\\c:d";
    engine::Observer observer;
    engine::onnx::exportModel(graph, *model, path("named.onnx"), {}, observer);
    runTo(0, {"run", path("named.onnx"), "--providers", "reference", "--outputs", path("out")});
    EXPECT_TRUE(std::filesystem::exists(path("out/a_b_c_d.npy")));

    graph.value(graph.outputs[1]).name = "a_b/c/d";
    engine::onnx::exportModel(graph, *model, path("clash.onnx"), {}, observer);
    const std::string problem =
        problemOf({"run", path("clash.onnx"), "--providers", "reference", "--outputs", path("clash")});
    EXPECT_TRUE(contains(problem, "a_b_c_d.npy")) << problem;
}

TEST_F(Run, WritesASequenceAsNumberedFiles) {
    const std::string model = folder_
                                  .write("sequence.onnxtxt", R"(
<ir_version: 8, opset_import: ["" : 17]>
pair (float[2] a, float[3] b) => (seq(float[n]) s) { s = SequenceConstruct(a, b) }
)")
                                  .string();
    runTo(0, {"run", model, "--providers", "reference", "--outputs", path("out")});
    EXPECT_EQ(engine::readNpy(path("out/s_0.npy")).dims(), engine::Dims{2});
    EXPECT_EQ(engine::readNpy(path("out/s_1.npy")).dims(), engine::Dims{3});
    runTo(0, {"run", model, "--providers", "reference", "--expect", path("out")});
    runTo(1, {"run", model, "--providers", "reference", "--expect", path("out"), "--seed", "1"});
}

TEST_F(Run, SaysWhenOutputsCannotBeWritten) {
    folder_.write("file", "");
    EXPECT_TRUE(contains(problemOf(runSmall({"--outputs", path("file")})), "file"));
    EXPECT_EQ(std::filesystem::file_size(path("file")), 0U);
}

TEST_F(Run, KeepsToItsLimits) {
    const std::string model = folder_
                                  .write("large.onnxtxt", R"(
<ir_version: 8, opset_import: ["" : 17]>
large (float[n, n] x) => (float[n, n] y) { y = MatMul(x, x) }
)")
                                  .string();
    const std::vector<std::string> command = {"run", model, "--providers", "reference", "--dim", "n=1500"};
    std::vector<std::string> limited = command;
    limited.insert(limited.end(), {"--limit-seconds", "0.1"});
    EXPECT_TRUE(contains(problemOf(limited), "limit"));
    limited = command;
    limited.insert(limited.end(), {"--limit-memory", "1M"});
    EXPECT_TRUE(contains(problemOf(limited), "memory"));
}

TEST_F(Run, ReadsTheDigitsOfTheSampleRightly) {
    const std::filesystem::path sample = sourceDir() / "resources/sample";
    runTo(0, {"run", (sample / "digits.onnx").string(), "--input",
              "image=" + (sample / "digits_eval_images.npy").string(), "--outputs", path("out")});
    const auto found = engine::readNpy(path("out/digit.npy")).toInt64();
    const auto right = engine::readNpy(sample / "digits_eval_labels.npy").toInt64();
    ASSERT_EQ(found.size(), right.size());
    ASSERT_GE(found.size(), 360U);
    size_t hits = 0;
    for (size_t i = 0; i < found.size(); ++i) hits += found[i] == right[i] ? 1 : 0;
    EXPECT_GE(static_cast<double>(hits) / static_cast<double>(found.size()), 0.98);
}

}  // namespace
}  // namespace test
