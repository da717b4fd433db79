#include "views/graph/layout/decompose.h"

#include <algorithm>
#include <numeric>

namespace layout {
namespace {

/// Outgoing edges of each of `count` things, as positions in the edge list.
struct Fan {
    std::vector<int> first;
    std::vector<int> edge;

    Fan(int count, std::span<const std::pair<int, int>> edges) : first(count + 1, 0), edge(edges.size()) {
        for (const auto& [from, to] : edges) ++first[from + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<int> next = first;
        for (size_t i = 0; i < edges.size(); ++i) edge[next[edges[i].first]++] = static_cast<int>(i);
    }
};

std::vector<std::pair<int, int>> forwardEdges(const Problem& problem) {
    std::vector<std::pair<int, int>> edges;
    edges.reserve(problem.links.size());
    for (const Link& link : problem.links) {
        if (!link.back) edges.emplace_back(link.from, link.to);
    }
    return edges;
}

int findRoot(std::vector<int>& parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

std::vector<bool> closingEdges(int count, std::span<const std::pair<int, int>> edges) {
    enum class Mark : char { fresh, open, done };
    const Fan fan(count, edges);
    std::vector<bool> closing(edges.size(), false);
    std::vector<Mark> mark(count, Mark::fresh);
    std::vector<int> next(fan.first.begin(), fan.first.end() - 1);
    std::vector<int> incoming(count, 0);
    for (const auto& [from, to] : edges) ++incoming[to];
    std::vector<int> starts;
    for (int i = 0; i < count; ++i) {
        if (incoming[i] == 0) starts.push_back(i);
    }
    for (int i = 0; i < count; ++i) starts.push_back(i);
    std::vector<int> stack;
    for (const int start : starts) {
        if (mark[start] != Mark::fresh) continue;
        stack.push_back(start);
        mark[start] = Mark::open;
        while (!stack.empty()) {
            const int at = stack.back();
            if (next[at] == fan.first[at + 1]) {
                mark[at] = Mark::done;
                stack.pop_back();
                continue;
            }
            const int edge = fan.edge[next[at]++];
            const int to = edges[edge].second;
            if (mark[to] == Mark::open) closing[edge] = true;
            if (mark[to] != Mark::fresh) continue;
            mark[to] = Mark::open;
            stack.push_back(to);
        }
    }
    return closing;
}

std::vector<std::vector<int>> components(int count, std::span<const std::pair<int, int>> edges) {
    std::vector<int> parent(count);
    std::iota(parent.begin(), parent.end(), 0);
    for (const auto& [from, to] : edges) {
        const int a = findRoot(parent, from);
        const int b = findRoot(parent, to);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::vector<int>> result;
    std::vector<int> at(count, -1);
    for (int i = 0; i < count; ++i) {
        const int root = findRoot(parent, i);
        if (at[root] < 0) {
            at[root] = static_cast<int>(result.size());
            result.emplace_back();
        }
        result[at[root]].push_back(i);
    }
    return result;
}

std::vector<int> flowOrder(const Problem& problem) {
    const int count = static_cast<int>(problem.items.size());
    const auto edges = forwardEdges(problem);
    const Fan fan(count, edges);
    std::vector<int> waits(count, 0);
    for (const auto& [from, to] : edges) ++waits[to];
    std::vector<int> order;
    order.reserve(count);
    for (int i = 0; i < count; ++i) {
        if (waits[i] == 0) order.push_back(i);
    }
    for (size_t i = 0; i < order.size(); ++i) {
        const int at = order[i];
        for (int k = fan.first[at]; k < fan.first[at + 1]; ++k) {
            const int to = edges[fan.edge[k]].second;
            if (--waits[to] == 0) order.push_back(to);
        }
    }
    return order;
}

}  // namespace layout
