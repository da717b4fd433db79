#pragma once

#include "views/graph/canvas.h"

namespace views {

/// The visible node that an arrow key leads to: up and down along the edges, left and right to the neighbour
/// at the same height. -1: there is none.
int walk(const LaidOutScene& scene, int from, Step step);

/// Where walking starts when nothing is selected: the topmost visible node.
int firstNode(const LaidOutScene& scene);

/// The node that makes the value, or stands for it; -1 if there is none.
int nodeOfValue(const Scene& scene, engine::ValueId value);

}  // namespace views
