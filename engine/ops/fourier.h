#pragma once

#include <complex>
#include <vector>

#include "engine/ops/pace.h"

namespace engine {

enum class FourierDirection : uint8_t { forward, inverse };

/// The discrete Fourier transform of any length; the inverse one is divided by the length. Sizes with small
/// factors are quick; a prime factor costs its square.
std::vector<std::complex<double>> fourier(std::vector<std::complex<double>> signal,
                                          FourierDirection direction, Pace& pace);

}  // namespace engine
