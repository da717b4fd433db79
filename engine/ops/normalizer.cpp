#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Divides each row by its norm; rows of a zero norm stay.
enum class Norm : uint8_t { max, l1, l2 };

struct Attributes {
    Norm norm = Norm::max;
};

Attributes parse(const AttributeReader& reader) {
    const std::string norm = reader.choice("norm", "MAX", {"MAX", "L1", "L2"});
    return {norm == "MAX" ? Norm::max : norm == "L1" ? Norm::l1 : Norm::l2};
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = DataType::float32;
    context.setOutput(0, std::move(type));
}

double normOf(std::span<const double> row, Norm norm) {
    double result = 0;
    for (const double value : row) {
        if (norm == Norm::max) result = std::max(result, std::abs(value));
        if (norm == Norm::l1) result += std::abs(value);
        if (norm == Norm::l2) result += value * value;
    }
    return norm == Norm::l2 ? std::sqrt(result) : result;
}

void reference(KernelContext& context) {
    const Samples samples = readSamples(context);
    auto to = context.output(0, DataType::float32, context.input(0).dims()).mutableValues<float>().begin();
    Pace pace(context);
    for (int64_t row = 0; row < samples.rows; ++row) {
        const auto values = samples.row(row);
        const double norm = normOf(values, context.attributes<Attributes>().norm);
        to = std::transform(values.begin(), values.end(), to, [norm](double value) {
            return static_cast<float>(norm == 0 ? value : value / norm);
        });
        pace.spend(2 * samples.features);
    }
}

const OpDef normalizer{
    .name = "Normalizer",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .domain = mlDomain,
};
const Register<OpDef> registered{normalizer};

}  // namespace
}  // namespace engine
