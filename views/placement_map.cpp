#include "views/placement_map.h"

#include <algorithm>
#include <map>

#include <QStringList>

#include "views/format.h"

namespace views {

PlacementMap::PlacementMap(std::shared_ptr<const engine::Session> session)
    : session_(std::move(session)), byOrigin_(session_->model().origins.size(), nullptr) {
    for (const engine::Placement& placement : session_->placement().nodes) {
        for (const engine::OriginId origin : placement.origins) {
            if (origin.index < byOrigin_.size()) byOrigin_[origin.index] = &placement;
        }
    }
    // What stands in a body runs where the planner of the body puts it; until known, as the node that holds
    // it.
    const std::vector<engine::OriginPlace>& places = session_->model().origins;
    for (size_t index = 0; index < byOrigin_.size(); ++index) {
        const engine::OriginId parent = places[index].parent;
        if (byOrigin_[index] == nullptr && parent.isValid()) byOrigin_[index] = byOrigin_[parent.index];
    }
}

const engine::Placement* PlacementMap::of(engine::OriginId origin) const {
    return origin.isValid() && origin.index < byOrigin_.size() ? byOrigin_[origin.index] : nullptr;
}

std::string PlacementMap::provider(engine::OriginId origin) const {
    const engine::Placement* placement = of(origin);
    return placement == nullptr ? std::string() : placement->provider;
}

QString PlacementMap::whyRemoved(engine::OriginId origin) const {
    QStringList passes;
    for (const engine::PassRecord& record : session_->passes()) {
        const auto& touched = record.touched;
        if (std::find(touched.begin(), touched.end(), origin) != touched.end()) {
            passes << qstring(record.pass);
        }
    }
    passes.removeDuplicates();
    if (passes.isEmpty()) return "No step runs it: its result was known before the run, or nothing reads it.";
    return "No step runs it: " + passes.join(", ") + " folded or removed it.";
}

std::vector<PlacementMap::Share> PlacementMap::shares() const {
    std::map<std::string, size_t> counts;
    for (const engine::Placement& placement : session_->placement().nodes) ++counts[placement.provider];
    std::vector<Share> result;
    for (const auto& [provider, nodes] : counts) result.push_back({provider, nodes});
    std::stable_sort(result.begin(), result.end(),
                     [](const Share& a, const Share& b) { return a.nodes > b.nodes; });
    return result;
}

}  // namespace views
