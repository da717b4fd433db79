#include "views/graph/layout/lanes.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace layout {

Reach::Reach(const std::vector<double>& start) : size_(std::max(1, static_cast<int>(start.size()))) {
    best_.assign(4 * static_cast<size_t>(size_), 0);
    all_.assign(4 * static_cast<size_t>(size_), 0);
    for (size_t i = 0; i < start.size(); ++i) raise(static_cast<int>(i), static_cast<int>(i), start[i]);
}

double Reach::most(int node, int low, int high, int first, int last) const {
    if (first > high || last < low) return 0;
    if (first <= low && high <= last) return best_[node];
    const int middle = (low + high) / 2;
    return std::max({all_[node], most(2 * node, low, middle, first, last),
                     most(2 * node + 1, middle + 1, high, first, last)});
}

void Reach::raise(int node, int low, int high, int first, int last, double reach) {
    if (first > high || last < low) return;
    best_[node] = std::max(best_[node], reach);
    if (first <= low && high <= last) {
        all_[node] = std::max(all_[node], reach);
        return;
    }
    const int middle = (low + high) / 2;
    raise(2 * node, low, middle, first, last, reach);
    raise(2 * node + 1, middle + 1, high, first, last, reach);
}

void chooseSides(std::vector<Lane>& lanes) {
    std::vector<size_t> order(lanes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return lanes[a].first != lanes[b].first ? lanes[a].first < lanes[b].first
                                                : lanes[a].last > lanes[b].last;
    });
    using Ends = std::priority_queue<int, std::vector<int>, std::greater<>>;
    Ends left;
    Ends right;
    for (const size_t i : order) {
        Lane& lane = lanes[i];
        for (Ends* ends : {&left, &right}) {
            while (!ends->empty() && ends->top() < lane.first) ends->pop();
        }
        if (!lane.fixed) lane.side = left.size() < right.size() ? Side::left : Side::right;
        (lane.side == Side::left ? left : right).push(lane.last);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return lanes[a].last - lanes[a].first < lanes[b].last - lanes[b].first;
    });
    for (size_t k = 0; k < order.size(); ++k) lanes[order[k]].order = static_cast<int>(k);
}

}  // namespace layout
