#include "engine/ops/activation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "engine/core/error.h"

namespace engine {
namespace {

using Kind = Activation::Kind;

struct Row {
    Kind kind;
    const char* name;
    size_t parameters;
    float alpha;
    float beta;
    bool isSpecial;
};

constexpr float largest = std::numeric_limits<float>::max();

constexpr std::array rows{
    Row{Kind::affine, "affine", 2, 1.0F, 0.0F, false},
    Row{Kind::clip, "clip", 2, -largest, largest, false},
    Row{Kind::elu, "elu", 1, 1.0F, 0.0F, true},
    Row{Kind::gelu, "gelu", 0, 0.0F, 0.0F, true},
    Row{Kind::hardSigmoid, "hardsigmoid", 2, 0.2F, 0.5F, false},
    Row{Kind::hardSwish, "hardswish", 0, 0.0F, 0.0F, false},
    Row{Kind::leakyRelu, "leakyrelu", 1, 0.01F, 0.0F, false},
    Row{Kind::relu, "relu", 0, 0.0F, 0.0F, false},
    Row{Kind::scaledTanh, "scaledtanh", 2, 1.0F, 1.0F, true},
    Row{Kind::sigmoid, "sigmoid", 0, 0.0F, 0.0F, true},
    Row{Kind::silu, "silu", 1, 1.0F, 0.0F, true},
    Row{Kind::softplus, "softplus", 0, 0.0F, 0.0F, true},
    Row{Kind::softsign, "softsign", 0, 0.0F, 0.0F, false},
    Row{Kind::tanh, "tanh", 0, 0.0F, 0.0F, true},
    Row{Kind::thresholdedRelu, "thresholdedrelu", 1, 1.0F, 0.0F, false},
};

const Row* findRow(const std::string& name) {
    std::string lower = name;
    for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const auto* const row =
        std::find_if(rows.begin(), rows.end(), [&](const Row& candidate) { return candidate.name == lower; });
    return row == rows.end() ? nullptr : row;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double hardSigmoid(double x, double alpha, double beta) { return std::clamp(alpha * x + beta, 0.0, 1.0); }

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// Not std::clamp, which demands low <= high, and a NaN stays one.
double clip(double x, double low, double high) {
    if (x < low) x = low;
    return x > high ? high : x;
}

double positivePart(double x) { return x < 0 ? 0 : x; }

}  // namespace

double Activation::operator()(double x) const {
    switch (kind) {
        case Kind::none:
            return x;
        case Kind::affine:
            return alpha * x + beta;
        case Kind::clip:
            return clip(x, alpha, beta);
        case Kind::elu:
            return x < 0 ? alpha * std::expm1(x) : x;
        case Kind::gelu:
            return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
        case Kind::hardSigmoid:
            return hardSigmoid(x, alpha, beta);
        case Kind::hardSwish:
            return x * hardSigmoid(x, 1.0 / 6, 0.5);
        case Kind::leakyRelu:
            return x < 0 ? alpha * x : x;
        case Kind::relu:
            return positivePart(x);
        case Kind::scaledTanh:
            return alpha * std::tanh(beta * x);
        case Kind::sigmoid:
            return sigmoid(x);
        case Kind::silu:
            return x * sigmoid(alpha * x);
        case Kind::softplus:
            return softplus(x);
        case Kind::softsign:
            return x / (1 + std::abs(x));
        case Kind::tanh:
            return std::tanh(x);
        case Kind::thresholdedRelu:
            return x > alpha ? x : 0;
    }
    return x;
}

bool Activation::isSpecial() const {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.kind == kind && row.isSpecial; });
}

Activation activationNamed(const std::string& name, const std::vector<float>& parameters) {
    if (name.empty()) return {};
    const Row* row = findRow(name);
    if (row == nullptr) {
        std::string known;
        for (const Row& each : rows) known += text(known.empty() ? "" : ", ", each.name);
        fail("activation: found '", name, "', expected one of ", known);
    }
    if (parameters.size() > row->parameters) {
        fail("activation ", name, ": found ", parameters.size(), " parameters, expected at most ",
             row->parameters);
    }
    return {.kind = row->kind,
            .alpha = !parameters.empty() ? parameters[0] : row->alpha,
            .beta = parameters.size() > 1 ? parameters[1] : row->beta};
}

size_t activationParameterCount(const std::string& name) {
    const Row* row = findRow(name);
    return row == nullptr ? 0 : row->parameters;
}

Activation readActivation(const AttributeReader& reader) {
    return activationNamed(reader.string("activation", ""), reader.numbers("activation_params"));
}

Activation readFusedActivation(const AttributeReader& reader) {
    std::vector<float> parameters = reader.numbers("activation_params");
    for (const char* name : {"activation_alpha", "activation_beta"}) {
        if (const auto parameter = reader.maybeNumber(name)) parameters.push_back(*parameter);
    }
    const std::string name = reader.string("activation", "");
    parameters.resize(std::min(parameters.size(), activationParameterCount(name)));
    return activationNamed(name, parameters);
}

}  // namespace engine
