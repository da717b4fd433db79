#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"
#include "tests/support/paths.h"

namespace test {
namespace {

/// Every command that writes a file of ours, with the path that it writes to.
class WrittenFiles : public CommandLine {
protected:
    std::vector<std::vector<std::string>> writing(const std::string& file) const {
        const std::string sample = (sourceDir() / "resources/sample/digits.onnx").string();
        return {{"optimize", sample, "--out", file},
                {"report", sample, "--runs", "3", "--out", file + ".html"},
                {"profile", sample, "--runs", "3", "--trace", file}};
    }
    size_t filesLeft() const {
        return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path("to")), {}));
    }
};

TEST_F(WrittenFiles, NameThePathInAFolderWhereNobodyMayWrite) {
    for (const std::vector<std::string>& command : writing("/proc/out")) {
        const std::string problem = problemOf(command);
        EXPECT_TRUE(contains(problem, "/proc/out")) << problem;
    }
}

TEST_F(WrittenFiles, RefuseThePlaceOfAFolder) {
    std::filesystem::create_directories(path("to/out"));
    std::filesystem::create_directories(path("to/out.html"));
    for (const std::vector<std::string>& command : writing(path("to/out"))) {
        const std::string problem = problemOf(command);
        EXPECT_TRUE(contains(problem, path("to/out"))) << problem;
        EXPECT_TRUE(contains(problem, "Is a directory")) << problem;
    }
    EXPECT_EQ(filesLeft(), 2U);
}

TEST_F(WrittenFiles, LeaveNothingWhereTheDiskIsFull) {
    std::filesystem::create_directories(path("to"));
    for (std::vector<std::string> command : writing(path("to/out"))) {
        // No file may grow beyond 512 bytes: to a program that is what a full disk is.
        command.insert(command.begin(), {"/bin/sh", "-c", "ulimit -f 1; exec \"$0\" \"$@\"", cliPath()});
        const ProcessResult result = runProcess(command);
        EXPECT_EQ(result.status, 2) << command[4] << ": " << result.errors;
        EXPECT_TRUE(contains(result.errors, path("to/out"))) << result.errors;
        EXPECT_TRUE(contains(result.errors, "cannot be written: File too large")) << result.errors;
        EXPECT_EQ(filesLeft(), 0U) << command[4];
    }
}

}  // namespace
}  // namespace test
