#pragma once

#include <vector>

#include "engine/core/datum.h"
#include "engine/graph/graph.h"

namespace test {

/// Every element type that tensors can have.
std::vector<engine::DataType> allDataTypes();

/// Five elements of that type, as a [5] tensor; the same on every call.
engine::Tensor sampleTensor(engine::DataType type);

/// Same type, dims and elements, to the bit.
bool isSame(const engine::Tensor& a, const engine::Tensor& b);

/// A node with an attribute of every kind that ONNX has.
engine::Node nodeWithAllAttributes();

}  // namespace test
