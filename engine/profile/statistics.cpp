#include "engine/profile/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "engine/core/error.h"

namespace engine {
namespace {

/// The point of the standard normal distribution that leaves 2.5 % above it.
constexpr double z = 1.959963984540054;

std::vector<double> sorted(std::span<const double> samples) {
    std::vector<double> result(samples.begin(), samples.end());
    std::sort(result.begin(), result.end());
    return result;
}

double quantileOfSorted(std::span<const double> samples, double p) {
    if (samples.empty()) fail("quantile: found no sample, expected at least one");
    if (!(p >= 0 && p <= 1)) fail("quantile: found p = ", p, ", expected 0 to 1");
    const double position = p * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<size_t>(position);
    const size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], position - static_cast<double>(below));
}

/// A row of yes and no, 64 to a word, so that long series are compared with themselves at speed.
class Indicator {
public:
    explicit Indicator(size_t size) : size_(size), words_(size / 64 + 2, 0), before_(size + 1, 0) {}

    void set(size_t index, bool isYes) {
        if (isYes) words_[index / 64] |= uint64_t{1} << (index % 64);
        before_[index + 1] = before_[index] + (isYes ? 1 : 0);
    }

    /// The covariance, over all n, of the row and itself `lag` later.
    double covariance(size_t lag) const {
        const auto count = static_cast<double>(size_);
        const double mean = static_cast<double>(before_[size_]) / count;
        const auto heads = static_cast<double>(before_[size_ - lag]);
        const auto tails = static_cast<double>(before_[size_] - before_[lag]);
        const auto pairs = static_cast<double>(size_ - lag);
        return (static_cast<double>(both(lag)) - mean * (heads + tails) + pairs * mean * mean) / count;
    }

private:
    /// How many are yes both here and `lag` later.
    uint64_t both(size_t lag) const {
        const size_t skip = lag / 64;
        const size_t shift = lag % 64;
        uint64_t result = 0;
        for (size_t i = 0; i + skip + 1 < words_.size(); ++i) {
            uint64_t later = words_[i + skip] >> shift;
            if (shift != 0) later |= words_[i + skip + 1] << (64 - shift);
            result += static_cast<uint64_t>(std::popcount(words_[i] & later));
        }
        return result;
    }

    size_t size_;
    std::vector<uint64_t> words_;
    std::vector<uint64_t> before_;  ///< per position: yes among those before it
};

/// How many independent samples would tell as much about the share of yes as these n do: n over one plus
/// twice the sum of autocorrelations, summed in pairs until a pair is no longer positive.
double effectiveCount(const Indicator& isBelow, size_t n) {
    const auto count = static_cast<double>(n);
    const double variance = isBelow.covariance(0);
    if (variance <= 0) return count;
    double sum = 0;
    for (size_t lag = 1; lag + 1 < n; lag += 2) {
        const double pair = (isBelow.covariance(lag) + isBelow.covariance(lag + 1)) / variance;
        if (pair <= 0) break;
        sum += pair;
    }
    return std::clamp(count / (1 + 2 * sum), 1.0, count);
}

/// How many of the sorted pairwise means of `rounds` differences, counted from either end, the 95 % interval
/// begins at: Wilcoxon's signed ranks, normal approximation.
size_t signedRankDepth(size_t rounds, size_t means) {
    const auto k = static_cast<double>(rounds);
    const double spread = z * std::sqrt(k * (k + 1) * (2 * k + 1) / 24);
    const double depth = std::floor(static_cast<double>(means) / 2 - spread - 0.5);
    return depth < 1 ? 1 : static_cast<size_t>(depth);
}

}  // namespace

Estimate estimate(std::span<const double> samples) {
    if (samples.empty()) fail("estimate: found no sample, expected at least one");
    const std::vector<double> order = sorted(samples);
    const auto count = static_cast<double>(order.size());
    Estimate result;
    result.count = order.size();
    result.median = quantileOfSorted(order, 0.5);
    result.minimum = order.front();
    result.maximum = order.back();
    result.mean = std::accumulate(order.begin(), order.end(), 0.0) / count;

    Indicator isBelow(samples.size());
    for (size_t i = 0; i < samples.size(); ++i) isBelow.set(i, samples[i] <= result.median);
    result.effectiveCount = effectiveCount(isBelow, samples.size());
    result.isUnstable = result.effectiveCount < count / 4;

    const double half = z * std::sqrt(0.25 / result.effectiveCount);
    const auto rank = [&](double position) {
        return order[static_cast<size_t>(std::clamp(position, 1.0, count)) - 1];
    };
    result.low = rank(std::floor((0.5 - half) * count));
    result.high = rank(std::ceil((0.5 + half) * count));
    return result;
}

double quantile(std::span<const double> samples, double p) { return quantileOfSorted(sorted(samples), p); }

std::optional<double> boundedQuantile(std::span<const double> samples, double p) {
    // The largest sample is no upper bound if all n lie below the quantile, which has a probability of p^n.
    if (samples.empty() || std::pow(p, static_cast<double>(samples.size())) > 0.025) return {};
    return quantile(samples, p);
}

Ratio pairedRatio(std::span<const double> a, std::span<const double> b) {
    if (a.size() != b.size()) {
        fail("pairedRatio: found ", a.size(), " and ", b.size(), " rounds, expected as many of both");
    }
    if (a.empty()) fail("pairedRatio: found no round, expected at least one");
    std::vector<double> differences;
    for (size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] > 0 && b[i] > 0)) {
            fail("pairedRatio: found ", a[i], " and ", b[i], " in round ", i, ", expected positive numbers");
        }
        differences.push_back(std::log(a[i] / b[i]));
    }
    std::vector<double> means;
    for (size_t i = 0; i < differences.size(); ++i) {
        for (size_t j = i; j < differences.size(); ++j)
            means.push_back((differences[i] + differences[j]) / 2);
    }
    std::sort(means.begin(), means.end());
    const size_t depth = signedRankDepth(differences.size(), means.size());
    return {.estimate = std::exp(quantileOfSorted(means, 0.5)),
            .low = std::exp(means[depth - 1]),
            .high = std::exp(means[means.size() - depth]),
            .rounds = differences.size()};
}

}  // namespace engine
