#pragma once

#include <cstdint>

namespace engine {

/// dividend / divisor rounded up, for any dividend above INT64_MIN and a divisor of at least 1; overflows
/// nowhere.
constexpr int64_t ceilDivide(int64_t dividend, int64_t divisor) {
    return dividend > 0 ? (dividend - 1) / divisor + 1 : -(-dividend / divisor);
}

}  // namespace engine
