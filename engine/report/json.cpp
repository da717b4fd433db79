#include "engine/report/json.h"

#include <cmath>

namespace engine {

std::string dump(const Json& json) {
    constexpr int indent = 2;
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json finite(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    return number;
}

Json known(double number) { return std::isfinite(number) && number >= 0 ? Json(number) : Json(nullptr); }

Json toJson(const Estimate& estimate, const std::string& unit) {
    return {{"median_" + unit, estimate.median},
            {"low_" + unit, estimate.low},
            {"high_" + unit, estimate.high},
            {"minimum_" + unit, estimate.minimum},
            {"maximum_" + unit, estimate.maximum},
            {"mean_" + unit, estimate.mean},
            {"count", estimate.count},
            {"effective_count", estimate.effectiveCount},
            {"is_unstable", estimate.isUnstable}};
}

}  // namespace engine
