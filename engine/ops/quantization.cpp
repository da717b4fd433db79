#include "engine/ops/quantization.h"

#include <algorithm>

#include "engine/core/divide.h"
#include "engine/core/error.h"
#include "engine/ops/attribute_reader.h"
#include "engine/ops/checks.h"
#include "engine/ops/offsets.h"

namespace engine {

Granularity::Granularity(const Dims& dims, const Dims& scaleDims, int64_t axis, int64_t blockSize) {
    if (scaleDims.empty() || elementCount(scaleDims) == 1) return;
    const auto at = static_cast<size_t>(normalizedAxis(axis, static_cast<int64_t>(dims.size())));
    inner_ = static_cast<size_t>(elementCount(Dims(dims.begin() + static_cast<int64_t>(at) + 1, dims.end())));
    size_ = static_cast<size_t>(dims[at]);
    if (inner_ == 0 || size_ == 0) inner_ = size_ = 1;
    if (scaleDims.size() == 1 && scaleDims[0] == dims[at]) {
        placeStride_ = 1;
        return;
    }
    Dims expected = dims;
    if (scaleDims.size() == dims.size()) expected[at] = scaleDims[at];
    const int64_t blocks = scaleDims.size() == dims.size() ? scaleDims[at] : 0;
    if ((blocks < 1 && dims[at] != 0) || scaleDims != expected) {
        fail("scale: found shape ", listText(scaleDims), " for an input of ", listText(dims), " and axis ",
             at, ", expected a single scale, one for each place of the axis, or one for each block along it");
    }
    const int64_t evenBlock = blocks == 0 ? 1 : std::max<int64_t>(ceilDivide(dims[at], blocks), 1);
    const int64_t block = blockSize > 0 ? blockSize : evenBlock;
    if (ceilDivide(dims[at], block) != blocks) {
        fail("block_size: found ", block, ", which does not cut ", dims[at], " elements into ", blocks,
             " blocks");
    }
    block_ = static_cast<size_t>(block);
    innerStride_ = 1;
    placeStride_ = inner_;
    outerStride_ = inner_ * static_cast<size_t>(blocks);
}

Grid gridOf(const Tensor& scale, const Tensor* zeroPoint) {
    Grid grid{.scales = scale.toDouble()};
    grid.zeroPoints.resize(grid.scales.size());
    if (zeroPoint == nullptr) return grid;
    if (zeroPoint->elements() != scale.elements() ||
        (scale.elements() != 1 && zeroPoint->dims() != scale.dims())) {
        fail("zero point: found shape ", listText(zeroPoint->dims()), ", expected ", listText(scale.dims()),
             " as the scale has");
    }
    grid.zeroPoints = zeroPoint->toDouble();
    return grid;
}

std::vector<int32_t> centered(const Tensor& tensor, const Tensor* zeroPoint, const Dims& zeroPointDims,
                              const char* what) {
    if (tensor.type() != DataType::uint8 && tensor.type() != DataType::int8 &&
        tensor.type() != DataType::uint16 && tensor.type() != DataType::int16) {
        fail(what, ": found elements of type ", tensor.type(), ", expected a quantized integer type");
    }
    const std::vector<int64_t> values = tensor.toInt64();
    std::vector<int32_t> result(values.begin(), values.end());
    if (zeroPoint == nullptr) return result;
    const std::vector<int64_t> points = zeroPoint->toInt64();
    if (points.size() == 1) {
        for (int32_t& value : result) value -= static_cast<int32_t>(points[0]);
        return result;
    }
    const std::vector<int64_t> offsets = broadcastOffsets(tensor.dims(), zeroPointDims, what);
    for (size_t i = 0; i < result.size(); ++i) {
        result[i] -= static_cast<int32_t>(points[static_cast<size_t>(offsets[i])]);
    }
    return result;
}

DynamicGrid dynamicGrid(std::span<const float> values) {
    float lowest = 0;
    float highest = 0;
    for (const float value : values) {
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
    if (lowest == highest) return {};
    DynamicGrid grid{.scale = (highest - lowest) / 255};
    grid.zeroPoint = quantizedInteger<uint8_t>(static_cast<double>(-lowest / grid.scale), 0);
    return grid;
}

}  // namespace engine
