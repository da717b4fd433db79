#include <random>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "engine/onnx/export.h"
#include "tests/engine/onnx/samples.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace engine {
namespace {

/// Looks at every byte of every constant, so that elements made only when looked at are made.
size_t touch(const Graph& graph) {
    size_t sum = 0;
    const auto look = [&sum](const Tensor& tensor) {
        if (tensor.type() == DataType::string) {
            for (const String& text : tensor.values<String>()) sum += text.size();
            return;
        }
        const auto* bytes = static_cast<const unsigned char*>(tensor.data());
        for (size_t i = 0; i < tensor.bytes(); ++i) sum += bytes[i];
    };
    for (const Value& value : graph.values) {
        if (value.constant && value.constant->isTensor()) look(value.constant->tensor());
    }
    for (const Node& node : graph.nodes) {
        for (const Attribute& attribute : node.attributes) {
            if (const auto* tensor = std::get_if<Tensor>(&attribute.value)) look(*tensor);
        }
        for (const auto& [name, body] : subgraphs(node)) sum += touch(*body);
    }
    return sum;
}

#ifdef __SANITIZE_ADDRESS__
constexpr size_t mostMegabytes = 4096;  // it keeps what is freed, of all tests before
#else
constexpr size_t mostMegabytes = 1024;
#endif

size_t peakMegabytes() {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<size_t>(usage.ru_maxrss) / 1024;
}

/// What became of a damaged file.
struct Outcome {
    bool isReported = false;   ///< an error, or a diagnostic of severity error
    bool namesAPlace = false;  ///< a byte, a node or a tensor
};

class Damage : public testing::TestWithParam<std::string> {
protected:
    static std::string sample() {
        if (GetParam() == "digits") return test::readFile(test::sourceDir() / "resources/sample/digits.onnx");
        const test::TemporaryFolder folder;
        const auto model =
            GetParam() == "attributes" ? withAllAttributes() : Model::parse(functionsAndSubgraphs);
        Observer observer;
        onnx::exportModel(*model->graph, *model, folder.path() / "m.onnx", {}, observer);
        return test::readFile(folder.path() / "m.onnx");
    }

    Outcome open(const std::string& bytes) const {
        const auto path = folder_.write("damaged.onnx", bytes);
        Observer observer;
        Outcome outcome;
        try {
            const auto model = Model::open(path, observer);
            touch(*model->graph);
            for (const Diagnostic& found : model->diagnostics) {
                if (found.severity != Diagnostic::Severity::error) continue;
                outcome.isReported = true;
                outcome.namesAPlace |= found.byteOffset.has_value() || !found.place.empty();
            }
        } catch (const Error& error) {
            outcome.isReported = true;
            outcome.namesAPlace = std::string(error.what()).find("damaged.onnx") != std::string::npos;
        }
        return outcome;
    }

private:
    static std::shared_ptr<const Model> withAllAttributes() {
        Graph graph{.name = "g"};
        Node node = test::nodeWithAllAttributes();
        for (const DataType type : test::allDataTypes()) {
            const std::string label(name(type));
            const ValueId id = graph.addValue({.name = label, .constant = Datum(test::sampleTensor(type))});
            node.inputs.push_back(id);
        }
        node.outputs = graph.outputs = {graph.addValue({.name = "y"})};
        graph.addNode(node);
        return Model::fromGraph(std::move(graph), {{.domain = "test", .version = 1}});
    }

    static constexpr const char* functionsAndSubgraphs = R"(<ir_version: 10, opset_import: ["" : 18, "f" : 1]>
        agraph (bool c, float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, 2, 3, 4}, int64[2] s = {0, -1}> {
            h = f.scaled <by = 2.0> (x)
            r = Reshape(h, s)
            y = If (c) <then_branch = t () => (float[N, 4] a) { a = Add(r, w) },
                        else_branch = e () => (float[N, 4] b) { b = Identity(x) }> }
        <domain: "f", opset_import: ["" : 18]> scaled <by: float = 1.0> (v) => (u) { u = Selu <gamma: float = @by> (v) })";

    test::TemporaryFolder folder_;
};

TEST_P(Damage, OfACutFileIsReportedWithItsPlace) {
    const std::string whole = sample();
    ASSERT_GT(whole.size(), 100);
    EXPECT_FALSE(open(whole).isReported) << "the sample itself is sound";
    for (size_t i = 0; i < 50; ++i) {
        const size_t length = whole.size() * i / 50;
        const Outcome outcome = open(whole.substr(0, length));
        EXPECT_TRUE(outcome.isReported && outcome.namesAPlace)
            << "cut to " << length << " of " << whole.size();
    }
    EXPECT_LT(peakMegabytes(), mostMegabytes);
}

TEST_P(Damage, OfSingleBytesNeverCrashes) {
    const std::string whole = sample();
    std::mt19937 random(1);
    for (size_t i = 0; i < 500; ++i) {
        std::string damaged = whole;
        const size_t place = std::uniform_int_distribution<size_t>(0, whole.size() - 1)(random);
        damaged[place] =
            static_cast<char>(damaged[place] ^ (1 << std::uniform_int_distribution<int>(0, 7)(random)));
        const Outcome outcome = open(damaged);
        EXPECT_TRUE(!outcome.isReported || outcome.namesAPlace) << "byte " << place;
    }
    EXPECT_LT(peakMegabytes(), mostMegabytes);
}

TEST_P(Damage, OfManyBytesNeverCrashes) {
    const std::string whole = sample();
    std::mt19937 random(2);
    for (size_t i = 0; i < 100; ++i) {
        std::string damaged = whole;
        for (size_t k = 0; k < 1 + damaged.size() / 50; ++k) {
            damaged[std::uniform_int_distribution<size_t>(0, whole.size() - 1)(random)] =
                static_cast<char>(std::uniform_int_distribution<int>(0, 255)(random));
        }
        open(damaged);
    }
    EXPECT_LT(peakMegabytes(), mostMegabytes);
}

INSTANTIATE_TEST_SUITE_P(Onnx, Damage, testing::Values("digits", "attributes", "functions"),
                         [](const auto& sample) { return sample.param; });

TEST(NoModel, SaysWhatTheFileIsInstead) {
    const std::pair<std::string, const char*> files[] = {
        {"", "empty"},
        {"PK\x03\x04 and more", "zip"},
        {"version https://git-lfs.github.com/spec/v1\n", "Git LFS"},
        {"<html><body>", "web page"},
        {"just some words", "no ONNX model"}};
    const test::TemporaryFolder folder;
    for (const auto& [content, expected] : files) {
        Observer observer;
        try {
            Model::open(folder.write("m.onnx", content), observer);
            ADD_FAILURE() << "opened " << content;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

TEST(NoModel, IsNoFolderDeviceOrPipe) {
    const test::TemporaryFolder folder;
    Observer observer;
    EXPECT_THROW(Model::open(folder.path(), observer), Error);
    EXPECT_THROW(Model::open("/dev/zero", observer), Error);
    EXPECT_THROW(Model::open(folder.path() / "missing.onnx", observer), Error);
}

}  // namespace
}  // namespace engine
