#pragma once

#include <string>
#include <vector>

#include "engine/report/json.h"
#include "engine/session.h"

namespace engine {

/// All of a profile, times in nanoseconds, sizes in bytes, every latency in order.
Json profileJson(const Session& session, const ProfileResult& profile);

/// Its tables: "types" and "steps"; `originNames` by OriginId.
Json rowsJson(const std::vector<ProfileRow>& types, const std::vector<ProfileRow>& steps,
              const std::vector<std::string>& originNames);

/// What each node of the file is called, by OriginId: its name, or "Conv #7" where it has none.
std::vector<std::string> originNames(const Model& model);

}  // namespace engine
