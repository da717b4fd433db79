#pragma once

#include <string>

#include "engine/core/datum.h"
#include "engine/report/json.h"

namespace engine {

/// What a tensor's elements are like. Complex numbers count by their magnitude; strings have no figures.
struct TensorSummary {
    int64_t elements = 0;
    int64_t notANumber = 0;
    int64_t infinite = 0;
    bool hasFigures = false;  ///< there is a finite number
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
};
TensorSummary summarize(const Tensor& tensor);

/// "0.12 … 0.97, mean 0.5" for people; few elements are listed: "[1, 2, 3]".
std::string summaryText(const Datum& datum);

Json summaryJson(const Datum& datum);

}  // namespace engine
