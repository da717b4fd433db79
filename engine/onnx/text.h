#pragma once

#include <string>

#include "engine/graph/graph.h"
#include "engine/model.h"

namespace engine::onnx {

/// The graph in ONNX's text syntax, constants in full: what Model::parse reads.
std::string printGraph(const Graph& graph);

/// The model as its file has it, with head and functions: what a .onnxtxt file holds.
std::string printModel(const Model& model);

}  // namespace engine::onnx
