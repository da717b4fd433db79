// LinearClassifier and LinearRegressor of ai.onnx.ml.

#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Linear {
    std::vector<float> coefficients = {};  ///< row by row
    std::vector<float> intercepts = {};    ///< one for each row, or none
    size_t rows = 1;
    PostTransform transform = PostTransform::none;

    std::vector<double> scores(std::span<const double> sample) const {
        std::vector<double> result;
        for (size_t row = 0; row < rows; ++row) {
            double sum = intercepts.empty() ? 0 : static_cast<double>(intercepts[row]);
            for (size_t i = 0; i < sample.size(); ++i) {
                sum += sample[i] * static_cast<double>(coefficients[row * sample.size() + i]);
            }
            result.push_back(sum);
        }
        return result;
    }
};

Linear readLinear(const AttributeReader& reader, size_t rows) {
    Linear linear{.coefficients = reader.numbers("coefficients"),
                  .intercepts = reader.numbers("intercepts"),
                  .rows = rows,
                  .transform = readPostTransform(reader)};
    if (linear.coefficients.size() % rows != 0) {
        fail("coefficients: found ", linear.coefficients.size(), ", expected a multiple of ", rows);
    }
    if (!linear.intercepts.empty() && linear.intercepts.size() != rows) {
        fail("intercepts: found ", linear.intercepts.size(), ", expected ", rows);
    }
    return linear;
}

void checkFeatures(const Linear& linear, int64_t features) {
    const size_t expected = linear.coefficients.size() / linear.rows;
    if (static_cast<size_t>(features) == expected) return;
    fail("X: found ", features, " features, the coefficients are for ", expected);
}

Work workOfRegressor(const WorkContext& context) {
    return {.multiplyAdds =
                context.inputElements(0) * Dim(static_cast<int64_t>(context.attributes<Linear>().rows))};
}

// --- LinearClassifier ---

struct Classifier {
    Linear linear = {};
    ClassLabels labels = {};
};

Classifier parseClassifier(const AttributeReader& reader) {
    const ClassLabels labels = readClassLabels(reader, "classlabels_ints", "classlabels_strings");
    // Two classes may be told apart by one row of coefficients.
    const size_t intercepts = reader.numbers("intercepts").size();
    const bool isSingle = labels.count() == 2 && intercepts == 1;
    return {.linear = readLinear(reader, isSingle ? 1 : labels.count()), .labels = labels};
}

void inferLinearClassifier(InferContext& context) {
    const auto& model = context.attributes<Classifier>();
    inferClassifier(context, model.labels, static_cast<int64_t>(model.labels.count()));
}

Work workOfClassifier(const WorkContext& context) {
    return {.multiplyAdds = context.inputElements(0) *
                            Dim(static_cast<int64_t>(context.attributes<Classifier>().linear.rows))};
}

void runClassifier(KernelContext& context) {
    const auto& model = context.attributes<Classifier>();
    const Samples samples = readSamples(context);
    checkFeatures(model.linear, samples.features);
    std::vector<Verdict> verdicts;
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        std::vector<double> scores = model.linear.scores(samples.row(row));
        pace.spend(static_cast<int64_t>(model.linear.coefficients.size()));
        if (scores.size() == 1 && model.labels.count() == 2) {
            Verdict verdict = binaryVerdict(scores[0], true, model.linear.transform);
            verdict.label = scores[0] > 0 ? 1 : 0;
            verdicts.push_back(std::move(verdict));
            continue;
        }
        const auto best = std::max_element(scores.begin(), scores.end());
        Verdict verdict{.label = static_cast<size_t>(best - scores.begin())};
        transformScores(scores, model.linear.transform);
        verdict.scores = std::move(scores);
        verdicts.push_back(std::move(verdict));
    }
    setVerdicts(context, model.labels, verdicts, static_cast<int64_t>(model.labels.count()));
}

// --- LinearRegressor ---

Linear parseRegressor(const AttributeReader& reader) {
    const int64_t targets = reader.integer("targets", 1);
    if (targets < 1) fail("targets: found ", targets, ", expected at least 1");
    return readLinear(reader, static_cast<size_t>(targets));
}

void inferLinearRegressor(InferContext& context) {
    inferRegressor(context, static_cast<int64_t>(context.attributes<Linear>().rows));
}

void runRegressor(KernelContext& context) {
    const auto& model = context.attributes<Linear>();
    const Samples samples = readSamples(context);
    checkFeatures(model, samples.features);
    auto to =
        context.output(0, {samples.rows, static_cast<int64_t>(model.rows)}).mutableValues<float>().begin();
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        std::vector<double> scores = model.scores(samples.row(row));
        transformScores(scores, model.transform);
        for (const double score : scores) *to++ = static_cast<float>(score);
        pace.spend(static_cast<int64_t>(model.coefficients.size()));
    }
}

const OpDef table[] = {
    {.name = "LinearClassifier",
     .sinceVersion = 1,
     .attributes = parsed<parseClassifier>,
     .infer = inferLinearClassifier,
     .work = workOfClassifier,
     .reference = runClassifier,
     .domain = mlDomain},
    {.name = "LinearRegressor",
     .sinceVersion = 1,
     .attributes = parsed<parseRegressor>,
     .infer = inferLinearRegressor,
     .work = workOfRegressor,
     .reference = runRegressor,
     .domain = mlDomain},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
