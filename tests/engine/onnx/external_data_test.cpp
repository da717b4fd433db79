#include "engine/onnx/external_data.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/core/error.h"
#include "engine/model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wire_writer.h"

namespace engine {
namespace {

namespace fs = std::filesystem;
using test::WireWriter;

WireWriter pair(const std::string& key, const std::string& value) {
    return WireWriter().bytes(1, key).bytes(2, value);
}

/// A float[2] tensor whose elements lie elsewhere.
WireWriter external(const std::string& location, const std::string& offset, const std::string& length) {
    WireWriter tensor;
    tensor.varint(1, 2).varint(2, 1).bytes(8, "w").varint(14, 1).message(13, pair("location", location));
    if (!offset.empty()) tensor.message(13, pair("offset", offset));
    if (!length.empty()) tensor.message(13, pair("length", length));
    return tensor;
}

WireWriter constantNode(const WireWriter& tensor) {
    const WireWriter value = WireWriter().bytes(1, "value").message(5, tensor).varint(20, 4);
    return WireWriter().bytes(2, "c").bytes(3, "constant").bytes(4, "Constant").message(5, value);
}

/// An If whose first branch holds the node.
WireWriter inBranch(const WireWriter& node) {
    const WireWriter body = WireWriter().message(1, node).message(12, WireWriter().bytes(1, "c"));
    const WireWriter branch = WireWriter().bytes(1, "then_branch").message(6, body).varint(20, 5);
    return WireWriter().bytes(1, "").bytes(2, "o").bytes(3, "if").bytes(4, "If").message(5, branch);
}

std::string modelWith(const WireWriter& graph) {
    const WireWriter opset = WireWriter().varint(2, 17);
    return WireWriter().varint(1, 8).message(7, graph).message(8, opset).data();
}

/// The folder of a model, beside a secret that it must not reach.
class ExternalData : public testing::Test {
protected:
    ExternalData() {
        folder_.write("secret.bin", "12345678");
        folder_.write("model/w.bin", std::string("\0\0\x80\x3F\0\0\0\x40tail", 12));
        folder_.write("model/sub/w.bin", std::string("\0\0\x80\x3F\0\0\0\x40", 8));
    }

    fs::path inside(const std::string& name) const { return folder_.path() / "model" / name; }

    std::shared_ptr<const Model> openModel(const WireWriter& graph) {
        Observer observer;
        return Model::open(folder_.write("model/m.onnx", modelWith(graph)), observer);
    }

    /// What the model says of an initializer with that location; "" if it was read.
    std::string problemOf(const std::string& location, const std::string& offset = "",
                          const std::string& length = "") {
        const auto model = openModel(WireWriter().message(5, external(location, offset, length)));
        const Value& value = model->graph->values.at(0);
        std::string problem;
        for (const Diagnostic& found : model->diagnostics) {
            if (found.place == "initializer 'w'") problem = found.message;
        }
        EXPECT_EQ(value.constant.has_value(), problem.empty());
        EXPECT_EQ(typeText(value.type), "float[2]") << "the type is known without the elements";
        if (value.constant) {
            EXPECT_EQ(value.constant->tensor().values<float>()[1], 2);
        }
        return problem;
    }

    static testing::AssertionResult says(const std::string& problem, const std::string& location,
                                         const std::string& reason) {
        const bool isRight = problem.find("external data '" + location + "'") != std::string::npos &&
                             problem.find(reason) != std::string::npos;
        return isRight ? testing::AssertionSuccess() : testing::AssertionFailure() << "found: " << problem;
    }

    test::TemporaryFolder folder_;
};

TEST_F(ExternalData, IsReadFromTheModelsFolderAndBelow) {
    EXPECT_EQ(problemOf("w.bin", "0", "8"), "");
    EXPECT_EQ(problemOf("w.bin"), "");
    EXPECT_EQ(problemOf("sub/w.bin"), "");
    EXPECT_EQ(problemOf("./sub/./w.bin"), "");
}

TEST_F(ExternalData, MayNotLeaveTheFolderByItsPath) {
    EXPECT_TRUE(says(problemOf("../secret.bin"), "../secret.bin", "'..'"));
    EXPECT_TRUE(says(problemOf("sub/../../secret.bin"), "sub/../../secret.bin", "'..'"));
    const std::string absolute = (folder_.path() / "secret.bin").string();
    EXPECT_TRUE(says(problemOf(absolute), absolute, "absolute"));
    EXPECT_TRUE(says(problemOf("/proc/self/environ"), "/proc/self/environ", "absolute"));
    EXPECT_TRUE(says(problemOf(""), "", "empty"));
    EXPECT_NE(problemOf(std::string("w.bin\0/../../secret.bin", 23)), "");
}

TEST_F(ExternalData, MayNotLeaveTheFolderByASymbolicLink) {
    fs::create_symlink("../secret.bin", inside("link.bin"));
    fs::create_symlink(folder_.path() / "secret.bin", inside("absolute.bin"));
    fs::create_directory_symlink("..", inside("up"));
    fs::create_directory_symlink("/proc/self", inside("proc"));
    EXPECT_TRUE(says(problemOf("link.bin"), "link.bin", "symbolic link"));
    EXPECT_TRUE(says(problemOf("absolute.bin"), "absolute.bin", "symbolic link"));
    EXPECT_TRUE(says(problemOf("up/secret.bin"), "up/secret.bin", "symbolic link"));
    EXPECT_NE(problemOf("proc/environ"), "");
    fs::create_symlink("loop.bin", inside("loop.bin"));
    EXPECT_TRUE(says(problemOf("loop.bin"), "loop.bin", "symbolic link"));
    fs::create_symlink("sub/w.bin", inside("within.bin"));
    EXPECT_EQ(problemOf("within.bin"), "") << "a link that stays in the folder is fine";
}

TEST_F(ExternalData, MustBeARegularFile) {
    EXPECT_TRUE(says(problemOf("sub"), "sub", "a folder"));
    ASSERT_EQ(::mkfifo(inside("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(says(problemOf("pipe"), "pipe", "a named pipe"));
    fs::create_symlink("/dev/zero", inside("zero"));
    EXPECT_NE(problemOf("zero"), "");
    EXPECT_TRUE(says(problemOf("missing.bin"), "missing.bin", "No such file"));
    EXPECT_NE(problemOf("w.bin/"), "");
}

TEST_F(ExternalData, MustLieWithinTheFile) {
    EXPECT_TRUE(says(problemOf("w.bin", "8"), "w.bin", "the file has 12 bytes"));
    EXPECT_TRUE(says(problemOf("w.bin", "18446744073709551615", "8"), "w.bin", "the file has 12 bytes"));
    EXPECT_TRUE(says(problemOf("w.bin", "0", "12"), "w.bin", "need 8"));
    EXPECT_TRUE(says(problemOf("w.bin", "-4", "8"), "w.bin", "the offset is '-4'"));
    EXPECT_TRUE(says(problemOf("w.bin", "0", "eight"), "w.bin", "the length is 'eight'"));
    EXPECT_TRUE(says(problemOf("w.bin", "0x0", "8"), "w.bin", "the offset is '0x0'"));
    EXPECT_TRUE(says(problemOf("w.bin", "99999999999999999999", "8"), "w.bin", "the offset"));
    EXPECT_TRUE(says(problemOf("w.bin", "4", " 8"), "w.bin", "the length is ' 8'"));
    EXPECT_EQ(problemOf("w.bin", "0", "8"), "");
}

TEST_F(ExternalData, IsCheckedInConstantsAndSubgraphsToo) {
    const auto nested =
        openModel(WireWriter().message(1, inBranch(constantNode(external("../secret.bin", "", "")))));
    const auto found = std::find_if(
        nested->diagnostics.begin(), nested->diagnostics.end(),
        [](const Diagnostic& one) { return one.message.find("'../secret.bin'") != std::string::npos; });
    ASSERT_NE(found, nested->diagnostics.end());
    EXPECT_EQ(found->place, "node 'if' (If) / then_branch / node 'constant' (Constant)");
    EXPECT_NE(found->message.find("'w' in attribute 'value'"), std::string::npos) << found->message;
    const auto fine = openModel(WireWriter().message(1, constantNode(external("w.bin", "", ""))));
    EXPECT_EQ(std::get<Tensor>(fine->graph->nodes[0].attribute("value")->value).values<float>()[0], 1);
}

TEST_F(ExternalData, IsCheckedInSparseTensorsAndFunctionsToo) {
    const WireWriter indices = WireWriter().varint(1, 2).varint(2, 7).varint(7, 0).varint(7, 1);
    const WireWriter sparse =
        WireWriter().message(1, external("../secret.bin", "", "")).message(2, indices).varint(3, 4);
    const auto model = openModel(WireWriter().message(15, sparse));
    EXPECT_FALSE(model->graph->values.at(0).constant.has_value());
    const WireWriter function =
        WireWriter().bytes(1, "f").bytes(5, "c").message(7, constantNode(external("../secret.bin", "", "")));
    Observer observer;
    const auto opened = Model::open(
        folder_.write("model/f.onnx", WireWriter().varint(1, 8).message(25, function).data()), observer);
    EXPECT_TRUE(
        std::any_of(opened->diagnostics.begin(), opened->diagnostics.end(), [](const Diagnostic& one) {
            return one.place.find("function 'f'") != std::string::npos &&
                   one.message.find("'..'") != std::string::npos;
        }));
}

TEST(ExternalDataOfText, HasNoFolderToLookIn) {
    const auto model = Model::parse(
        R"(agraph (float[2] x) => (float[2] y) <float[2] w = ["location": "w.bin"]> { y = Add(x, w) })");
    EXPECT_TRUE(std::any_of(model->diagnostics.begin(), model->diagnostics.end(), [](const Diagnostic& one) {
        return one.message.find("comes from no file") != std::string::npos;
    }));
}

}  // namespace
}  // namespace engine
