#pragma once

#include <vector>

#include "engine/ops/activation.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/window.h"

namespace engine {

/// The attributes of Conv, and of FusedConv, which adds the activation.
struct ConvAttributes {
    WindowAttributes window = {};
    int64_t group = 1;
    Activation activation = {};
};
ConvAttributes readConv(const AttributeReader& reader);
ConvAttributes readFusedConv(const AttributeReader& reader);

/// Sets the type of output 0 for an input 0 convolved with input `weights`.
void inferConvolution(InferContext& context, const ConvAttributes& attributes, size_t weights,
                      DataType element);
/// Multiply-adds of a convolution with the weights at input `weights`.
Dim convolutionMultiplyAdds(const WorkContext& context, size_t weights);

void inferConv(InferContext& context);
Work convWork(const WorkContext& context);
/// Inputs X, W, optional bias and (FusedConv) optional Z, added before the activation.
void convReference(KernelContext& context);

/// The sizes of one convolution, checked against each other.
struct ConvGeometry {
    int64_t batch = 0;
    int64_t group = 1;
    int64_t inputChannels = 0;   ///< of one group
    int64_t outputChannels = 0;  ///< of all groups
    std::vector<WindowAxis> axes = {};

    Dims outputDims() const;
};
ConvGeometry convGeometry(const ConvAttributes& attributes, const Dims& input, const Dims& weights);

/// Adds to `plane`, the output's channel `channel`, the products of all input channels of `image` with the
/// channel's weights.
template <class Sum>
void convolveChannel(const ConvGeometry& geometry, const WindowRows& rows, const Sum* image,
                     const Sum* weights, int64_t channel, Sum* plane, Pace& pace) {
    const int64_t group = channel / (geometry.outputChannels / geometry.group);
    const int64_t step = rows.inputStep();
    for (int64_t c = 0; c < geometry.inputChannels; ++c) {
        const Sum* input = image + (group * geometry.inputChannels + c) * rows.inputElements();
        const Sum* taps = weights + (channel * geometry.inputChannels + c) * rows.taps();
        rows.forEach([&](const WindowRow& row) {
            const Sum weight = taps[row.tap];
            const Sum* from = input + row.input;
            Sum* to = plane + row.output;
            if (step == 1) {
                for (int64_t i = 0; i < row.count; ++i) to[i] += weight * from[i];
            } else {
                for (int64_t i = 0; i < row.count; ++i) to[i] += weight * from[i * step];
            }
            pace.spend(row.count);
        });
    }
}

}  // namespace engine
