#include "engine/report/column_routes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine {
namespace {

constexpr double laneGap = 6;  ///< between edges that go round to the next column side by side

/// The ranks of one column, and where they lie.
struct ColumnSpan {
    size_t first = 0;
    size_t last = 0;  ///< inclusive
    double left = 0;  ///< in the ranks' own coordinates
    double right = 0;
    double offsetX = 0;  ///< added to those
    double height = 0;
    size_t lanesIn = 0;  ///< edges that come from the column before
};

class Router {
public:
    Router(const LayoutProblem& problem, const RankedGraph& graph) : problem_(problem), graph_(graph) {}

    Layout run() {
        measureRanks();
        chooseColumns();
        placeColumns();
        placeBoxes();
        for (const auto& chain : graph_.chains) layout_.edges.push_back(route(chain));
        return std::move(layout_);
    }

private:
    void measureRanks() {
        rankHeights_.assign(graph_.ranks.size(), 0);
        crossing_.assign(graph_.ranks.size(), 0);
        for (size_t i = 0; i < problem_.boxes.size(); ++i) {
            double& height = rankHeights_[graph_.items[i].rank];
            height = std::max(height, problem_.boxes[i].height);
        }
        for (const RankedGraph::Item& item : graph_.items) crossing_[item.rank] += item.below.size();
    }

    double spanHeight(size_t first, size_t last) const {
        double height = 0;
        for (size_t r = first; r <= last; ++r) height += rankHeights_[r] + (r > first ? problem_.rankGap : 0);
        return height;
    }

    /// Columns of about `target` height; within a fifth of it the cut goes where fewest edges cross.
    std::vector<ColumnSpan> cut(double target) const {
        std::vector<ColumnSpan> columns;
        size_t first = 0;
        while (first < graph_.ranks.size()) {
            size_t best = graph_.ranks.size() - 1;
            size_t fewest = std::numeric_limits<size_t>::max();
            double height = 0;
            for (size_t r = first; r < graph_.ranks.size(); ++r) {
                height += rankHeights_[r] + (r > first ? problem_.rankGap : 0);
                if (height > target * 1.1 && r > first) break;
                const bool isLast = r + 1 == graph_.ranks.size();
                if (isLast || (height > target * 0.8 && crossing_[r] <= fewest)) {
                    best = r;
                    fewest = isLast ? 0 : crossing_[r];
                } else if (fewest == std::numeric_limits<size_t>::max()) {
                    best = r;
                }
            }
            columns.push_back({.first = first, .last = best, .height = spanHeight(first, best)});
            measure(columns.back());
            first = best + 1;
        }
        return columns;
    }

    void measure(ColumnSpan& column) const {
        column.left = std::numeric_limits<double>::max();
        column.right = std::numeric_limits<double>::lowest();
        for (size_t r = column.first; r <= column.last; ++r) {
            for (const size_t index : graph_.ranks[r]) {
                const RankedGraph::Item& item = graph_.items[index];
                column.left = std::min(column.left, item.center - item.width / 2);
                column.right = std::max(column.right, item.center + item.width / 2);
            }
        }
        if (column.first > 0) column.lanesIn = crossing_[column.first - 1];
    }

    double gapBefore(const ColumnSpan& column) const {
        return problem_.columnGap + laneGap * static_cast<double>(column.lanesIn);
    }

    double totalWidth(const std::vector<ColumnSpan>& columns) const {
        double width = 0;
        for (size_t i = 0; i < columns.size(); ++i) {
            width += columns[i].right - columns[i].left + (i > 0 ? gapBefore(columns[i]) : 0);
        }
        return width;
    }

    void chooseColumns() {
        const double whole = spanHeight(0, graph_.ranks.size() - 1);
        constexpr size_t mostColumns = 24;
        double best = std::numeric_limits<double>::max();
        for (size_t count = 1; count <= std::min(mostColumns, graph_.ranks.size()); ++count) {
            std::vector<ColumnSpan> columns = cut(whole / static_cast<double>(count));
            double height = 0;
            for (const ColumnSpan& column : columns) height = std::max(height, column.height);
            const double misfit = std::abs(std::log(totalWidth(columns) / height / problem_.aspect));
            if (misfit >= best) continue;
            best = misfit;
            columns_ = std::move(columns);
        }
    }

    void placeColumns() {
        size_t mostLanes = 0;
        for (const ColumnSpan& column : columns_) mostLanes = std::max(mostLanes, column.lanesIn);
        const double margin = mostLanes > 0 ? laneGap * static_cast<double>(mostLanes) + problem_.rankGap : 0;
        top_ = margin;
        double x = 0;
        double tallest = 0;
        for (size_t i = 0; i < columns_.size(); ++i) {
            if (i > 0) x += gapBefore(columns_[i]);
            columns_[i].offsetX = x - columns_[i].left;
            x += columns_[i].right - columns_[i].left;
            tallest = std::max(tallest, columns_[i].height);
        }
        layout_.width = x;
        layout_.height = tallest + 2 * margin;
        layout_.columns = columns_.size();
        columnOfRank_.resize(graph_.ranks.size());
        rankTops_.resize(graph_.ranks.size());
        for (size_t i = 0; i < columns_.size(); ++i) {
            double y = top_;
            for (size_t r = columns_[i].first; r <= columns_[i].last; ++r) {
                columnOfRank_[r] = i;
                rankTops_[r] = y;
                y += rankHeights_[r] + problem_.rankGap;
            }
        }
    }

    double placedX(const RankedGraph::Item& item) const {
        return item.center + columns_[columnOfRank_[item.rank]].offsetX;
    }

    void placeBoxes() {
        for (size_t i = 0; i < problem_.boxes.size(); ++i) {
            const RankedGraph::Item& item = graph_.items[i];
            const double slack = rankHeights_[item.rank] - problem_.boxes[i].height;
            layout_.boxes.push_back({placedX(item) - item.width / 2, rankTops_[item.rank] + slack / 2});
        }
        lanesUsed_.assign(columns_.size(), 0);
    }

    /// The points at which an edge passes an item: one for a box (its lower or upper edge), two for a point.
    void pass(size_t index, bool isStart, std::vector<LayoutPoint>& piece) const {
        const RankedGraph::Item& item = graph_.items[index];
        const double x = placedX(item);
        if (item.isPoint) {
            piece.push_back({x, rankTops_[item.rank]});
            piece.push_back({x, rankTops_[item.rank] + rankHeights_[item.rank]});
        } else {
            const double y = layout_.boxes[index].y;
            piece.push_back({x, isStart ? y + problem_.boxes[index].height : y});
        }
    }

    /// From the foot of a column through the gutter to the head of the next.
    std::vector<LayoutPoint> bridge(LayoutPoint from, LayoutPoint to, size_t column) {
        const double lane = laneGap * static_cast<double>(lanesUsed_[column]++);
        const double foot = top_ + columns_[column - 1].height + problem_.rankGap / 2 + lane;
        const double head = top_ - problem_.rankGap / 2 - lane;
        const double gutter =
            columns_[column].left + columns_[column].offsetX - problem_.columnGap / 2 - lane;
        return {from, {from.x, foot}, {gutter, foot}, {gutter, head}, {to.x, head}, to};
    }

    Layout::Route route(const std::vector<size_t>& chain) {
        Layout::Route result;
        result.pieces.emplace_back();
        pass(chain[0], true, result.pieces.back());
        for (size_t i = 1; i < chain.size(); ++i) {
            const size_t column = columnOfRank_[graph_.items[chain[i]].rank];
            if (column == columnOfRank_[graph_.items[chain[i - 1]].rank]) {
                pass(chain[i], false, result.pieces.back());
                continue;
            }
            std::vector<LayoutPoint> next;
            pass(chain[i], false, next);
            result.bridges.push_back(bridge(result.pieces.back().back(), next.front(), column));
            result.pieces.push_back(std::move(next));
        }
        return result;
    }

    const LayoutProblem& problem_;
    const RankedGraph& graph_;
    Layout layout_;
    std::vector<double> rankHeights_;
    std::vector<size_t> crossing_;  ///< edges between a rank and the next
    std::vector<ColumnSpan> columns_;
    std::vector<size_t> columnOfRank_;
    std::vector<double> rankTops_;
    std::vector<size_t> lanesUsed_;
    double top_ = 0;
};

}  // namespace

Layout routed(const LayoutProblem& problem, const RankedGraph& graph) { return Router(problem, graph).run(); }

}  // namespace engine
