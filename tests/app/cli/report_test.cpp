#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"
#include "tests/support/paths.h"

namespace test {
namespace {

using Report = CommandLine;

TEST_F(Report, WritesAPageOfTheSample) {
    const std::string sample = (sourceDir() / "resources/sample/digits.onnx").string();
    const nlohmann::json json = jsonOf({"report", sample, "--out", path("r.html"), "--runs", "5"});
    EXPECT_EQ(json.at("file"), path("r.html"));
    const std::string page = readFile(path("r.html"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    for (const char* part :
         {"digits.onnx", "<svg class=\"graph\"", "Conv", "probabilities", "made up, seed 0"}) {
        EXPECT_TRUE(contains(page, part)) << part;
    }
}

TEST_F(Report, RefusesBeforeItMeasuresWhatItCouldNotWrite) {
    EXPECT_TRUE(contains(problemOf({"report", smallModelFile(), "--out", path("r.pdf")}), ".html"));
    EXPECT_TRUE(
        contains(problemOf({"report", smallModelFile(), "--out", path("no/r.html")}), "no such folder"));
}

TEST_F(Report, LeavesAnOldReportWhereANewOneFails) {
    folder_.write("r.html", "old");
    problemOf({"report", path("missing.onnx"), "--out", path("r.html")});
    EXPECT_EQ(readFile(path("r.html")), "old");
}

}  // namespace
}  // namespace test
