#pragma once

#include <span>
#include <vector>

#include "engine/ops/infer_context.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/window.h"

namespace engine {

/// The attributes of MaxPool, AveragePool and LpPool; each reads those it has.
struct PoolAttributes {
    WindowAttributes window = {};
    bool countIncludePad = false;     ///< AveragePool
    bool columnMajorIndices = false;  ///< MaxPool's storage_order
    double p = 2;                     ///< LpPool
};
PoolAttributes readPool(const AttributeReader& reader);

/// The exponent of LpPool and GlobalLpPool: a float before opset 2, an integer since. Throws Error unless
/// positive.
double readExponent(const AttributeReader& reader);

/// Output 0 of input 0's element type, pooled.
void inferPool(InferContext& context);
/// One FLOP per output and tap.
Work poolWork(const WorkContext& context);

/// The sizes of one pooling: `planes` windows slide over one plane of the input each.
struct PoolGeometry {
    int64_t planes = 0;
    std::vector<WindowAxis> axes = {};
    Dims outputDims = {};
};
PoolGeometry poolGeometry(const PoolAttributes& attributes, const Dims& input);

/// Runs `visit(inputIndex, outputIndex)`, counted in one plane, for each meeting of a window with an input
/// element; an output meets its inputs in ascending order.
template <class Visit>
void forEachPooled(const WindowRows& rows, Pace& pace, Visit&& visit) {
    const int64_t step = rows.inputStep();
    rows.forEach([&](const WindowRow& row) {
        for (int64_t i = 0; i < row.count; ++i) {
            visit(static_cast<size_t>(row.input + i * step), static_cast<size_t>(row.output + i));
        }
        pace.spend(row.count);
    });
}

}  // namespace engine
