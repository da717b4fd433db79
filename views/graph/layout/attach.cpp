#include "views/graph/layout/attach.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace layout {
namespace {

constexpr double widest = 12;
constexpr double usable = 0.7;
constexpr double straight = 1;

double step(double room, size_t count) {
    return count == 0 ? 0 : std::min(widest, usable * room / static_cast<double>(count));
}

}  // namespace

std::vector<double> spreadOutputs(const Item& item, size_t count) {
    std::vector<double> result(count, 0);
    const double room = 2 * std::min(item.left, item.right);
    for (size_t i = 0; i < count; ++i) {
        result[i] = (static_cast<double>(i) - (static_cast<double>(count) - 1) / 2) * step(room, count);
    }
    return result;
}

std::vector<double> spreadInputs(const Item& item, const std::vector<double>& from) {
    std::vector<double> result(from.size(), 0);
    if (from.size() < 2) return result;
    std::vector<size_t> order(from.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return from[a] < from[b]; });
    const auto beside = [&](size_t i) { return std::abs(from[i]) > straight; };
    const size_t lefts =
        std::count_if(order.begin(), order.end(), [&](size_t i) { return beside(i) && from[i] < 0; });
    const size_t rights =
        std::count_if(order.begin(), order.end(), [&](size_t i) { return beside(i) && from[i] > 0; });
    if (lefts + rights == from.size()) {
        const double room = 2 * std::min(item.left, item.right);
        for (size_t k = 0; k < order.size(); ++k) {
            result[order[k]] = (static_cast<double>(k) - (static_cast<double>(order.size()) - 1) / 2) *
                               step(room, order.size());
        }
        return result;
    }
    size_t left = lefts;
    size_t right = 0;
    for (const size_t i : order) {
        if (!beside(i)) continue;
        if (from[i] < 0) {
            result[i] = -static_cast<double>(left--) * step(item.left, lefts + 1);
        } else {
            result[i] = static_cast<double>(++right) * step(item.right, rights + 1);
        }
    }
    return result;
}

}  // namespace layout
