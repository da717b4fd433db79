#include "engine/plan/placement.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace engine {

Choice choose(const NodeView& node, const std::vector<const Provider*>& providers) {
    Choice choice;
    int best = -1;
    std::vector<std::pair<const Provider*, Support>> answers;
    for (const Provider* provider : providers) {
        const ProviderInfo info = provider->info();
        Support answer =
            info.whyUnavailable.empty() ? provider->supports(node) : Support::no(info.whyUnavailable);
        if (answer.isYes && answer.preference > best) {
            best = answer.preference;
            choice.provider = provider;
        }
        answers.emplace_back(provider, std::move(answer));
    }
    for (const auto& [provider, answer] : answers) {
        if (provider == choice.provider) continue;
        if (!answer.isYes) {
            choice.refusals.push_back({provider->info().name, answer.reason});
        } else {
            choice.refusals.push_back(
                {provider->info().name,
                 text("takes it too, but ", choice.provider->info().name, " prefers it more")});
        }
    }
    return choice;
}

std::vector<Partition> partition(const Graph& graph, const std::vector<NodeId>& nodes,
                                 const std::vector<const Provider*>& providerOfNode) {
    std::map<ValueId, size_t> producedBy;
    std::vector<size_t> level(nodes.size(), 0);
    std::vector<const Provider*> seen;
    std::map<std::pair<size_t, size_t>, Partition> groups;
    for (size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueId input : reads(graph.node(nodes[i]))) {
            const auto found = producedBy.find(input);
            if (found == producedBy.end()) continue;
            const size_t producer = found->second;
            level[i] =
                std::max(level[i], level[producer] + (providerOfNode[producer] == providerOfNode[i] ? 0 : 1));
        }
        for (const ValueId output : graph.node(nodes[i]).outputs) {
            if (output.isValid()) producedBy[output] = i;
        }
        auto position = std::find(seen.begin(), seen.end(), providerOfNode[i]);
        if (position == seen.end()) position = seen.insert(seen.end(), providerOfNode[i]);
        Partition& group = groups[{level[i], static_cast<size_t>(position - seen.begin())}];
        group.provider = providerOfNode[i];
        group.nodes.push_back(nodes[i]);
    }
    std::vector<Partition> result;
    for (auto& [key, group] : groups) result.push_back(std::move(group));
    return result;
}

std::vector<Partition> connectedParts(const Graph& graph, const std::vector<Partition>& partitions) {
    std::vector<Partition> result;
    for (const Partition& whole : partitions) {
        std::vector<size_t> leader(whole.nodes.size());
        std::iota(leader.begin(), leader.end(), size_t{0});
        const auto find = [&](size_t i) {
            while (leader[i] != i) i = leader[i] = leader[leader[i]];
            return i;
        };
        std::map<ValueId, size_t> producedBy;
        for (size_t i = 0; i < whole.nodes.size(); ++i) {
            for (const ValueId input : reads(graph.node(whole.nodes[i]))) {
                if (const auto found = producedBy.find(input); found != producedBy.end())
                    leader[find(i)] = find(found->second);
            }
            for (const ValueId output : graph.node(whole.nodes[i]).outputs) {
                if (output.isValid()) producedBy[output] = i;
            }
        }
        std::map<size_t, size_t> indexOfLeader;
        for (size_t i = 0; i < whole.nodes.size(); ++i) {
            const auto [entry, isNew] = indexOfLeader.emplace(find(i), result.size());
            if (isNew) result.push_back({.provider = whole.provider});
            result[entry->second].nodes.push_back(whole.nodes[i]);
        }
    }
    return result;
}

}  // namespace engine
