#pragma once

#include <string>

#include "engine/core/type.h"
#include "engine/profile/statistics.h"

namespace engine {

/// What a number measures, and so how it is written.
enum class Unit : uint8_t { none, nanoseconds, bytes, count, flops, flopsPerSecond, bytesPerSecond };

/// Three significant digits with an SI prefix: "3.42 ms", "12.0 MB" (10^6), "2.71 M". NaN and negative where
/// that makes no sense: "n/a".
std::string format(double number, Unit unit);

/// "3.42 ms ± 0.03": median and half the 95 % interval, in one unit.
std::string format(const Estimate& estimate, Unit unit);

/// "97.1 %"; "<0.1 %" for what is less but not nothing.
std::string formatShare(double share);

/// "1×64×h/4×w/4"; "scalar" for rank 0, "?" for an unknown rank.
std::string shapeLabel(const Type& type);

}  // namespace engine
