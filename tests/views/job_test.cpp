#include "views/job.h"

#include <stdexcept>

#include <QSemaphore>
#include <gtest/gtest.h>

#include "tests/support/wait.h"

namespace views {
namespace {

/// What became of a job.
struct Outcome {
    std::vector<int> each;
    int done = 0;
    std::string failed;
    bool wasCancelled = false;
    std::vector<double> progress;

    bool isOver() const { return done != 0 || !failed.empty() || wasCancelled; }
    LatestJob<int>::Handlers handlers() {
        return {.done = [this](const int& result) { done = result; },
                .failed = [this](const engine::Error& error) { failed = error.what(); },
                .cancelled = [this] { wasCancelled = true; },
                .each = [this](const int& result) { each.push_back(result); },
                .progress = [this](double fraction, const QString&) { progress.push_back(fraction); }};
    }
};

TEST(LatestJob, DeliversTheResultOnTheThreadThatStartedIt) {
    Outcome outcome;
    LatestJob<int> job;
    QThread* deliveredOn = nullptr;
    auto handlers = outcome.handlers();
    handlers.done = [&](const int& result) {
        outcome.done = result;
        deliveredOn = QThread::currentThread();
    };
    job.start(startJob([](engine::Observer&) { return 7; }), handlers);
    EXPECT_TRUE(job.isRunning());
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_EQ(outcome.done, 7);
    EXPECT_EQ(deliveredOn, QThread::currentThread());
    EXPECT_FALSE(job.isRunning());
}

TEST(LatestJob, DeliversAnErrorByType) {
    Outcome outcome;
    LatestJob<int> job;
    job.start(startJob([](engine::Observer&) -> int { engine::fail("axis ", 4, " is out of range"); }),
              outcome.handlers());
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_EQ(outcome.failed, "axis 4 is out of range");
    EXPECT_FALSE(outcome.wasCancelled);
}

TEST(LatestJob, TurnsOtherExceptionsIntoErrors) {
    Outcome outcome;
    LatestJob<int> job;
    job.start(startJob([](engine::Observer&) -> int { throw std::runtime_error("from a library"); }),
              outcome.handlers());
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_EQ(outcome.failed, "from a library");
}

TEST(LatestJob, CancelEndsWorkThatLooksAtItsObserver) {
    Outcome outcome;
    LatestJob<int> job;
    auto started = std::make_shared<QSemaphore>();
    job.start(startJob([started](engine::Observer& observer) -> int {
                  started->release();
                  while (true) observer.checkpoint();
              }),
              outcome.handlers());
    started->acquire();
    job.cancel();
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_TRUE(outcome.wasCancelled);
    EXPECT_TRUE(outcome.failed.empty());
}

TEST(LatestJob, ANewStartDropsTheOneBefore) {
    Outcome first;
    Outcome second;
    LatestJob<int> job;
    auto begun = std::make_shared<QSemaphore>();
    auto ended = std::make_shared<QSemaphore>();
    job.start(startJob([begun, ended](engine::Observer& observer) -> int {
                  begun->release();
                  while (!observer.cancelled()) QThread::yieldCurrentThread();
                  ended->release();
                  return 1;
              }),
              first.handlers());
    ASSERT_TRUE(begun->tryAcquire(1, 10000));  // a job cancelled before it begins never runs
    job.start(startJob([](engine::Observer&) { return 2; }), second.handlers());
    ASSERT_TRUE(test::waitFor([&] { return second.isOver(); }));
    EXPECT_EQ(second.done, 2);
    EXPECT_TRUE(ended->tryAcquire(1, 10000));
    test::settle();
    EXPECT_FALSE(first.isOver());
}

TEST(LatestJob, DestroyingItCancelsAndCallsNobody) {
    Outcome outcome;
    auto begun = std::make_shared<QSemaphore>();
    auto ended = std::make_shared<QSemaphore>();
    {
        LatestJob<int> job;
        job.start(startJob([begun, ended](engine::Observer& observer) -> int {
                      begun->release();
                      while (!observer.cancelled()) QThread::yieldCurrentThread();
                      ended->release();
                      observer.checkpoint();
                      return 1;
                  }),
                  outcome.handlers());
        ASSERT_TRUE(begun->tryAcquire(1, 10000));
    }
    EXPECT_TRUE(ended->tryAcquire(1, 10000));
    test::settle();
    EXPECT_FALSE(outcome.isOver());
}

TEST(LatestJob, HandsOnWhatIsEmittedInOrderAndLastTheResult) {
    Outcome outcome;
    LatestJob<int> job;
    job.start(startStream<int>([](engine::Observer&, const Emit<int>& emitResult) {
                  emitResult(1);
                  emitResult(2);
                  return 3;
              }),
              outcome.handlers());
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_EQ(outcome.each, (std::vector{1, 2, 3}));
    EXPECT_EQ(outcome.done, 3);
}

TEST(LatestJob, ReportsProgress) {
    Outcome outcome;
    LatestJob<int> job;
    auto seen = std::make_shared<QSemaphore>();
    auto handlers = outcome.handlers();
    QString what;
    handlers.progress = [&, seen](double fraction, const QString& text) {
        if (text.isEmpty()) return;
        outcome.progress.push_back(fraction);
        what = text;
        seen->release();
    };
    job.start(startJob([seen](engine::Observer& observer) {
                  observer.checkpoint(0.5, "halves");
                  return seen->tryAcquire(1, 10000) ? 1 : -1;
              }),
              handlers);
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_EQ(outcome.done, 1);
    EXPECT_EQ(what, "halves");
    EXPECT_NEAR(outcome.progress.front(), 0.5, 0.002);
}

TEST(LatestJob, AHandlerMayStartTheNext) {
    Outcome outcome;
    LatestJob<int> job;
    job.start(startJob([](engine::Observer&) { return 1; }), {.done = [&](const int&) {
                  job.start(startJob([](engine::Observer&) { return 2; }), outcome.handlers());
              }});
    ASSERT_TRUE(test::waitFor([&] { return outcome.isOver(); }));
    EXPECT_EQ(outcome.done, 2);
}

TEST(MeasurementPool, RunsOneAtATime) { EXPECT_EQ(measurementPool()->maxThreadCount(), 1); }

}  // namespace
}  // namespace views
