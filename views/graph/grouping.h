#pragma once

#include "views/graph/scene.h"

namespace views {

/// Finds groups from the names of the scene's operations ("/encoder/layer.0/attention/MatMul"), sets
/// SceneNode::group, and which groups are closed.
void addGroups(Scene& scene, const SceneOptions& options);

}  // namespace views
