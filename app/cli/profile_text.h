#pragma once

#include <string>

#include "app/cli/run_arguments.h"

namespace cli {

enum class Rows : unsigned char { slowest, all };

/// A profile for people: latency, cold start, memory, then a table per operator type and one per node.
std::string profileText(const Prepared& prepared, const engine::ProfileResult& profile, Rows rows);

/// Its two tables: per operator type, and per node.
std::string rowsText(const std::vector<engine::ProfileRow>& types,
                     const std::vector<engine::ProfileRow>& steps, Rows rows);

}  // namespace cli
