#pragma once

#include <memory>
#include <optional>
#include <unordered_set>

#include "engine/graph/id.h"
#include "views/overlay.h"
#include "views/placement_map.h"

namespace views {

/// What the colour of a node says.
enum class ColourBy : uint8_t { provider, family, heat };

/// What lies over a scene: where nodes run, numbers, what is selected and found. A snapshot.
struct SceneLook {
    ColourBy colourBy = ColourBy::provider;
    std::shared_ptr<const PlacementMap> placement = {};  ///< may be null
    std::shared_ptr<const Overlay> overlay = {};         ///< may be null
    std::unordered_set<engine::OriginId> selected = {};
    engine::OriginId current = {};
    engine::ValueId value = {};                       ///< the selected value of this graph
    std::unordered_set<engine::OriginId> found = {};  ///< what the search matches
    bool isSearching = false;                         ///< others step back
};

}  // namespace views
