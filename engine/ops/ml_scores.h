#pragma once

#include <string>
#include <vector>

#include "engine/ops/attribute_reader.h"
#include "engine/ops/kernel_context.h"

namespace engine {

inline constexpr const char* mlDomain = "ai.onnx.ml";

/// What models of ai.onnx.ml make of their raw scores: the attribute `post_transform`.
enum class PostTransform : uint8_t { none, softmax, logistic, softmaxZero, probit };
PostTransform readPostTransform(const AttributeReader& reader);

/// Transforms the scores of one sample.
void transformScores(std::vector<double>& scores, PostTransform transform);

double logistic(double x);

/// What a classifier's first output holds: integers or strings, one for each class.
struct ClassLabels {
    std::vector<int64_t> integers = {};
    std::vector<std::string> strings = {};

    size_t count() const { return strings.empty() ? integers.size() : strings.size(); }
    DataType element() const { return strings.empty() ? DataType::int64 : DataType::string; }
};

/// Reads the lists of those names; throws Error unless exactly one of them is there.
ClassLabels readClassLabels(const AttributeReader& reader, const std::string& integers,
                            const std::string& strings);

/// What a classifier says of one sample.
struct Verdict {
    size_t label = 0;  ///< counted among the labels
    std::vector<double> scores = {};
};

/// Outputs 0 and 1 of a classifier: a label and `classes` scores for each row of input 0.
void inferClassifier(InferContext& context, const ClassLabels& labels, int64_t classes);
void setVerdicts(KernelContext& context, const ClassLabels& labels, const std::vector<Verdict>& verdicts,
                 int64_t classes);

/// The verdict where two classes are told apart by a single score: of the second class being the one, beyond
/// `threshold`. The scores of both are `1 - score` and `score` for probabilities, else opposite.
Verdict binaryVerdict(double score, bool isProbability, PostTransform transform);

/// The rows of input 0, which is [rows, features] or a single row, as numbers.
struct Samples {
    int64_t rows = 0;
    int64_t features = 0;
    std::vector<double> values = {};

    std::span<const double> row(int64_t index) const {
        return std::span(values).subspan(static_cast<size_t>(index * features),
                                         static_cast<size_t>(features));
    }
};
Samples readSamples(const KernelContext& context);

/// Output 0: floats [rows of input 0, `columns`].
void inferRegressor(InferContext& context, int64_t columns);

}  // namespace engine
