#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Puts the features of all inputs, [rows, features] each, side by side, as floats. An input has as many as
// inputdimensions says: what is missing is 0, what is too much is left out.
struct Attributes {
    std::vector<int64_t> sizes = {};  ///< empty: as they are
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{reader.integers("inputdimensions")};
    for (const int64_t size : attributes.sizes) {
        if (size < 0) fail("inputdimensions: found ", size, ", expected at least 0");
    }
    return attributes;
}

void checkCount(const Attributes& attributes, size_t inputs) {
    if (attributes.sizes.empty() || attributes.sizes.size() == inputs) return;
    fail("inputdimensions: found ", attributes.sizes.size(), " values for ", inputs, " inputs");
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkCount(attributes, context.inputCount());
    Dim rows;
    Dim features = 0;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        const Shape* input = context.inputShape(i);
        if (input != nullptr && (input->empty() || input->size() > 2)) {
            fail("input ", i, ": found rank ", input->size(), ", expected 1 or 2");
        }
        if (input != nullptr) {
            rows = agreed(rows, input->size() == 2 ? (*input)[0] : Dim(1), "rows of the inputs");
        }
        const Dim own = input != nullptr ? input->back() : Dim();
        features += attributes.sizes.empty() ? own : Dim(attributes.sizes[i]);
    }
    context.setOutput(0, DataType::float32, {rows, features});
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkCount(attributes, context.inputCount());
    if (context.inputCount() == 0) fail("found no input, expected at least one");
    const auto rowsOf = [](const Tensor& tensor) { return tensor.rank() == 2 ? tensor.dims()[0] : 1; };
    const int64_t rows = rowsOf(context.input(0));
    int64_t features = 0;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        const Tensor& input = context.input(i);
        if (input.rank() != 1 && input.rank() != 2)
            fail("input ", i, ": found rank ", input.rank(), ", expected 1 or 2");
        if (rowsOf(input) != rows) fail("input ", i, ": found ", rowsOf(input), " rows, expected ", rows);
        features += attributes.sizes.empty() ? input.dims().back() : attributes.sizes[i];
    }
    const auto output = context.output(0, DataType::float32, {rows, features}).mutableValues<float>();
    std::fill(output.begin(), output.end(), 0.0F);
    int64_t start = 0;
    for (size_t i = 0; i < context.inputCount(); ++i) {
        context.checkpoint();
        const std::vector<double> values = context.input(i).toDouble();
        const int64_t own = context.input(i).dims().back();
        const int64_t size = attributes.sizes.empty() ? own : attributes.sizes[i];
        for (int64_t row = 0; row < rows; ++row) {
            for (int64_t k = 0; k < std::min(own, size); ++k) {
                output[static_cast<size_t>(row * features + start + k)] =
                    static_cast<float>(values[static_cast<size_t>(row * own + k)]);
            }
        }
        start += size;
    }
}

const OpDef featureVectorizer{
    .name = "FeatureVectorizer",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .domain = mlDomain,
};
const Register<OpDef> registered{featureVectorizer};

}  // namespace
}  // namespace engine
