#pragma once

#include <memory>

#include "engine/model.h"

namespace engine {

/// The model's graph as passes and planner want it: newest operator forms, functions without a kernel of ours
/// expanded.
std::shared_ptr<const Graph> runnableGraph(const Model& model, Observer& observer);

}  // namespace engine
