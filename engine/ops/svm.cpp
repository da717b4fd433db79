// SVMClassifier and SVMRegressor of ai.onnx.ml, in the forms that libsvm (support vectors, one decision for
// each pair of classes) and liblinear (a row of coefficients for each class) leave.

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

enum class Kernel : uint8_t { linear, polynomial, gaussian, sigmoid };

struct Machine {
    Kernel kernel = Kernel::linear;
    double gamma = 0;
    double shift = 0;
    double degree = 0;
    std::vector<float> vectors = {};
    std::vector<float> coefficients = {};
    std::vector<float> rho = {};
    PostTransform transform = PostTransform::none;

    double product(std::span<const double> sample, const float* vector) const {
        double sum = 0;
        for (size_t i = 0; i < sample.size(); ++i) {
            const double difference = sample[i] - static_cast<double>(vector[i]);
            sum += kernel == Kernel::gaussian ? difference * difference
                                              : sample[i] * static_cast<double>(vector[i]);
        }
        switch (kernel) {
            case Kernel::linear:
                return sum;
            case Kernel::polynomial:
                return std::pow(gamma * sum + shift, degree);
            case Kernel::gaussian:
                return std::exp(-gamma * sum);
            case Kernel::sigmoid:
                return std::tanh(gamma * sum + shift);
        }
        return sum;
    }
};

Machine readMachine(const AttributeReader& reader) {
    const std::string kernel = reader.choice("kernel_type", "LINEAR", {"LINEAR", "POLY", "RBF", "SIGMOID"});
    Machine machine{.kernel = kernel == "LINEAR" ? Kernel::linear
                              : kernel == "POLY" ? Kernel::polynomial
                              : kernel == "RBF"  ? Kernel::gaussian
                                                 : Kernel::sigmoid,
                    .vectors = reader.numbers("support_vectors"),
                    .coefficients = reader.numbers("coefficients"),
                    .rho = reader.numbers("rho"),
                    .transform = readPostTransform(reader)};
    const std::vector<float> parameters = reader.numbers("kernel_params");
    if (!parameters.empty() && parameters.size() != 3) {
        fail("kernel_params: found ", parameters.size(), " values, expected gamma, coef0 and degree");
    }
    if (!parameters.empty()) {
        machine.gamma = static_cast<double>(parameters[0]);
        machine.shift = static_cast<double>(parameters[1]);
        machine.degree = static_cast<double>(parameters[2]);
    }
    if (machine.coefficients.empty()) fail("coefficients is missing");
    return machine;
}

size_t checkedCount(int64_t count, const char* what) {
    if (count < 0) fail(what, ": found ", count, ", expected at least 0");
    return static_cast<size_t>(count);
}

void checkFeatures(const Samples& samples, size_t numbers, size_t rows, const char* what) {
    if (static_cast<size_t>(samples.features) * rows == numbers) return;
    fail("X: found ", samples.features, " features, ", what, " has ", numbers, " numbers for ", rows,
         " rows");
}

// --- SVMRegressor ---

struct Regressor {
    Machine machine = {};
    size_t vectors = 0;
    bool isOneClass = false;
};

Regressor parseRegressor(const AttributeReader& reader) {
    Regressor model{.machine = readMachine(reader),
                    .vectors = checkedCount(reader.integer("n_supports", 0), "n_supports"),
                    .isOneClass = reader.integer("one_class", 0) != 0};
    if (model.machine.rho.empty()) fail("rho is missing");
    if (model.vectors == 0) model.machine.kernel = Kernel::linear;
    if (model.vectors > 0 && model.machine.coefficients.size() != model.vectors) {
        fail("coefficients: found ", model.machine.coefficients.size(), ", expected ", model.vectors);
    }
    return model;
}

void inferSvmRegressor(InferContext& context) { inferRegressor(context, 1); }

double regression(const Regressor& model, std::span<const double> sample) {
    const Machine& machine = model.machine;
    double sum = static_cast<double>(machine.rho[0]);
    if (model.vectors == 0) return sum + machine.product(sample, machine.coefficients.data());
    for (size_t i = 0; i < model.vectors; ++i) {
        sum += static_cast<double>(machine.coefficients[i]) *
               machine.product(sample, machine.vectors.data() + i * sample.size());
    }
    return sum;
}

void runRegressor(KernelContext& context) {
    const auto& model = context.attributes<Regressor>();
    const Samples samples = readSamples(context);
    if (model.vectors == 0) checkFeatures(samples, model.machine.coefficients.size(), 1, "coefficients");
    if (model.vectors > 0) {
        checkFeatures(samples, model.machine.vectors.size(), model.vectors, "support_vectors");
    }
    const auto to = context.output(0, {samples.rows, 1}).mutableValues<float>();
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        std::vector<double> scores{regression(model, samples.row(row))};
        transformScores(scores, model.machine.transform);
        if (model.isOneClass) scores[0] = scores[0] > 0 ? 1 : -1;
        to[static_cast<size_t>(row)] = static_cast<float>(scores[0]);
        pace.spend(samples.features * static_cast<int64_t>(model.vectors + 1));
    }
}

// --- SVMClassifier ---

struct Classifier {
    Machine machine = {};
    ClassLabels labels = {};
    std::vector<size_t> starts = {};  ///< of each class's support vectors, and their number
    std::vector<float> slopes = {};   ///< of probabilities, for each pair of classes
    std::vector<float> offsets = {};

    size_t classes() const { return labels.count(); }
    size_t vectors() const { return starts.empty() ? 0 : starts.back(); }
    size_t pairs() const { return classes() * (classes() - 1) / 2; }
    bool hasProbabilities() const { return vectors() > 0 && !slopes.empty(); }
    /// Of one sample: two for two classes, else one for each class or each pair.
    size_t scores() const {
        if (classes() == 2) return 2;
        return vectors() == 0 || hasProbabilities() ? classes() : pairs();
    }
};

Classifier parseClassifier(const AttributeReader& reader) {
    Classifier model{.machine = readMachine(reader),
                     .labels = readClassLabels(reader, "classlabels_ints", "classlabels_strings"),
                     .slopes = reader.numbers("prob_a"),
                     .offsets = reader.numbers("prob_b")};
    if (model.machine.rho.empty()) fail("rho is missing");
    const std::vector<int64_t> counts = reader.integers("vectors_per_class");
    if (counts.empty()) {
        model.machine.kernel = Kernel::linear;
        return model;
    }
    if (counts.size() != model.classes()) {
        fail("vectors_per_class: found ", counts.size(), " values, expected ", model.classes());
    }
    model.starts.push_back(0);
    for (const int64_t count : counts) {
        model.starts.push_back(model.starts.back() + checkedCount(count, "vectors_per_class"));
    }
    if (model.machine.coefficients.size() != model.vectors() * (model.classes() - 1)) {
        fail("coefficients: found ", model.machine.coefficients.size(), ", expected ",
             model.vectors() * (model.classes() - 1));
    }
    const bool hasAllPairs = model.machine.rho.size() == model.pairs() &&
                             model.slopes.size() == model.offsets.size() &&
                             (model.slopes.empty() || model.slopes.size() == model.pairs());
    if (!hasAllPairs) fail("rho, prob_a and prob_b: expected ", model.pairs(), " values each");
    return model;
}

void inferSvmClassifier(InferContext& context) {
    const auto& model = context.attributes<Classifier>();
    inferClassifier(context, model.labels, static_cast<int64_t>(model.scores()));
}

/// What each pair of classes decides: positive for the first of the two.
std::vector<double> decisions(const Classifier& model, std::span<const double> sample) {
    const Machine& machine = model.machine;
    std::vector<double> products;
    for (size_t i = 0; i < model.vectors(); ++i) {
        products.push_back(machine.product(sample, machine.vectors.data() + i * sample.size()));
    }
    std::vector<double> result;
    const auto add = [&](double& sum, size_t row, size_t ofClass) {
        for (size_t k = model.starts[ofClass]; k < model.starts[ofClass + 1]; ++k) {
            sum += static_cast<double>(machine.coefficients[row * model.vectors() + k]) * products[k];
        }
    };
    for (size_t i = 0; i < model.classes(); ++i) {
        for (size_t j = i + 1; j < model.classes(); ++j) {
            double sum = static_cast<double>(machine.rho[result.size()]);
            add(sum, j - 1, i);
            add(sum, i, j);
            result.push_back(sum);
        }
    }
    return result;
}

/// Probabilities of classes from those of each pair (Wu, Lin and Weng, "Probability Estimates for Multi-class
/// Classification by Pairwise Coupling", 2004, second method).
std::vector<double> coupled(const std::vector<std::vector<double>>& pairwise) {
    const size_t count = pairwise.size();
    std::vector<std::vector<double>> q(count, std::vector<double>(count, 0));
    for (size_t t = 0; t < count; ++t) {
        for (size_t j = 0; j < count; ++j) {
            if (j == t) continue;
            q[t][t] += pairwise[j][t] * pairwise[j][t];
            q[t][j] = -pairwise[j][t] * pairwise[t][j];
        }
    }
    std::vector<double> p(count, 1 / static_cast<double>(count));
    const double precision = 0.005 / static_cast<double>(count);
    for (size_t turn = 0; turn < std::max<size_t>(100, count); ++turn) {
        std::vector<double> qp(count, 0);
        double pqp = 0;
        for (size_t t = 0; t < count; ++t) {
            for (size_t j = 0; j < count; ++j) qp[t] += q[t][j] * p[j];
            pqp += p[t] * qp[t];
        }
        const bool isDone = std::all_of(qp.begin(), qp.end(),
                                        [&](double value) { return std::abs(value - pqp) < precision; });
        if (isDone) break;
        for (size_t t = 0; t < count; ++t) {
            const double difference = (pqp - qp[t]) / q[t][t];
            const double scale = 1 + difference;
            p[t] += difference;
            pqp = (pqp + difference * (difference * q[t][t] + 2 * qp[t])) / (scale * scale);
            for (size_t j = 0; j < count; ++j) {
                qp[j] = (qp[j] + difference * q[t][j]) / scale;
                p[j] /= scale;
            }
        }
    }
    return p;
}

std::vector<double> probabilities(const Classifier& model, const std::vector<double>& decided) {
    std::vector<std::vector<double>> pairwise(model.classes(), std::vector<double>(model.classes(), 0));
    size_t pair = 0;
    for (size_t i = 0; i < model.classes(); ++i) {
        for (size_t j = i + 1; j < model.classes(); ++j, ++pair) {
            const double value = logistic(-decided[pair] * static_cast<double>(model.slopes[pair]) -
                                          static_cast<double>(model.offsets[pair]));
            pairwise[i][j] = std::clamp(value, 1e-7, 1 - 1e-7);
            pairwise[j][i] = 1 - pairwise[i][j];
        }
    }
    return coupled(pairwise);
}

/// The class that wins most pairs, the first of them if several do.
size_t winner(const Classifier& model, const std::vector<double>& decided) {
    std::vector<int> votes(model.classes(), 0);
    size_t pair = 0;
    for (size_t i = 0; i < model.classes(); ++i) {
        for (size_t j = i + 1; j < model.classes(); ++j, ++pair) ++votes[decided[pair] > 0 ? i : j];
    }
    return static_cast<size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

Verdict judge(const Classifier& model, std::span<const double> sample) {
    Verdict verdict;
    if (model.vectors() == 0) {
        for (size_t i = 0; i < model.classes(); ++i) {
            verdict.scores.push_back(
                static_cast<double>(model.machine.rho[0]) +
                model.machine.product(sample, model.machine.coefficients.data() + i * sample.size()));
        }
        const auto best = std::max_element(verdict.scores.begin(), verdict.scores.end());
        verdict.label = static_cast<size_t>(best - verdict.scores.begin());
    } else {
        const std::vector<double> decided = decisions(model, sample);
        verdict.label = winner(model, decided);
        if (model.hasProbabilities()) {
            verdict.scores = probabilities(model, decided);
        } else if (model.classes() == 2) {
            verdict.scores = {-decided[0], decided[0]};
        } else {
            verdict.scores = decided;
        }
    }
    transformScores(verdict.scores, model.machine.transform);
    return verdict;
}

void runClassifier(KernelContext& context) {
    const auto& model = context.attributes<Classifier>();
    const Samples samples = readSamples(context);
    if (model.vectors() == 0) {
        checkFeatures(samples, model.machine.coefficients.size(), model.classes(), "coefficients");
    } else {
        checkFeatures(samples, model.machine.vectors.size(), model.vectors(), "support_vectors");
    }
    std::vector<Verdict> verdicts;
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        verdicts.push_back(judge(model, samples.row(row)));
        pace.spend(samples.features * static_cast<int64_t>(model.vectors() + model.classes()));
    }
    setVerdicts(context, model.labels, verdicts, static_cast<int64_t>(model.scores()));
}

Work workOfRegressor(const WorkContext& context) {
    const auto vectors = static_cast<int64_t>(context.attributes<Regressor>().vectors);
    return {.multiplyAdds = context.inputElements(0) * Dim(std::max<int64_t>(vectors, 1))};
}

Work workOfClassifier(const WorkContext& context) {
    const auto& model = context.attributes<Classifier>();
    return {.multiplyAdds = context.inputElements(0) *
                            Dim(static_cast<int64_t>(std::max(model.vectors(), model.classes())))};
}

const OpDef table[] = {
    {.name = "SVMRegressor",
     .sinceVersion = 1,
     .attributes = parsed<parseRegressor>,
     .infer = inferSvmRegressor,
     .work = workOfRegressor,
     .reference = runRegressor,
     .domain = mlDomain},
    {.name = "SVMClassifier",
     .sinceVersion = 1,
     .attributes = parsed<parseClassifier>,
     .infer = inferSvmClassifier,
     .work = workOfClassifier,
     .reference = runClassifier,
     .domain = mlDomain},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
