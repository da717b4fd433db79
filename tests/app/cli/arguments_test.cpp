#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"

namespace test {
namespace {

using Arguments = CommandLine;

TEST_F(Arguments, NameTheCommandThatWasMeant) {
    EXPECT_TRUE(contains(problemOf({"profil", smallModelFile()}),
                         "there is no command 'profil'; did you mean 'profile'?"));
    EXPECT_TRUE(contains(problemOf({"frobnicate"}), "there are: info, run, "));
}

TEST_F(Arguments, RefuseNumbersThatMeanNothing) {
    for (const char* option : {"--runs", "--seconds", "--limit-seconds"}) {
        for (const char* number : {"0", "-1", "x", "nan"}) {
            const std::string problem = problemOf({"profile", smallModelFile(), option, number});
            EXPECT_TRUE(contains(problem, option)) << problem;
        }
    }
    EXPECT_TRUE(
        contains(problemOf({"profile", smallModelFile(), "--seconds", "0"}), "expected a number above 0"));
}

}  // namespace
}  // namespace test
