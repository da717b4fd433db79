#pragma once

#include <span>

namespace engine {

/// Whether the last `window` samples have settled: the medians of their two halves differ by at most
/// `tolerance` of the median. False while there are fewer samples.
bool isSteady(std::span<const double> samples, size_t window, double tolerance);

/// The next sample count at which a stopping rule may be tested, growing by half: testing at every sample
/// would inflate the error of the interval.
size_t nextTestCount(size_t count);

}  // namespace engine
