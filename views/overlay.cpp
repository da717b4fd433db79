#include "views/overlay.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Of a fused step's nodes the one that does the first operator of its chain.
engine::OriginId leaderOf(const engine::Model& model, const engine::StepInfo& step) {
    const std::string first = step.operatorType.substr(0, step.operatorType.find('+'));
    for (const engine::OriginId origin : step.origins) {
        const engine::OriginPlace& place = model.origins[origin.index];
        if (place.graph->node(place.node).operatorType == first) return origin;
    }
    return step.origins.front();
}

void add(Overlay& overlay, engine::OriginId origin, double value, double halfInterval) {
    Overlay::Entry& entry = overlay.entries[origin.index];
    entry.leader = origin;
    entry.value = std::isnan(entry.value) ? value : entry.value + value;
    entry.halfInterval = std::hypot(entry.halfInterval, halfInterval);
}

void findLargest(Overlay& overlay) {
    for (const Overlay::Entry& entry : overlay.entries) {
        if (!std::isnan(entry.value)) overlay.largest = std::max(overlay.largest, entry.value);
    }
}

/// An overlay over the nodes of the main graph, from the cost of each.
template <class Figure>
std::shared_ptr<const Overlay> costOverlay(const engine::Model& model, const engine::TypedGraph& types,
                                           Overlay start, const Figure& figure) {
    auto overlay = std::make_shared<Overlay>(std::move(start));
    overlay->entries.resize(model.origins.size());
    const engine::Graph& graph = *types.graph;
    for (size_t index = 0; index < graph.nodes.size(); ++index) {
        const engine::Node& node = graph.nodes[index];
        if (node.origins.empty() || types.nodes[index].op == nullptr) continue;
        const engine::Dim dim = figure(engine::costOf(types, engine::NodeId(index)));
        if (!dim.isNumber()) continue;
        const auto value = static_cast<double>(dim.number());
        add(*overlay, node.origins.front(), value, 0);
        overlay->total += value;
    }
    findLargest(*overlay);
    return overlay;
}

}  // namespace

const Overlay::Entry* Overlay::find(engine::OriginId origin) const {
    if (!origin.isValid() || origin.index >= entries.size()) return nullptr;
    const Entry& entry = entries[origin.index];
    return entry.leader.isValid() ? &entry : nullptr;
}

double Overlay::share(engine::OriginId origin) const {
    const Entry* entry = find(origin);
    return entry == nullptr || std::isnan(entry->value) || total <= 0 ? nothing : entry->value / total;
}

double Overlay::heat(engine::OriginId origin) const {
    const Entry* entry = find(origin);
    if (entry != nullptr && std::isnan(entry->value)) entry = find(entry->leader);
    if (entry == nullptr || std::isnan(entry->value)) return nothing;
    return largest <= 0 ? 0 : std::sqrt(std::max(0.0, entry->value) / largest);
}

std::shared_ptr<const Overlay> timeOverlay(const engine::Model& model, const engine::ProfileResult& profile) {
    auto overlay = std::make_shared<Overlay>();
    overlay->name = "time";
    overlay->scope =
        "median time per run of the step that a node is part of; a body counts into its If or Loop";
    overlay->unit = Unit::nanoseconds;
    overlay->entries.resize(model.origins.size());
    for (const engine::ProfileRow& row : profile.steps) {
        if (row.info.parent < 0) overlay->total += row.timeNs.median;
        if (row.info.origins.empty()) continue;
        const engine::OriginId leader = leaderOf(model, row.info);
        add(*overlay, leader, row.timeNs.median, row.timeNs.halfInterval());
        for (const engine::OriginId origin : row.info.origins) {
            Overlay::Entry& entry = overlay->entries[origin.index];
            if (!entry.leader.isValid()) entry.leader = leader;
        }
    }
    findLargest(*overlay);
    return overlay;
}

std::shared_ptr<const Overlay> workOverlay(const engine::Model& model, const engine::TypedGraph& types) {
    return costOverlay(model, types,
                       {.name = "work",
                        .scope = "FLOPs of one run, one multiply-add = 2, for the bound shapes",
                        .unit = Unit::flops,
                        .entries = {}},
                       [](const engine::NodeCost& cost) {
                           return 2 * cost.work.multiplyAdds + cost.work.otherFlops +
                                  cost.work.specialFunctions;
                       });
}

std::shared_ptr<const Overlay> parameterOverlay(const engine::Model& model, const engine::TypedGraph& types) {
    return costOverlay(model, types,
                       {.name = "parameters",
                        .scope = "bytes of constants that the node reads",
                        .unit = Unit::bytes,
                        .entries = {}},
                       [](const engine::NodeCost& cost) { return cost.parameterBytes; });
}

}  // namespace views
