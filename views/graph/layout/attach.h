#pragma once

#include <vector>

#include "views/graph/layout/problem.h"

namespace layout {

/// Where the values of an item leave its lower border, from the axis, in the order of their ports.
std::vector<double> spreadOutputs(const Item& item, size_t count);

/// Where lines that come from the places `from` (relative to the axis) enter the upper border: those from
/// straight above at the axis, the others beside it in the order they come.
std::vector<double> spreadInputs(const Item& item, const std::vector<double>& from);

}  // namespace layout
