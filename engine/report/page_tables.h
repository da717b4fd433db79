#pragma once

#include <string>

#include "engine/session.h"

namespace engine {

// Tables of the HTML report.
std::string typesTable(const ProfileResult& profile);
std::string stepsTable(const Session& session, const ProfileResult& profile);
/// Why nodes are not on a provider asked before: a row per reason.
std::string refusalsTable(const PlacementReport& placement);
std::string passesTable(const Session& session);

}  // namespace engine
