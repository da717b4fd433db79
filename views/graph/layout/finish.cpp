#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "views/graph/layout/attach.h"
#include "views/graph/layout/gap.h"
#include "views/graph/layout/rows.h"

namespace layout {
namespace {

class Finisher {
public:
    Finisher(const Problem& problem, Rows& rows, const Spacing& spacing)
        : problem_(problem), rows_(rows), spacing_(spacing) {}

    Placement finish() {
        moveToAxis();
        attach();
        findGaps();
        findHeights();
        placement_.items.resize(problem_.items.size());
        for (size_t i = 0; i < problem_.items.size(); ++i) {
            placement_.items[i] = {.x = rows_.x[i], .y = centre_[rows_.row[i]]};
        }
        for (size_t i = 0; i < rows_.row.size(); ++i) {
            placement_.left = std::min(placement_.left, rows_.x[i] - rows_.left[i]);
            placement_.right = std::max(placement_.right, rows_.x[i] + rows_.right[i]);
        }
        placement_.height = rowBottom(static_cast<int>(rows_.rows.size()) - 1);
        placement_.links.resize(problem_.links.size());
        for (size_t i = 0; i < problem_.links.size(); ++i) route(i);
        return std::move(placement_);
    }

private:
    double rowTop(int row) const { return centre_[row] - height_[row] / 2; }
    double rowBottom(int row) const { return centre_[row] + height_[row] / 2; }

    /// x = 0 becomes the line on which most of the spine stands, and top and bottom move there.
    void moveToAxis() {
        std::vector<double> line;
        for (const int item : rows_.spine) {
            if (item != problem_.top && item != problem_.bottom) line.push_back(rows_.x[item]);
        }
        if (line.empty()) {
            for (const int end : {problem_.top, problem_.bottom}) {
                if (end >= 0) line.push_back(rows_.x[end]);
            }
        }
        if (line.empty()) line.push_back(0);
        std::sort(line.begin(), line.end());
        const double axis = line[line.size() / 2];
        for (double& x : rows_.x) x -= axis;
        for (const int end : {problem_.top, problem_.bottom}) {
            if (end < 0) continue;
            rows_.x[end] = 0;
            separate(rows_, spacing_, rows_.row[end], end);
        }
    }

    /// The x of a link below a row between its ends (or that of its start).
    double xBelow(size_t i, int row) const {
        const Link& link = problem_.links[i];
        const int start = rows_.row[link.from];
        return row == start ? rows_.x[link.from] + leaves_[i] : rows_.x[rows_.bend[i] + row - start - 1];
    }

    double xAbove(size_t i, int row) const {
        const Link& link = problem_.links[i];
        return row == rows_.row[link.to] ? rows_.x[link.to] + enters_[i] : xBelow(i, row);
    }

    void findGaps() {
        gaps_.resize(rows_.rows.size());
        value_.assign(problem_.links.size(), 0);
        std::map<std::pair<int, int>, int> values;
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            value_[i] = values.emplace(std::pair(link.from, link.fromPort), values.size()).first->second;
            if (link.back || rows_.loose[i]) continue;
            for (int row = rows_.row[link.from]; row < rows_.row[link.to]; ++row) {
                gaps_[row].add(value_[i], xBelow(i, row), xAbove(i, row + 1));
            }
        }
        for (Gap& gap : gaps_) gap.assign();
    }

    void findHeights() {
        double y = 0;
        for (size_t i = 0; i < rows_.rows.size(); ++i) {
            double height = 0;
            for (const int vertex : rows_.rows[i]) {
                if (!rows_.isBend(vertex)) height = std::max(height, problem_.items[vertex].height);
            }
            height_.push_back(height);
            centre_.push_back(y + height / 2);
            y += height + gaps_[i].height(spacing_.rank);
        }
    }

    /// Where each link leaves and enters its items.
    void attach() {
        leaves_.assign(problem_.links.size(), 0);
        enters_.assign(problem_.links.size(), 0);
        std::vector<std::map<int, std::vector<int>>> outgoing(problem_.items.size());
        std::vector<std::vector<int>> incoming(problem_.items.size());
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            if (link.back) continue;
            outgoing[link.from][link.fromPort].push_back(static_cast<int>(i));
            if (!link.toShift) incoming[link.to].push_back(static_cast<int>(i));
        }
        for (size_t item = 0; item < outgoing.size(); ++item) {
            const auto places = spreadOutputs(problem_.items[item], outgoing[item].size());
            size_t port = 0;
            for (const auto& [name, links] : outgoing[item]) {
                for (const int i : links) leaves_[i] = problem_.links[i].fromShift.value_or(places[port]);
                ++port;
            }
        }
        for (size_t item = 0; item < incoming.size(); ++item) {
            std::vector<double> from;
            for (const int i : incoming[item]) from.push_back(lastX(i) - rows_.x[item]);
            const auto places = spreadInputs(problem_.items[item], from);
            for (size_t k = 0; k < places.size(); ++k) enters_[incoming[item][k]] = places[k];
        }
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            if (problem_.links[i].toShift) enters_[i] = *problem_.links[i].toShift;
        }
    }

    /// From where a link comes to its last gap.
    double lastX(int i) const {
        const Link& link = problem_.links[i];
        if (rows_.bend[i] < 0) return rows_.x[link.from] + leaves_[i];
        return rows_.x[rows_.bend[i] + rows_.row[link.to] - rows_.row[link.from] - 2];
    }

    void route(size_t i) {
        const Link& link = problem_.links[i];
        if (link.back) return;
        const int start = rows_.row[link.from];
        const int end = rows_.row[link.to];
        Path& path = placement_.links[i];
        const double from = rows_.x[link.from] + leaves_[i];
        const bool enters = problem_.items[link.from].side != Side::none;
        if (!enters) extend(path, {.x = from, .y = centre_[start] + problem_.items[link.from].height / 2});
        extend(path, {.x = from, .y = rowBottom(start)});
        if (rows_.loose[i]) {
            const double to = rows_.x[link.to] + enters_[i];
            placement_.right += spacing_.edge;
            extend(path, {.x = placement_.right, .y = rowTop(start + 1)});
            extend(path, {.x = placement_.right, .y = rowBottom(end - 1)});
            extend(path, {.x = to, .y = rowTop(end)});
        } else {
            for (int row = start; row < end; ++row) {
                gaps_[row].cross(path, value_[i], xAbove(i, row + 1), rowBottom(row), rowTop(row + 1));
            }
        }
        const double to = path.back().x;
        const bool exits = problem_.items[link.to].side != Side::none;
        if (!exits) extend(path, {.x = to, .y = centre_[end] - problem_.items[link.to].height / 2});
    }

    const Problem& problem_;
    Rows& rows_;
    const Spacing& spacing_;
    Placement placement_;
    std::vector<Gap> gaps_;       ///< Per row the gap below it.
    std::vector<int> value_;      ///< Per link.
    std::vector<double> height_;  ///< Per row.
    std::vector<double> centre_;
    std::vector<double> leaves_;  ///< Per link.
    std::vector<double> enters_;
};

}  // namespace

Placement finishRows(const Problem& problem, Rows& rows, const Spacing& spacing) {
    return Finisher(problem, rows, spacing).finish();
}

}  // namespace layout
