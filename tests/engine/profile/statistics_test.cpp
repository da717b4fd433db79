#include "engine/profile/statistics.h"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace engine {
namespace {

/// Log-normal latencies of median 1, correlated from one to the next.
std::vector<double> correlatedLatencies(size_t count, double correlation, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> latencies;
    double state = normal(random);
    for (size_t i = 0; i < count; ++i) {
        state = correlation * state + std::sqrt(1 - correlation * correlation) * normal(random);
        latencies.push_back(std::exp(0.05 * state));
    }
    return latencies;
}

/// In how many of 400 series the interval holds the true median.
double coverage(size_t count, double correlation) {
    int hits = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        const Estimate found = estimate(correlatedLatencies(count, correlation, seed));
        if (found.low <= 1 && 1 <= found.high) ++hits;
    }
    return hits / 400.0;
}

TEST(Estimate, DescribesSamplesInAnyOrder) {
    const std::vector<double> samples{4, 1, 3, 2, 100};
    const Estimate found = estimate(samples);
    EXPECT_EQ(found.median, 3);
    EXPECT_EQ(found.minimum, 1);
    EXPECT_EQ(found.maximum, 100);
    EXPECT_EQ(found.mean, 22);
    EXPECT_EQ(found.count, 5U);
    EXPECT_LE(found.low, found.median);
    EXPECT_GE(found.high, found.median);
}

TEST(Estimate, TakesOrderStatisticsOfIndependentSamples) {
    // Without correlation n_eff is n: ranks floor(100 (0.5 - 0.098)) = 40 and ceil(59.8) = 60.
    std::vector<double> samples(100);
    for (size_t i = 0; i < samples.size(); ++i) samples[i] = 1 + static_cast<double>(i * 51 % 100);
    const Estimate found = estimate(samples);
    EXPECT_DOUBLE_EQ(found.effectiveCount, 100);
    EXPECT_EQ(found.low, 40);
    EXPECT_EQ(found.high, 60);
    EXPECT_FALSE(found.isUnstable);
}

TEST(Estimate, CoversTheMedianInNinetyFivePercentOfIndependentSeries) {
    EXPECT_NEAR(coverage(300, 0), 0.95, 0.03);
}

TEST(Estimate, CoversTheMedianOfCorrelatedSeriesToo) {
    // An interval that takes these samples for independent holds the median in about 40 % of the series.
    EXPECT_NEAR(coverage(1000, 0.9), 0.93, 0.03);
}

TEST(Estimate, CallsStronglyCorrelatedSamplesUnstable) {
    const Estimate found = estimate(correlatedLatencies(300, 0.95, 3));
    EXPECT_LT(found.effectiveCount, 75);
    EXPECT_TRUE(found.isUnstable);
}

TEST(Estimate, TakesOneSampleAndEqualSamples) {
    const Estimate one = estimate(std::vector<double>{7});
    EXPECT_EQ(one.low, 7);
    EXPECT_EQ(one.high, 7);
    const Estimate equal = estimate(std::vector<double>(50, 2.0));
    EXPECT_EQ(equal.median, 2);
    EXPECT_EQ(equal.halfInterval(), 0);
    EXPECT_FALSE(equal.isUnstable);
}

TEST(Estimate, RefusesNoSamples) { EXPECT_THROW(estimate({}), Error); }

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
    const std::vector<double> samples{40, 10, 30, 20};
    EXPECT_EQ(quantile(samples, 0), 10);
    EXPECT_EQ(quantile(samples, 0.5), 25);
    EXPECT_DOUBLE_EQ(quantile(samples, 0.9), 37);
    EXPECT_EQ(quantile(samples, 1), 40);
    EXPECT_THROW(quantile(samples, 1.5), Error);
    EXPECT_THROW(quantile({}, 0.5), Error);
}

TEST(Quantile, IsBoundedOnlyFromEnoughSamples) {
    std::vector<double> samples(368);
    std::iota(samples.begin(), samples.end(), 0.0);
    EXPECT_EQ(boundedQuantile(samples, 0.99), quantile(samples, 0.99));
    samples.pop_back();
    EXPECT_EQ(boundedQuantile(samples, 0.99), std::nullopt);
    EXPECT_TRUE(boundedQuantile(samples, 0.9).has_value());
    EXPECT_EQ(boundedQuantile({}, 0.5), std::nullopt);
}

TEST(PairedRatio, FindsASmallDifferenceUnderLargeDrift) {
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, 0.005);
    std::vector<double> a;
    std::vector<double> b;
    for (int round = 0; round < 20; ++round) {
        const double drift = 1 + 0.2 * round;
        a.push_back(1.03 * drift * std::exp(noise(random)));
        b.push_back(drift * std::exp(noise(random)));
    }
    const Ratio found = pairedRatio(a, b);
    EXPECT_NEAR(found.estimate, 1.03, 0.005);
    EXPECT_GT(found.low, 1.02);
    EXPECT_LT(found.high, 1.04);
    EXPECT_EQ(found.rounds, 20U);
}

TEST(PairedRatio, HoldsOneInNinetyFivePercentOfEqualPairs) {
    std::mt19937 random(11);
    std::normal_distribution<double> noise(0, 0.02);
    int hits = 0;
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<double> a;
        std::vector<double> b;
        for (int round = 0; round < 12; ++round) {
            a.push_back(std::exp(noise(random)));
            b.push_back(std::exp(noise(random)));
        }
        const Ratio found = pairedRatio(a, b);
        if (found.low <= 1 && 1 <= found.high) ++hits;
    }
    EXPECT_NEAR(hits / 500.0, 0.955, 0.03);
}

TEST(PairedRatio, IsTheWholeRangeForFewRounds) {
    const std::vector<double> a{2, 4, 3};
    const std::vector<double> b{1, 1, 1};
    const Ratio found = pairedRatio(a, b);
    EXPECT_DOUBLE_EQ(found.low, 2);
    EXPECT_DOUBLE_EQ(found.high, 4);
}

TEST(PairedRatio, RefusesUnequalCountsAndNonPositiveTimes) {
    const std::vector<double> one{1};
    const std::vector<double> two{1, 1};
    const std::vector<double> zero{0};
    EXPECT_THROW(pairedRatio(one, two), Error);
    EXPECT_THROW(pairedRatio(one, zero), Error);
    EXPECT_THROW(pairedRatio({}, {}), Error);
}

}  // namespace
}  // namespace engine
