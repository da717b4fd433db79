#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ops/attribute_reader.h"

namespace engine {

/// A scalar function in which a fused operator ends, or that a recurrent one is told to use by name.
struct Activation {
    enum class Kind : uint8_t {
        none,
        affine,
        clip,
        elu,
        gelu,
        hardSigmoid,
        hardSwish,
        leakyRelu,
        relu,
        scaledTanh,
        sigmoid,
        silu,
        softplus,
        softsign,
        tanh,
        thresholdedRelu
    };

    Kind kind = Kind::none;
    float alpha = 0;  ///< the function's first parameter
    float beta = 0;   ///< its second

    double operator()(double x) const;
    /// Whether an evaluation takes exp or the like.
    bool isSpecial() const;
    bool operator==(const Activation&) const = default;
};

/// The activation of that name (any case) with these parameters, where given, else with the defaults of
/// ONNX's operator of the name. "" is none. Throws Error if the name is unknown or there are too many
/// parameters.
Activation activationNamed(const std::string& name, const std::vector<float>& parameters);

/// How many parameters the activation takes; 0 for an unknown name.
size_t activationParameterCount(const std::string& name);

/// The attributes `activation` (a name) and `activation_params` of the fused operators.
Activation readActivation(const AttributeReader& reader);
/// The same, with parameters also as `activation_alpha` and `activation_beta`; those that the function does
/// not take are left out.
Activation readFusedActivation(const AttributeReader& reader);

}  // namespace engine
