#include "engine/ops/ml_scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/ops/checks.h"

namespace engine {
namespace {

/// Winitzki's approximation of the inverse error function, which other implementations use as well.
double inverseErf(double x) {
    constexpr double a = 0.147;
    const double logarithm = std::log((1 - x) * (1 + x));
    const double half = 2 / (std::numbers::pi * a) + logarithm / 2;
    return std::copysign(std::sqrt(std::sqrt(half * half - logarithm / a) - half), x);
}

void softmax(std::vector<double>& scores, bool keepsZero) {
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) {
        const bool isZero = keepsZero && std::abs(score) <= 1e-7;
        score = isZero ? score * std::exp(-largest) : std::exp(score - largest);
        sum += score;
    }
    for (double& score : scores) score = sum == 0 ? 0.5 : score / sum;
}

Dim rowsOf(const InferContext& context) {
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return {};
    if (shape->empty() || shape->size() > 2) fail("X: found rank ", shape->size(), ", expected 1 or 2");
    return shape->size() == 1 ? Dim(1) : (*shape)[0];
}

}  // namespace

PostTransform readPostTransform(const AttributeReader& reader) {
    const std::vector<std::string> names{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
    const std::string name = reader.choice("post_transform", "NONE", names);
    return static_cast<PostTransform>(std::find(names.begin(), names.end(), name) - names.begin());
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

void transformScores(std::vector<double>& scores, PostTransform transform) {
    if (scores.empty()) return;
    switch (transform) {
        case PostTransform::none:
            break;
        case PostTransform::softmax:
            softmax(scores, false);
            break;
        case PostTransform::softmaxZero:
            softmax(scores, true);
            break;
        case PostTransform::logistic:
            std::transform(scores.begin(), scores.end(), scores.begin(), logistic);
            break;
        case PostTransform::probit:
            for (double& score : scores) score = std::numbers::sqrt2 * inverseErf(2 * score - 1);
            break;
    }
}

ClassLabels readClassLabels(const AttributeReader& reader, const std::string& integers,
                            const std::string& strings) {
    ClassLabels labels{.integers = reader.integers(integers), .strings = reader.strings(strings)};
    if (labels.integers.empty() == labels.strings.empty()) {
        fail("found ", labels.integers.empty() ? "neither" : "both", " of ", integers, " and ", strings,
             ", expected one of them");
    }
    return labels;
}

void inferClassifier(InferContext& context, const ClassLabels& labels, int64_t classes) {
    const Dim rows = rowsOf(context);
    context.setOutput(0, labels.element(), Shape{rows});
    context.setOutput(1, DataType::float32, Shape{rows, classes});
}

void inferRegressor(InferContext& context, int64_t columns) {
    context.setOutput(0, DataType::float32, Shape{rowsOf(context), columns});
}

void setVerdicts(KernelContext& context, const ClassLabels& labels, const std::vector<Verdict>& verdicts,
                 int64_t classes) {
    const auto rows = static_cast<int64_t>(verdicts.size());
    Tensor& chosen = context.output(0, labels.element(), {rows});
    Tensor& scores = context.output(1, DataType::float32, {rows, classes});
    auto to = scores.mutableValues<float>().begin();
    for (size_t i = 0; i < verdicts.size(); ++i) {
        if (labels.strings.empty()) {
            chosen.mutableValues<int64_t>()[i] = labels.integers.at(verdicts[i].label);
        } else {
            chosen.mutableValues<String>()[i] = labels.strings.at(verdicts[i].label);
        }
        to = std::transform(verdicts[i].scores.begin(), verdicts[i].scores.end(), to,
                            [](double score) { return static_cast<float>(score); });
    }
}

Verdict binaryVerdict(double score, bool isProbability, PostTransform transform) {
    Verdict verdict{.label = score > (isProbability ? 0.5 : 0.0) ? size_t{1} : size_t{0}};
    if (transform == PostTransform::logistic) {
        verdict.scores = {logistic(-score), logistic(score)};
    } else if (transform == PostTransform::probit) {
        verdict.scores = {1 - score, score};
        transformScores(verdict.scores, transform);
    } else {
        verdict.scores = {isProbability ? 1 - score : -score, score};
    }
    return verdict;
}

Samples readSamples(const KernelContext& context) {
    const Tensor& input = context.input(0);
    if (input.rank() != 1 && input.rank() != 2) fail("X: found rank ", input.rank(), ", expected 1 or 2");
    return {.rows = input.rank() == 2 ? input.dims()[0] : 1,
            .features = input.dims().back(),
            .values = input.toDouble()};
}

}  // namespace engine
