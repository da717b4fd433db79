#include <gtest/gtest.h>

#include "tests/app/cli/fixture.h"

namespace test {
namespace {

class Bench : public CommandLine {
protected:
    std::vector<std::string> paced() const {
        return {"bench", smallModelFile(), "--paced", "--providers", "reference", "--threads", "1"};
    }
};

TEST_F(Bench, AnswersEachLineAsItComes) {
    std::vector<std::string> command = paced();
    command.insert(command.begin(), cliPath());
    Process process(command);
    for (const size_t count : {3, 1, 5}) {
        process.write(std::to_string(count) + "\n");
        const nlohmann::json answer = nlohmann::json::parse(process.readLine());
        EXPECT_EQ(answer.at("ns").size(), count);
        for (const auto& time : answer.at("ns")) EXPECT_GT(time.get<int64_t>(), 0);
    }
    const ProcessResult end = process.wait();
    EXPECT_EQ(end.status, 0);
    EXPECT_EQ(end.out, "");
    EXPECT_EQ(end.errors, "");
}

TEST_F(Bench, TakesNothingButNumbers) {
    for (const char* line : {"x\n", "-1\n", "0\n", "3 4\n", "\n", "1.5\n", "99999999999999999999\n"}) {
        EXPECT_TRUE(contains(problemOf(paced(), line), "standard input")) << line;
    }
}

TEST_F(Bench, SaysBeforeTheFirstAnswerWhatItCannotRun) {
    EXPECT_TRUE(contains(problemOf({"bench", path("missing.onnx"), "--paced"}), "missing.onnx"));
    std::vector<std::string> command = paced();
    command.insert(command.end(), {"--precision", "f7"});
    EXPECT_TRUE(contains(problemOf(command), "f7"));
}

TEST_F(Bench, WithoutPacingSumsUp) {
    const nlohmann::json json =
        jsonOf({"bench", smallModelFile(), "--providers", "reference", "--runs", "20"});
    EXPECT_EQ(json.at("ns").size(), 20U);
    EXPECT_GT(json.at("latency").at("median_ns"), 0);
}

}  // namespace
}  // namespace test
