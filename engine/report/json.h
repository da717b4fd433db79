#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "engine/profile/statistics.h"

namespace engine {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// Indented text. Names that are no UTF-8 (files are like that) get replacement characters.
std::string dump(const Json& json);

/// The number; what JSON has no number for becomes "nan", "inf" or "-inf", as text.
Json finite(double number);

/// The number, or null if it is negative: "unknown" of work and bytes.
Json known(double number);

/// Median, 95 % interval, extremes and counts, with the unit in the keys' names: median_ns.
Json toJson(const Estimate& estimate, const std::string& unit);

}  // namespace engine
