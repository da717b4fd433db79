#pragma once

#include <string>

#include "engine/graph/graph.h"

namespace engine::onnx {

/// The graph in ONNX's text syntax, constants in full: what Model::parse reads.
std::string printGraph(const Graph& graph);

}  // namespace engine::onnx
