#include <gtest/gtest.h>

#include "engine/model.h"
#include "engine/onnx/export.h"
#include "engine/onnx/tensor_io.h"
#include "tests/app/cli/fixture.h"

namespace test {
namespace {

using engine::Tensor;

class Conformance : public CommandLine {
protected:
    /// A case of one node: y = body, with one input and what should come out.
    void writeCase(const std::string& name, const std::string& body, const Tensor& x, const Tensor& y) const {
        const std::filesystem::path folder = folder_.path() / "cases" / name;
        std::filesystem::create_directories(folder / "test_data_set_0");
        const auto model = engine::Model::parse(
            "<ir_version: 8, opset_import: [\"\" : 17, \"acme\" : 1]> g (float[2] x) => (float[2] y) {" +
            body + "}");
        engine::Observer observer;
        engine::onnx::exportModel(*model->graph, *model, folder / "model.onnx", {}, observer);
        engine::onnx::writeDatum(folder / "test_data_set_0/input_0.pb", "x", x, {});
        engine::onnx::writeDatum(folder / "test_data_set_0/output_0.pb", "y", y, {});
    }
    std::vector<std::string> command(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"conformance", path("cases"), "--providers", "reference"});
        return more;
    }
    static Tensor pair(float a, float b) { return Tensor::of<float>({2}, {a, b}); }
};

TEST_F(Conformance, CountsWhatPassesFailsAndIsUnsupported) {
    writeCase("node/right", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.5F));
    writeCase("node/wrong", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.6F));
    writeCase("node/unknown", "y = acme.Frobnicate(x)", pair(0, 0), pair(0, 0));
    const ProcessResult result = runTo(1, command({"--jobs", "2"}));
    EXPECT_TRUE(result.out.ends_with("\n1 passed, 1 failed, 1 unsupported of 3\n")) << result.out;
    EXPECT_TRUE(contains(result.out, "wrong: output 'y' differs most at [1]: 0.5, expected 0.6"))
        << result.out;
    EXPECT_TRUE(contains(result.out, "unknown: acme.Frobnicate")) << result.out;
    EXPECT_FALSE(contains(result.out, "node/right")) << result.out;

    const nlohmann::json json = jsonOf(command(), 1);
    EXPECT_EQ(json.at("passed"), 1);
    EXPECT_EQ(json.at("failed"), 1);
    EXPECT_EQ(json.at("unsupported"), 1);
    EXPECT_EQ(json.at("total"), 3);
    EXPECT_EQ(json.at("cases").size(), 3U);
}

TEST_F(Conformance, EndsWellOnlyIfAllPass) {
    writeCase("right", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.5F));
    EXPECT_EQ(runTo(0, command()).out, "1 passed, 0 failed, 0 unsupported of 1\n");
}

TEST_F(Conformance, TakesTheToleranceOfACase) {
    writeCase("near", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.51F));
    runTo(1, command());
    folder_.write("cases/near/tolerance.json", R"({"rtol": 0.05, "atol": 0})");
    runTo(0, command());
}

TEST_F(Conformance, OneBrokenCaseLeavesTheOthers) {
    writeCase("a", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.5F));
    writeCase("b", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.5F));
    writeCase("c", "y = Softmax(x)", pair(0, 0), pair(0.5F, 0.5F));
    folder_.write("cases/a/model.onnx", "rubbish");
    folder_.write("cases/b/test_data_set_0/input_0.pb", "\x08\x01\x10");
    const ProcessResult result = runTo(1, command());
    EXPECT_TRUE(result.out.ends_with("\n1 passed, 2 failed, 0 unsupported of 3\n")) << result.out;
}

TEST_F(Conformance, NamesAFolderWithoutCases) {
    EXPECT_TRUE(contains(problemOf({"conformance", path("nowhere")}), "nowhere"));
    EXPECT_TRUE(contains(problemOf({"conformance", folder_.path().string()}), "model.onnx"));
}

}  // namespace
}  // namespace test
