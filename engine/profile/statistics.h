#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// A median with a 95 % interval that holds for correlated samples: order statistics at the effective sample
/// size of the indicator "at most the median". Unstable when the effective size is under a quarter of n.
struct Estimate {
    double median = 0;
    double low = 0;  ///< 95 % interval
    double high = 0;
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    size_t count = 0;
    double effectiveCount = 0;
    bool isUnstable = false;

    double halfInterval() const { return (high - low) / 2; }
};

/// Throws Error if there is no sample.
Estimate estimate(std::span<const double> samples);

/// Type-7 quantile (linear interpolation between order statistics), 0 <= p <= 1.
double quantile(std::span<const double> samples, double p);

/// The quantile, or nothing where n is too small for an upper bound of its 95 % interval to exist.
std::optional<double> boundedQuantile(std::span<const double> samples, double p);

/// A against B from paired rounds: Hodges-Lehmann estimate of the ratio a/b with the Wilcoxon signed-rank
/// interval.
struct Ratio {
    double estimate = 1;
    double low = 0;
    double high = 0;
    size_t rounds = 0;
};
Ratio pairedRatio(std::span<const double> a, std::span<const double> b);

}  // namespace engine
