#pragma once

#include "engine/providers/cpu/epilogue.h"

namespace engine::cpu {

/// A product with constant weights and what follows it: y[m, n] = x[m, k] W + bias.
struct DenseLayer {
    int64_t m = 1;
    int64_t k = 1;
    int64_t n = 1;
    const float* weights = nullptr;
    int64_t rowStride = 1;     ///< of W, along k
    int64_t columnStride = 1;  ///< of W, along n
    const float* bias = nullptr;
    SlotId input = {};       ///< x, dense rows
    Order outputOrder = {};  ///< of the result, in which rows are dense
    std::vector<NodeId> nodes = {};
    std::string name = {};  ///< "matmul": for the kernel's name
    Epilogue epilogue = {};
    size_t ownPosts = 0;  ///< how many at its front belong to the node itself: they are done in any case
};

/// Whether few enough rows make the panel kernel the better one.
bool hasFewRows(const DenseLayer& layer);
/// Adds the step by the panel kernel, with as much of the epilogue as it can do. False if that is less than
/// the node itself needs.
bool addPanelStep(CpuBuilder& builder, const DenseLayer& layer);
/// Adds the step by oneDNN's inner product on packed weights, with as much of the epilogue as it can do.
/// False if that is less than the node itself needs.
bool addInnerProductStep(CpuBuilder& builder, const DenseLayer& layer);

}  // namespace engine::cpu
