#pragma once

#include <memory>
#include <optional>

#include "views/graph/layout/decompose.h"
#include "views/graph/layout/problem.h"
#include "views/graph/layout/work.h"

namespace layout {

/// Lays out a connected problem: cut into a chain where it can be, split into branches side by side where it
/// can be, in rows where neither helps. Equal problems are laid out once. `depth` counts the parts around
/// this one.
std::shared_ptr<const Placement> layoutPart(const Problem& problem, Work& work, int depth);

/// Lays out the blocks of a chain and stacks them, waists on the axis, long links in lanes beside the blocks.
Placement layoutChain(const Problem& problem, const Chain& chain, Work& work, int depth);

/// Lays out what top and bottom have between them as branches side by side; nothing if it hangs together.
std::optional<Placement> layoutBranches(const Problem& problem, Work& work, int depth);

}  // namespace layout
