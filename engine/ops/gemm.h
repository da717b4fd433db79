#pragma once

#include "engine/ops/activation.h"
#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {

/// alpha * A' * B' + beta * C of Gemm, and the function of it in FusedGemm.
struct GemmAttributes {
    bool transposeA = false;
    bool transposeB = false;
    float alpha = 1;
    float beta = 1;
    Activation activation = {};
};

GemmAttributes readGemm(const AttributeReader& reader);
GemmAttributes readFusedGemm(const AttributeReader& reader);
void inferGemm(InferContext& context);
Work gemmWork(const WorkContext& context);
void gemmReference(KernelContext& context);

}  // namespace engine
