#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace {

test::ProcessResult providersWith(const std::string& setting) {
    return test::runProcess({"/usr/bin/env", setting, test::cliPath(), "providers"});
}

TEST(Switches, ACapOfInstructionsIsShown) {
    const test::ProcessResult result = providersWith("OPSCOPE_MAX_ISA=portable");
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_NE(result.out.find("no wide vectors (OPSCOPE_MAX_ISA=portable)"), std::string::npos) << result.out;
}

TEST(Switches, AnUnknownInstructionSetIsRefused) {
    const test::ProcessResult result = providersWith("OPSCOPE_MAX_ISA=sse9");
    EXPECT_NE(result.status, 0);
    EXPECT_NE(result.errors.find("OPSCOPE_MAX_ISA: found 'sse9', expected portable, avx2 or avx512"),
              std::string::npos)
        << result.errors;
}

TEST(Switches, AGrainOfNothingIsRefused) {
    const test::ProcessResult result = providersWith("OPSCOPE_GRAIN=0");
    EXPECT_NE(result.status, 0);
    EXPECT_NE(result.errors.find("OPSCOPE_GRAIN: found '0', expected a whole number of 1 or more"),
              std::string::npos)
        << result.errors;
}

}  // namespace
