#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"

namespace test {
namespace {

using Usage = CommandLine;

const std::vector<std::string> commandNames = {"info",    "run",       "profile", "placement",
                                               "compare", "optimize",  "bench",   "conformance",
                                               "ops",     "providers", "report",  "trace"};

TEST_F(Usage, HelpListsEveryCommand) {
    const std::string help = runTo(0, {"--help"}).out;
    for (const std::string& name : commandNames) EXPECT_TRUE(contains(help, "\n  " + name + " ")) << name;
}

TEST_F(Usage, EveryCommandHasHelpWithAnExampleAndJson) {
    for (const std::string& name : commandNames) {
        const std::string help = runTo(0, {name, "--help"}).out;
        EXPECT_TRUE(contains(help, "Example:\n")) << name;
        EXPECT_TRUE(contains(help, "opscope-cli " + name)) << name;
        EXPECT_TRUE(contains(help, "--json")) << name;
    }
}

TEST_F(Usage, TellsItsVersion) {
    EXPECT_EQ(runTo(0, {"--version"}).out, "opscope-cli " OPSCOPE_VERSION "\n");
}

TEST_F(Usage, RefusesWhatItDoesNotKnow) {
    problemOf({});
    problemOf({"frobnicate"});
    problemOf({"info"});
    problemOf({"run", smallModelFile(), "--frobnicate"});
    problemOf({"run", smallModelFile(), "--threads", "0"});
    problemOf({"profile", smallModelFile(), "--seconds", "-1"});
}

TEST_F(Usage, NamesTheFileThatIsNotThere) {
    EXPECT_TRUE(contains(problemOf({"info", path("missing.onnx")}), "missing.onnx"));
}

TEST_F(Usage, NamesTheFileThatIsNoModel) {
    const std::string file = folder_.write("noise.onnx", "this is no model at all, only text").string();
    EXPECT_TRUE(contains(problemOf({"run", file}), "noise.onnx"));
}

}  // namespace
}  // namespace test
