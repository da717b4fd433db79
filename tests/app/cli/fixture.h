#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/tensor.h"
#include "engine/io/npy.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"

namespace test {

/// `y` is `x` with its 2 × 2 pairs in a row, `p` the softmax of each row.
inline constexpr char smallModel[] = R"(
<ir_version: 8, opset_import: ["" : 17], producer_name: "hand", producer_version: "1.0">
small (float[batch, 2, 2] x) => (float[batch, 4] y, float[batch, 4] p)
{
    y = Flatten(x)
    p = Softmax(y)
}
)";

/// Runs the built opscope-cli in a folder of its own.
class CommandLine : public testing::Test {
protected:
    std::string smallModelFile() const { return folder_.write("small.onnxtxt", smallModel).string(); }
    std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

    /// Runs to status `expected` and gives what it printed.
    static ProcessResult runTo(int expected, const std::vector<std::string>& arguments,
                               const std::string& input = "") {
        ProcessResult result = runCli(arguments, input);
        EXPECT_EQ(result.status, expected) << result.out << result.errors;
        return result;
    }
    /// The same, with --json; what was printed must be JSON with a schema version.
    static nlohmann::json jsonOf(std::vector<std::string> arguments, int expected = 0) {
        arguments.emplace_back("--json");
        const ProcessResult result = runTo(expected, arguments);
        nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
        EXPECT_FALSE(json.is_discarded()) << result.out << result.errors;
        EXPECT_EQ(json.value("schema", 0), 1);
        return json;
    }
    /// It could not be done: status 2, nothing printed, and one line that says why.
    static std::string problemOf(const std::vector<std::string>& arguments, const std::string& input = "") {
        const ProcessResult result = runTo(2, arguments, input);
        EXPECT_EQ(result.out, "");
        EXPECT_TRUE(result.errors.starts_with("opscope-cli: ")) << result.errors;
        EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
        return result.errors;
    }

    TemporaryFolder folder_;
};

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace test
