#include "engine/profile/steadiness.h"

#include <cmath>

#include "engine/profile/statistics.h"

namespace engine {

bool isSteady(std::span<const double> samples, size_t window, double tolerance) {
    if (samples.size() < window || window < 4) return false;
    const std::span<const double> last = samples.last(window);
    const double early = quantile(last.first(window / 2), 0.5);
    const double late = quantile(last.last(window / 2), 0.5);
    return std::abs(early - late) <= tolerance * quantile(last, 0.5);
}

size_t nextTestCount(size_t count) { return count < 64 ? 64 : count + count / 2; }

}  // namespace engine
