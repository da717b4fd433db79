#pragma once

#include <optional>
#include <vector>

#include "engine/ops/convolution.h"
#include "engine/providers/cpu/epilogue.h"

namespace engine::cpu {

/// A convolution of floats and what follows it, whatever node asks for it.
struct ConvRequest {
    ConvGeometry geometry = {};
    ValueId input = {};
    Dims weightDims = {};                ///< as the node has them: [channels, channels of a group, kernel]
    std::optional<Tensor> weights = {};  ///< if they are constant
    ValueId weightsValue = {};           ///< if not
    bool hasBias = false;
    std::optional<Tensor> bias = {};
    ValueId biasValue = {};
    std::vector<NodeId> nodes = {};
    const char* name = "conv";
    Epilogue epilogue = {};
    size_t ownPosts = 0;  ///< how many at its front must be done with the convolution

    bool isConstant() const { return weights.has_value() && (!hasBias || bias.has_value()); }
};

/// Adds the step, with as much of the epilogue as oneDNN does well. False if there is no way to do what the
/// node itself needs.
bool addConvStep(CpuBuilder& builder, const ConvRequest& request);

}  // namespace engine::cpu
