#pragma once

#include <string>

#include "engine/core/datum.h"
#include "engine/ops/op.h"

namespace test {

/// What keeps `found` from being what the operator should give: another kind, type or shape, or an element
/// past the tolerance (the worst, with its index). Empty if nothing does. NaN equals NaN.
std::string difference(const engine::Datum& found, const engine::Datum& expected,
                       engine::Tolerance tolerance);

}  // namespace test
