#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

/// What the random operators have in common. The distribution's two parameters are low and high, or mean and
/// scale.
struct Attributes {
    std::optional<DataType> element;
    std::vector<int64_t> dims;
    std::optional<float> seed;
    float first;
    float second;
};

Attributes parseCommon(const AttributeReader& reader) {
    Attributes attributes{.element = std::nullopt,
                          .dims = reader.integers("shape"),
                          .seed = reader.maybeNumber("seed"),
                          .first = 0,
                          .second = 1};
    if (reader.has("dtype")) attributes.element = reader.dataType("dtype", DataType::float32);
    return attributes;
}

Attributes parseUniform(const AttributeReader& reader) {
    Attributes attributes = parseCommon(reader);
    attributes.first = reader.number("low", 0);
    attributes.second = reader.number("high", 1);
    return attributes;
}

Attributes parseNormal(const AttributeReader& reader) {
    Attributes attributes = parseCommon(reader);
    attributes.first = reader.number("mean", 0);
    attributes.second = reader.number("scale", 1);
    return attributes;
}

/// The attribute `seed` makes every run alike; else the run's own seed counts.
std::mt19937_64 generator(const KernelContext& context, const Attributes& attributes) {
    if (!attributes.seed) return std::mt19937_64(context.seed());
    const float scaled = *attributes.seed * 65536.0F;
    // Beyond all integers, infinite or no number: any that follows from it.
    if (!(std::abs(scaled) < 9e18F)) return std::mt19937_64(std::bit_cast<uint32_t>(*attributes.seed));
    return std::mt19937_64(static_cast<uint64_t>(static_cast<int64_t>(scaled)));
}

void inferShaped(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    context.setOutput(0, attributes.element.value_or(DataType::float32), shapeOf(attributes.dims));
}

void inferLike(InferContext& context) {
    Type type = context.inputType(0);
    type.element = context.attributes<Attributes>().element.value_or(type.element);
    context.setOutput(0, std::move(type));
}

template <class Distribution>
void fill(KernelContext& context, Tensor& output) {
    const auto& attributes = context.attributes<Attributes>();
    std::mt19937_64 random = generator(context, attributes);
    Distribution distribution(attributes.first, attributes.second);
    dispatchFloat(output.type(), [&]<typename T>(std::type_identity<T>) {
        size_t count = 0;
        for (T& value : output.mutableValues<T>()) {
            if (++count % 65536 == 0) context.checkpoint();
            value = static_cast<T>(static_cast<float>(distribution(random)));
        }
    });
}

template <class Distribution>
void runShaped(KernelContext& context) {
    fill<Distribution>(context, context.output(0, context.attributes<Attributes>().dims));
}

template <class Distribution>
void runLike(KernelContext& context) {
    fill<Distribution>(context, context.output(0, context.input(0).dims()));
}

using Uniform = std::uniform_real_distribution<double>;
using Normal = std::normal_distribution<double>;

const OpDef randomUniform{
    .name = "RandomUniform",
    .sinceVersion = 1,
    .attributes = parsed<parseUniform>,
    .infer = inferShaped,
    .work = onePerOutput,
    .reference = runShaped<Uniform>,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registeredUniform{randomUniform};

const OpDef randomNormal{
    .name = "RandomNormal",
    .sinceVersion = 1,
    .attributes = parsed<parseNormal>,
    .infer = inferShaped,
    .work = onePerOutput,
    .reference = runShaped<Normal>,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registeredNormal{randomNormal};

const OpDef randomUniformLike{
    .name = "RandomUniformLike",
    .sinceVersion = 1,
    .attributes = parsed<parseUniform>,
    .infer = inferLike,
    .work = onePerOutput,
    .reference = runLike<Uniform>,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registeredUniformLike{randomUniformLike};

const OpDef randomNormalLike{
    .name = "RandomNormalLike",
    .sinceVersion = 1,
    .attributes = parsed<parseNormal>,
    .infer = inferLike,
    .work = onePerOutput,
    .reference = runLike<Normal>,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registeredNormalLike{randomNormalLike};

// --- Bernoulli: 1 with the probability that the input gives ---

void runBernoulli(KernelContext& context) {
    const Tensor& input = context.input(0);
    const std::vector<double> probabilities = input.toDouble();
    Tensor& output = context.output(0, input.dims());
    std::mt19937_64 random = generator(context, context.attributes<Attributes>());
    Uniform uniform(0, 1);
    dispatchAmong<float, double, Float16, BFloat16, uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t,
                  int32_t, int64_t, bool>(output.type(), [&]<typename T>(std::type_identity<T>) {
        const auto to = output.mutableValues<T>();
        for (size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<T>(uniform(random) < probabilities[i] ? 1.0F : 0.0F);
    });
}

const OpDef bernoulli{
    .name = "Bernoulli",
    .sinceVersion = 15,
    .attributes = parsed<parseCommon>,
    .infer = inferLike,
    .work = onePerOutput,
    .reference = runBernoulli,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registeredBernoulli{bernoulli};

// --- Multinomial: classes by the logarithms of their weights, a row at a time ---

struct MultinomialAttributes {
    Attributes common;
    int64_t samples;
};

MultinomialAttributes parseMultinomial(const AttributeReader& reader) {
    MultinomialAttributes attributes{parseCommon(reader), reader.integer("sample_size", 1)};
    attributes.common.element = reader.dataType("dtype", DataType::int32);
    if (attributes.samples < 0) fail("sample_size: found ", attributes.samples, ", expected at least 0");
    return attributes;
}

void inferMultinomial(InferContext& context) {
    const auto& attributes = context.attributes<MultinomialAttributes>();
    context.checkRank(0, 2, "input");
    const Shape* input = context.inputShape(0);
    context.setOutput(0, *attributes.common.element,
                      {input != nullptr ? (*input)[0] : Dim(), attributes.samples});
}

void runMultinomial(KernelContext& context) {
    const auto& attributes = context.attributes<MultinomialAttributes>();
    const Tensor& input = context.input(0);
    checkRank(input, 2, "input");
    const std::vector<double> logits = input.toDouble();
    const auto classes = static_cast<size_t>(input.dims()[1]);
    const Dims dims{input.dims()[0], attributes.samples};
    Tensor& output = context.output(0, *attributes.common.element, dims);
    if (output.elements() > 0 && classes == 0) fail("input: found no classes, expected at least one");
    std::mt19937_64 random = generator(context, attributes.common);
    dispatchAmong<int32_t, int64_t>(output.type(), [&]<typename T>(std::type_identity<T>) {
        auto to = output.mutableValues<T>().begin();
        for (int64_t row = 0; row < dims[0] && attributes.samples > 0; ++row) {
            const auto first = logits.begin() + row * static_cast<ptrdiff_t>(classes);
            const double largest = *std::max_element(first, first + static_cast<ptrdiff_t>(classes));
            std::vector<double> weights;
            for (size_t i = 0; i < classes; ++i) {
                weights.push_back(std::exp(*(first + static_cast<ptrdiff_t>(i)) - largest));
            }
            std::discrete_distribution<T> distribution(weights.begin(), weights.end());
            for (int64_t i = 0; i < attributes.samples; ++i) *to++ = distribution(random);
            context.checkpoint();
        }
    });
}

const OpDef multinomial{
    .name = "Multinomial",
    .sinceVersion = 7,
    .attributes = parsed<parseMultinomial>,
    .infer = inferMultinomial,
    .work = specialPerOutput,
    .reference = runMultinomial,
    .tolerance = Tolerance::random,
};
const Register<OpDef> registeredMultinomial{multinomial};

}  // namespace
}  // namespace engine
