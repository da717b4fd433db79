#include "engine/report/rank_positions.h"

#include <algorithm>

namespace engine {
namespace {

/// The places nearest to `wishes` (least squares, weighted) of which each is at least `distance[i]` right of
/// the one before: isotonic regression by pooling neighbours that want to pass each other.
std::vector<double> spaced(const std::vector<double>& wishes, const std::vector<double>& weights,
                           const std::vector<double>& distance) {
    struct Block {
        double weight;
        double mean;
        size_t size;
    };
    std::vector<Block> blocks;
    double shift = 0;
    std::vector<double> shifts;
    for (size_t i = 0; i < wishes.size(); ++i) {
        shift += distance[i];
        shifts.push_back(shift);
        blocks.push_back({weights[i], wishes[i] - shift, 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
            const Block last = blocks.back();
            blocks.pop_back();
            Block& before = blocks.back();
            const double weight = before.weight + last.weight;
            before.mean = (before.mean * before.weight + last.mean * last.weight) / weight;
            before.weight = weight;
            before.size += last.size;
        }
    }
    std::vector<double> result;
    for (const Block& block : blocks) {
        for (size_t i = 0; i < block.size; ++i) result.push_back(block.mean + shifts[result.size()]);
    }
    return result;
}

/// Distances between the centres of neighbours in a rank.
std::vector<double> distances(const RankedGraph& graph, const std::vector<size_t>& rank, double gap) {
    std::vector<double> result(rank.size(), 0);
    for (size_t i = 1; i < rank.size(); ++i) {
        const RankedGraph::Item& left = graph.items[rank[i - 1]];
        const RankedGraph::Item& right = graph.items[rank[i]];
        const double between = left.isPoint && right.isPoint ? gap / 4 : gap;
        result[i] = left.width / 2 + right.width / 2 + between;
    }
    return result;
}

enum class Side : unsigned char { above, below, both };

double wishOf(const RankedGraph& graph, const RankedGraph::Item& item, Side side) {
    double sum = 0;
    double weight = 0;
    const auto add = [&](const std::vector<size_t>& neighbours) {
        for (const size_t neighbour : neighbours) {
            // Points pull points hard, so that long edges run straight.
            const double pull = item.isPoint && graph.items[neighbour].isPoint ? 8 : 1;
            sum += pull * graph.items[neighbour].center;
            weight += pull;
        }
    };
    if (side != Side::below) add(item.above);
    if (side != Side::above) add(item.below);
    return weight > 0 ? sum / weight : item.center;
}

void placeRank(RankedGraph& graph, const std::vector<size_t>& rank, double gap, Side side) {
    std::vector<double> wishes;
    std::vector<double> weights;
    for (const size_t index : rank) {
        const RankedGraph::Item& item = graph.items[index];
        wishes.push_back(wishOf(graph, item, side));
        weights.push_back(1.0 + static_cast<double>(item.above.size() + item.below.size()));
    }
    const std::vector<double> places = spaced(wishes, weights, distances(graph, rank, gap));
    for (size_t i = 0; i < rank.size(); ++i) graph.items[rank[i]].center = places[i];
}

}  // namespace

void placeInRanks(RankedGraph& graph, double gap) {
    for (const auto& rank : graph.ranks) {
        double at = 0;
        const std::vector<double> distance = distances(graph, rank, gap);
        for (size_t i = 0; i < rank.size(); ++i) graph.items[rank[i]].center = at += distance[i];
        for (const size_t item : rank) graph.items[item].center -= at / 2;
    }
    constexpr int sweeps = 24;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (size_t r = 1; r < graph.ranks.size(); ++r) placeRank(graph, graph.ranks[r], gap, Side::above);
        for (size_t r = graph.ranks.size(); r-- > 1;) placeRank(graph, graph.ranks[r - 1], gap, Side::below);
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (const auto& rank : graph.ranks) placeRank(graph, rank, gap, Side::both);
    }
}

}  // namespace engine
