#include "engine/report/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/report/column_routes.h"
#include "engine/report/rank_positions.h"

namespace engine {
namespace {

/// Longest path from the sources; a source then moves down to just above its first reader.
std::vector<size_t> ranksOf(const LayoutProblem& problem) {
    const size_t count = problem.boxes.size();
    std::vector<std::vector<size_t>> readers(count);
    std::vector<char> isRead(count, 0);
    for (const LayoutProblem::Edge& edge : problem.edges) {
        readers[edge.from].push_back(edge.to);
        isRead[edge.to] = 1;
    }
    std::vector<size_t> ranks(count, 0);
    for (size_t i = 0; i < count; ++i) {
        for (const size_t reader : readers[i]) ranks[reader] = std::max(ranks[reader], ranks[i] + 1);
    }
    for (size_t i = 0; i < count; ++i) {
        if (isRead[i] != 0 || readers[i].empty()) continue;
        size_t lowest = std::numeric_limits<size_t>::max();
        for (const size_t reader : readers[i]) lowest = std::min(lowest, ranks[reader]);
        ranks[i] = lowest - 1;
    }
    return ranks;
}

/// Boxes, and the points at which edges pass the ranks between.
RankedGraph ranked(const LayoutProblem& problem) {
    RankedGraph graph;
    const std::vector<size_t> ranks = ranksOf(problem);
    const size_t rankCount = ranks.empty() ? 0 : *std::max_element(ranks.begin(), ranks.end()) + 1;
    graph.ranks.resize(rankCount);
    const auto add = [&](size_t rank, double width, bool isPoint) {
        graph.items.push_back({.rank = rank, .width = width, .isPoint = isPoint});
        graph.ranks[rank].push_back(graph.items.size() - 1);
        return graph.items.size() - 1;
    };
    for (size_t i = 0; i < ranks.size(); ++i) add(ranks[i], problem.boxes[i].width, false);
    constexpr double pointWidth = 8;
    for (const LayoutProblem::Edge& edge : problem.edges) {
        std::vector<size_t> chain = {edge.from};
        for (size_t rank = ranks[edge.from] + 1; rank < ranks[edge.to]; ++rank) {
            chain.push_back(add(rank, pointWidth, true));
        }
        chain.push_back(edge.to);
        for (size_t i = 0; i + 1 < chain.size(); ++i) {
            graph.items[chain[i]].below.push_back(chain[i + 1]);
            graph.items[chain[i + 1]].above.push_back(chain[i]);
        }
        graph.chains.push_back(std::move(chain));
    }
    return graph;
}

/// Sorts each rank by the mean place of its neighbours in the rank before, down and up in turn.
void reduceCrossings(RankedGraph& graph) {
    std::vector<double> place(graph.items.size(), 0);
    const auto renumber = [&](const std::vector<size_t>& rank) {
        for (size_t i = 0; i < rank.size(); ++i) place[rank[i]] = static_cast<double>(i);
    };
    for (const auto& rank : graph.ranks) renumber(rank);
    std::vector<double> wish(graph.items.size(), 0);
    const auto sortRank = [&](std::vector<size_t>& rank, bool byAbove) {
        for (const size_t item : rank) {
            const auto& neighbours = byAbove ? graph.items[item].above : graph.items[item].below;
            double sum = 0;
            for (const size_t neighbour : neighbours) sum += place[neighbour];
            wish[item] = neighbours.empty() ? place[item] : sum / static_cast<double>(neighbours.size());
        }
        std::stable_sort(rank.begin(), rank.end(), [&](size_t a, size_t b) { return wish[a] < wish[b]; });
        renumber(rank);
    };
    constexpr int sweeps = 8;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (size_t r = 1; r < graph.ranks.size(); ++r) sortRank(graph.ranks[r], true);
        for (size_t r = graph.ranks.size(); r-- > 1;) sortRank(graph.ranks[r - 1], false);
    }
}

}  // namespace

Layout layeredLayout(const LayoutProblem& problem) {
    if (problem.boxes.empty()) return {};
    RankedGraph graph = ranked(problem);
    reduceCrossings(graph);
    placeInRanks(graph, problem.boxGap);
    return routed(problem, graph);
}

}  // namespace engine
