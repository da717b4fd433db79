#include "app/cli/worker_pool.h"

#include <csignal>
#include <map>

#include <gtest/gtest.h>
#include <unistd.h>

namespace cli {
namespace {

std::map<size_t, ItemOutcome> outcomes(const PoolOptions& options,
                                       const std::function<std::string(size_t)>& work) {
    std::map<size_t, ItemOutcome> result;
    engine::Observer observer;
    runInWorkers(
        options, work,
        [&](size_t item, const ItemOutcome& outcome) { EXPECT_TRUE(result.emplace(item, outcome).second); },
        observer);
    return result;
}

TEST(WorkerPool, BringsTheAnswerOfEachItem) {
    const auto result =
        outcomes({.items = 20, .workers = 3}, [](size_t item) { return std::to_string(item * item); });
    ASSERT_EQ(result.size(), 20U);
    EXPECT_EQ(result.at(7).answer, "49");
    EXPECT_EQ(result.at(7).problem, "");
}

TEST(WorkerPool, BringsLongAnswersAndEmptyOnes) {
    const auto result =
        outcomes({.items = 2}, [](size_t item) { return std::string(item * 1'000'000, 'x'); });
    EXPECT_EQ(result.at(0).answer, "");
    EXPECT_EQ(result.at(1).answer.size(), 1'000'000U);
}

TEST(WorkerPool, LosesOnlyTheItemThatCrashes) {
    const auto result = outcomes({.items = 6, .workers = 2}, [](size_t item) {
        if (item == 2) std::raise(SIGKILL);
        if (item == 3) ::_exit(7);
        return std::string("fine");
    });
    EXPECT_EQ(result.at(2).problem, "crashed (Killed)");
    EXPECT_EQ(result.at(3).problem, "its process ended with exit status 7");
    for (const size_t item : {0, 1, 4, 5}) EXPECT_EQ(result.at(item).answer, "fine");
}

TEST(WorkerPool, EndsAnItemThatHangs) {
    const auto result = outcomes({.items = 3, .workers = 1, .secondsPerItem = 0.1}, [](size_t item) {
        while (item == 1) ::pause();
        return std::string("fine");
    });
    EXPECT_EQ(result.at(1).problem, "took longer than 0.1 s");
    EXPECT_EQ(result.at(2).answer, "fine");
}

TEST(WorkerPool, StopsWhenNobodyWantsItAnyMore) {
    class Impatient : public engine::Observer {
    public:
        bool cancelled() const override { return true; }
    };
    Impatient observer;
    EXPECT_THROW(
        runInWorkers(
            {.items = 3}, [](size_t) { return std::string(); }, [](size_t, const ItemOutcome&) {}, observer),
        engine::Cancelled);
}

}  // namespace
}  // namespace cli
