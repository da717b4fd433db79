// The random operators by their distribution. All seeds are fixed, so nothing here is left to luck: each
// bound is the value that a true sample passes 999 times of 1000, and the seeds are no chosen ones.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/session.h"

namespace test {
namespace {

using namespace engine;

struct Run {
    std::string graph;  ///< ONNX's text
    uint64_t seed = 1;
    int threads = 1;
    std::vector<std::string> providers = {"cpu", "reference"};
    bool optimizes = true;
};

std::vector<std::vector<double>> outputsOf(const Run& run, const std::vector<NamedDatum>& inputs = {},
                                           int runs = 1) {
    Observer observer;
    SessionOptions options;
    options.providers = run.providers;
    options.threads = run.threads;
    options.seed = run.seed;
    options.passes.enabled = run.optimizes;
    const auto session = Session::create(Model::parse(run.graph), options, observer);
    std::vector<std::vector<double>> outputs;
    for (int i = 0; i < runs; ++i) {
        const RunResult result = session->run(inputs, {}, observer);
        for (const NamedDatum& output : result.outputs) outputs.push_back(output.datum.tensor().toDouble());
    }
    return outputs;
}

std::vector<double> sampleOf(const std::string& node, uint64_t seed = 1) {
    return outputsOf({.graph = "agraph () => (float[N] y) { y = " + node + " }", .seed = seed}).at(0);
}

constexpr double count = 100000;
const std::string shape = "shape: ints = [100000]";

/// The largest distance between the sample's distribution and `below`, times the root of its size: at
/// most 1.95 in 999 of 1000 samples (Kolmogorov).
template <class Below>
double kolmogorov(std::vector<double> sample, Below below) {
    std::sort(sample.begin(), sample.end());
    const auto size = static_cast<double>(sample.size());
    double largest = 0;
    for (size_t i = 0; i < sample.size(); ++i) {
        const double expected = below(sample[i]);
        largest = std::max({largest, static_cast<double>(i + 1) / size - expected,
                            expected - static_cast<double>(i) / size});
    }
    return largest * std::sqrt(size);
}

double chiSquare(const std::vector<double>& found, const std::vector<double>& expected) {
    double sum = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        sum += (found[i] - expected[i]) * (found[i] - expected[i]) / expected[i];
    }
    return sum;
}

/// Of neighbours: within 3.29 / sqrt(n) of 0 in 999 of 1000 samples.
double correlation(const std::vector<double>& left, const std::vector<double>& right) {
    const size_t size = std::min(left.size(), right.size());
    const double a = std::accumulate(left.begin(), left.begin() + static_cast<ptrdiff_t>(size), 0.0) /
                     static_cast<double>(size);
    const double b = std::accumulate(right.begin(), right.begin() + static_cast<ptrdiff_t>(size), 0.0) /
                     static_cast<double>(size);
    double both = 0;
    double ofLeft = 0;
    double ofRight = 0;
    for (size_t i = 0; i < size; ++i) {
        both += (left[i] - a) * (right[i] - b);
        ofLeft += (left[i] - a) * (left[i] - a);
        ofRight += (right[i] - b) * (right[i] - b);
    }
    return both / std::sqrt(ofLeft * ofRight);
}

double uniformBelow(double x) { return std::clamp((x - 2) / 4, 0.0, 1.0); }
double normalBelow(double x) { return 0.5 * std::erfc(-(x - 3) / 2 / std::sqrt(2.0)); }

TEST(Random, UniformIsSpreadEvenly) {
    const std::vector<double> sample = sampleOf("RandomUniform <" + shape + ", low = 2.0, high = 6.0> ()");
    EXPECT_LT(kolmogorov(sample, uniformBelow), 1.95);
    std::vector<double> bins(100, 0);
    for (const double value : sample) {
        ASSERT_GE(value, 2);
        ASSERT_LE(value, 6);
        bins[std::min<size_t>(static_cast<size_t>((value - 2) * 25), 99)] += 1;
    }
    EXPECT_LT(chiSquare(bins, std::vector<double>(100, count / 100)), 148.23);
    EXPECT_LT(std::abs(correlation(sample, {sample.begin() + 1, sample.end()})), 3.29 / std::sqrt(count));
}

TEST(Random, NormalHasItsShape) {
    const std::vector<double> sample = sampleOf("RandomNormal <" + shape + ", mean = 3.0, scale = 2.0> ()");
    EXPECT_LT(kolmogorov(sample, normalBelow), 1.95);
    double moments[4] = {};
    for (const double value : sample) {
        const double z = (value - 3) / 2;
        for (int i = 0; i < 4; ++i) moments[i] += std::pow(z, i + 1) / count;
    }
    const double deviations[] = {1, std::sqrt(2.0), std::sqrt(15.0), std::sqrt(96.0)};
    const double expected[] = {0, 1, 0, 3};
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(moments[i], expected[i], 3.29 * deviations[i] / std::sqrt(count)) << "moment " << i + 1;
    }
    EXPECT_LT(std::abs(correlation(sample, {sample.begin() + 1, sample.end()})), 3.29 / std::sqrt(count));
}

TEST(Random, BernoulliFollowsItsProbabilities) {
    Tensor odds = Tensor::allocate(DataType::float32, {100000});
    for (size_t i = 0; i < 100000; ++i) odds.mutableValues<float>()[i] = static_cast<float>(i % 4) * 0.25F;
    const std::vector<double> sample =
        outputsOf({.graph = "agraph (float[N] x) => (float[N] y) { y = Bernoulli (x) }"}, {{"x", odds}})
            .at(0);
    double ones[4] = {};
    for (size_t i = 0; i < sample.size(); ++i) {
        ASSERT_TRUE(sample[i] == 0 || sample[i] == 1);
        ones[i % 4] += sample[i];
    }
    EXPECT_EQ(ones[0], 0);
    for (int i = 1; i < 4; ++i) {
        const double p = 0.25 * i;
        EXPECT_NEAR(ones[i], 25000 * p, 3.29 * std::sqrt(25000 * p * (1 - p)));
    }
}

TEST(Random, MultinomialFollowsItsWeights) {
    const Tensor logits = Tensor::of<float>({1, 4}, {0, std::log(2.0F), std::log(5.0F), std::log(2.0F)});
    const std::vector<double> sample =
        outputsOf({.graph = "agraph (float[1, 4] x) => (int32[1, M] y) { y = Multinomial <sample_size = "
                            "100000> (x) }"},
                  {{"x", logits}})
            .at(0);
    std::vector<double> found(4, 0);
    for (const double value : sample) found.at(static_cast<size_t>(value)) += 1;
    EXPECT_LT(chiSquare(found, {count * 0.1, count * 0.2, count * 0.5, count * 0.2}), 16.27);
}

TEST(Random, DropoutDropsItsShareAndKeepsTheMean) {
    const Tensor ones = Tensor::of<float>({100000}, std::vector<float>(100000, 1.0F));
    const auto outputs = outputsOf(
        {.graph =
             "agraph (float[N] x) => (float[N] y, bool[N] mask) { r = Constant <value_float = 0.3> () t = "
             "Constant <value = bool {1}> () y, mask = Dropout (x, r, t) }"},
        {{"x", ones}});
    const double kept = std::accumulate(outputs.at(1).begin(), outputs.at(1).end(), 0.0);
    EXPECT_NEAR(kept, 0.7 * count, 3.29 * std::sqrt(count * 0.21));
    for (size_t i = 0; i < ones.values<float>().size(); ++i) {
        ASSERT_NEAR(outputs[0][i], outputs[1][i] / 0.7, 1e-6);
    }
}

const std::string two =
    "agraph () => (float[N] y, float[N] z) { y = RandomNormal <shape: ints = [64]> () z = RandomNormal "
    "<shape: ints = [64]> () }";

TEST(Random, TheSameSeedGivesTheSameNumbersHoweverItRuns) {
    const auto expected = outputsOf({.graph = two, .seed = 7});
    EXPECT_EQ(outputsOf({.graph = two, .seed = 7, .threads = 3}), expected);
    EXPECT_EQ(outputsOf({.graph = two, .seed = 7, .providers = {"reference"}}), expected);
    EXPECT_EQ(outputsOf({.graph = two, .seed = 7, .optimizes = false}), expected);
    EXPECT_NE(outputsOf({.graph = two, .seed = 8}), expected);
}

TEST(Random, NodesAndRunsDiffer) {
    const auto outputs = outputsOf({.graph = two}, {}, 2);
    EXPECT_NE(outputs[0], outputs[1]);
    EXPECT_NE(outputs[0], outputs[2]);
}

TEST(Random, NodesOnBothSidesOfADataDependentShapeDiffer) {
    const auto outputs = outputsOf(
        {.graph =
             "agraph (float[N] x) => (float[M] y, float[K] z) { y = RandomNormalLike (x) i = NonZero (x) t = "
             "Transpose (i) g = GatherND (x, t) z = RandomNormalLike (g) }"},
        {{"x", Tensor::of<float>({4}, {1, 2, 3, 4})}});
    EXPECT_NE(outputs[0], outputs[1]);
}

TEST(Random, TurnsOfALoopDiffer) {
    const auto outputs =
        outputsOf({.graph = "agraph (int64 n, bool c) => (float[T, K] y) { y = Loop (n, c) <body = b (int64 "
                            "i, bool g) => (bool h, "
                            "float[4] r) { h = Identity (g) r = RandomNormal <shape: ints = [4]> () }> }"},
                  {{"n", Tensor::scalar<int64_t>(2)}, {"c", Tensor::scalar(true)}});
    const std::vector<double>& both = outputs.at(0);
    EXPECT_NE(std::vector<double>(both.begin(), both.begin() + 4),
              std::vector<double>(both.begin() + 4, both.end()));
}

TEST(Random, TheAttributeSeedGivesTheSameNumbersInEveryRun) {
    const auto outputs = outputsOf(
        {.graph = "agraph () => (float[N] y) { y = RandomUniform <shape: ints = [8], seed = 3.0> () }"}, {},
        2);
    EXPECT_EQ(outputs[0], outputs[1]);
}

}  // namespace
}  // namespace test
