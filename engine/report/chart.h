#pragma once

#include <span>
#include <string>

#include "engine/profile/statistics.h"

namespace engine {

/// How samples spread: bars, with the median and its interval marked. SVG that takes its colours from the
/// page's CSS variables. Samples beyond the far tail are counted in the caption, not drawn.
std::string histogramSvg(std::span<const double> samples, const Estimate& estimate);

/// Samples in the order in which they came, so that drift shows.
std::string seriesSvg(std::span<const double> samples, const Estimate& estimate);

}  // namespace engine
