#pragma once

#include <functional>
#include <memory>
#include <span>

#include "engine/model.h"
#include "engine/ops/inference.h"

namespace engine::onnx {

/// Says of a node that calls no function of the model whether the body in ONNX's specification, if there is
/// one, shall take its place.
using NeedsExpansion = std::function<bool(const Node&)>;

/// Replaces every call of a model's function, and every node that `needsExpansion` names and that has a body
/// in the specification, by the nodes of the body, in subgraphs too. Values keep their ids; new ones are
/// appended, named after the call; new nodes have the call's origins. Bodies that depend on types are built
/// after `types` have been inferred; a node whose body cannot be built stays. Brings new nodes to the newest
/// forms. Gives the result with its types, inferred by `types`; the graph is the same where nothing is to
/// expand. Throws Error for functions that call themselves, and where the expansion exceeds `limits`.
TypedGraph expandFunctions(std::shared_ptr<const Graph> graph, std::span<const Function> functions,
                           const NeedsExpansion& needsExpansion, const InferOptions& types,
                           Observer& observer, const OpenLimits& limits = {});

}  // namespace engine::onnx
