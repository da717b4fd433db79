#include <cstdlib>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "tests/views/graph/layout/scenes.h"

namespace layout {
namespace {

struct Outcome {
    int status = 0;
    std::string output;
    std::string error;

    std::string lastLine() const {
        const size_t end = output.find_last_not_of('\n');
        return output.substr(output.rfind('\n', end) + 1, end - output.rfind('\n', end));
    }
};

/// Runs opscope-layout with a text on standard input.
Outcome run(const std::string& input) {
    const test::TemporaryFolder folder;
    const std::string in = folder.write("in", input).string();
    const std::string base = folder.path().string();
    const std::string program = (test::binDir() / "opscope-layout").string();
    const std::string command = "'" + program + "' < '" + in + "' > '" + base + "/out' 2> '" + base + "/err'";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): a test's own command
    return {.status = WEXITSTATUS(status),
            .output = test::readFile(folder.path() / "out"),
            .error = test::readFile(folder.path() / "err")};
}

TEST(Process, AnswersWithProgressAndAResponse) {
    const Request request = scenes::decoder(4);
    const Outcome outcome = run(toJson(request));
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    std::istringstream lines(outcome.output);
    std::string line;
    int progressLines = 0;
    double fraction = 0;
    std::string what;
    while (std::getline(lines, line) && parseProgress(line, fraction, what)) ++progressLines;
    EXPECT_GT(progressLines, 10);
    EXPECT_EQ(fraction, 1);
    const Response response = parseResponse(line);
    EXPECT_EQ(scenes::faults(request, response), "");
}

TEST(Process, AnswersAnEmptyScene) {
    const Outcome outcome = run(R"({"version":1,"nodes":[]})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(parseResponse(outcome.lastLine()).nodes.empty());
}

TEST(Process, RefusesWhatIsNoRequest) {
    for (const char* text : {"", "{", "null", "[1,2]", R"({"version":1,"nodes":[[1]]})", "\xff\xfe",
                             R"({"version":1,"nodes":[[1,2,3]],"edges":[[1,9]]})"}) {
        const Outcome outcome = run(text);
        EXPECT_EQ(outcome.status, 2) << text;
        EXPECT_EQ(outcome.output, "") << text;
        EXPECT_EQ(outcome.error.rfind("opscope-layout: ", 0), 0U) << text;
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << text;
    }
    EXPECT_EQ(run(std::string(200'000, '[')).status, 2);
}

#ifndef __SANITIZE_ADDRESS__  // needs more than any limit for its own shadow
TEST(Process, KeepsToItsMemory) {
    Request request = scenes::random(10'000, 10'000, 1);
    request.memoryMb = 16;
    const Outcome outcome = run(toJson(request));
    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.error, "opscope-layout: out of memory\n");
}
#endif

}  // namespace
}  // namespace layout
