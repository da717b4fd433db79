// Places the vertices of ordered rows, after U. Brandes and B. Köpf, "Fast and Simple Horizontal Coordinate
// Assignment" (2001): vertices are aligned with a median neighbour into upright columns, columns are packed,
// in four ways (from above or below, leaning left or right), and each vertex takes the mean of its two middle
// places. Columns are packed by longest ways over the columns' order, and then pulled back over the room that
// is left.

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "views/graph/layout/rows.h"

namespace layout {
namespace {

enum class Lean : char { left, right };
enum class From : char { above, below };

class Placer {
public:
    Placer(Rows& rows, const Spacing& spacing)
        : rows_(rows), spacing_(spacing), count_(rows.row.size()), at_(count_, 0) {
        for (const auto& row : rows.rows) {
            for (size_t i = 0; i < row.size(); ++i) at_[row[i]] = static_cast<int>(i);
        }
        above_.resize(count_);
        below_.resize(count_);
        for (size_t i = 0; i < rows.segments.size(); ++i) {
            below_[rows.segments[i].from].push_back(static_cast<int>(i));
            above_[rows.segments[i].to].push_back(static_cast<int>(i));
        }
        const auto at = [&](int vertex) { return at_[vertex]; };
        for (auto& fan : above_) {
            std::stable_sort(fan.begin(), fan.end(), [&](int a, int b) {
                return at(rows_.segments[a].from) < at(rows_.segments[b].from);
            });
        }
        for (auto& fan : below_) {
            std::stable_sort(fan.begin(), fan.end(), [&](int a, int b) {
                return at(rows_.segments[a].to) < at(rows_.segments[b].to);
            });
        }
    }

    void run() {
        if (count_ == 0) return;
        findConflicts();
        std::array<std::vector<double>, 4> ways;
        size_t way = 0;
        for (const From from : {From::above, From::below}) {
            for (const Lean lean : {Lean::left, Lean::right}) ways[way++] = pack(align(from, lean), lean);
        }
        combine(ways);
        for (size_t i = 0; i < rows_.rows.size(); ++i) {
            if (!rows_.rows[i].empty()) {
                separate(rows_, spacing_, static_cast<int>(i), rows_.rows[i][rows_.rows[i].size() / 2]);
            }
        }
    }

private:
    bool isLong(int segment) const {
        return rows_.isBend(rows_.segments[segment].from) && rows_.isBend(rows_.segments[segment].to);
    }

    /// Segments that cross the middle of a long link: those give way.
    void findConflicts() {
        conflict_.assign(rows_.segments.size(), false);
        for (size_t i = 0; i + 1 < rows_.rows.size(); ++i) {
            const auto& row = rows_.rows[i + 1];
            int left = 0;
            size_t done = 0;
            for (size_t k = 0; k < row.size(); ++k) {
                int inner = -1;
                for (const int segment : above_[row[k]]) {
                    if (isLong(segment)) inner = segment;
                }
                if (inner < 0 && k + 1 < row.size()) continue;
                const int right =
                    inner >= 0 ? at_[rows_.segments[inner].from] : static_cast<int>(rows_.rows[i].size());
                for (; done <= k; ++done) markOutside(row[done], left, right);
                left = right;
            }
        }
    }

    void markOutside(int vertex, int left, int right) {
        for (const int segment : above_[vertex]) {
            const int at = at_[rows_.segments[segment].from];
            if ((at < left || at > right) && !isLong(segment)) conflict_[segment] = true;
        }
    }

    /// Each vertex's column, named by one of its vertices.
    std::vector<int> align(From from, Lean lean) const {
        std::vector<int> column(count_);
        std::iota(column.begin(), column.end(), 0);
        std::vector<bool> taken(count_, false);
        const size_t rows = rows_.rows.size();
        for (size_t i = 1; i < rows; ++i) {
            const auto& row = rows_.rows[from == From::above ? i : rows - 1 - i];
            int reached = lean == Lean::left ? -1 : std::numeric_limits<int>::max();
            for (size_t k = 0; k < row.size(); ++k) {
                alignOne(lean == Lean::left ? row[k] : row[row.size() - 1 - k], from, lean, reached, column,
                         taken);
            }
        }
        return column;
    }

    void alignOne(int vertex, From from, Lean lean, int& reached, std::vector<int>& column,
                  std::vector<bool>& taken) const {
        const auto& fan = from == From::above ? above_[vertex] : below_[vertex];
        if (fan.empty()) return;
        std::array<size_t, 2> middles{(fan.size() - 1) / 2, fan.size() / 2};
        if (lean == Lean::right) std::swap(middles[0], middles[1]);
        for (const size_t middle : middles) {
            const Rows::Segment& segment = rows_.segments[fan[middle]];
            const int other = from == From::above ? segment.from : segment.to;
            const bool free = lean == Lean::left ? at_[other] > reached : at_[other] < reached;
            if (conflict_[fan[middle]] || taken[other] || !free) continue;
            taken[other] = true;
            column[vertex] = column[other];
            reached = at_[other];
            return;
        }
    }

    struct Gap {
        int to = 0;
        double width = 0;
    };

    std::vector<double> pack(const std::vector<int>& column, Lean lean) const {
        std::vector<std::vector<Gap>> after(count_);
        std::vector<int> waits(count_, 0);
        for (const auto& row : rows_.rows) {
            for (size_t k = 0; k + 1 < row.size(); ++k) {
                int near = column[row[k]];
                int far = column[row[k + 1]];
                if (lean == Lean::right) std::swap(near, far);
                after[near].push_back({.to = far, .width = separation(rows_, spacing_, row[k], row[k + 1])});
                ++waits[far];
            }
        }
        std::vector<int> order;
        for (size_t i = 0; i < count_; ++i) {
            if (column[i] == static_cast<int>(i) && waits[i] == 0) order.push_back(static_cast<int>(i));
        }
        std::vector<double> x(count_, 0);
        for (size_t i = 0; i < order.size(); ++i) {
            for (const Gap& gap : after[order[i]]) {
                x[gap.to] = std::max(x[gap.to], x[order[i]] + gap.width);
                if (--waits[gap.to] == 0) order.push_back(gap.to);
            }
        }
        for (size_t i = order.size(); i-- > 0;) {
            double room = std::numeric_limits<double>::max();
            for (const Gap& gap : after[order[i]]) room = std::min(room, x[gap.to] - gap.width);
            if (!after[order[i]].empty()) x[order[i]] = std::max(x[order[i]], room);
        }
        std::vector<double> result(count_);
        for (size_t i = 0; i < count_; ++i) result[i] = lean == Lean::left ? x[column[i]] : -x[column[i]];
        return result;
    }

    void combine(std::array<std::vector<double>, 4>& ways) {
        std::array<double, 4> low{};
        std::array<double, 4> high{};
        size_t narrowest = 0;
        for (size_t way = 0; way < 4; ++way) {
            low[way] = std::numeric_limits<double>::max();
            high[way] = std::numeric_limits<double>::lowest();
            for (size_t i = 0; i < count_; ++i) {
                low[way] = std::min(low[way], ways[way][i] - rows_.left[i]);
                high[way] = std::max(high[way], ways[way][i] + rows_.right[i]);
            }
            if (high[way] - low[way] < high[narrowest] - low[narrowest]) narrowest = way;
        }
        for (size_t i = 0; i < count_; ++i) {
            std::array<double, 4> places{};
            for (size_t way = 0; way < 4; ++way) {
                const double shift = way % 2 == 0 ? low[narrowest] - low[way] : high[narrowest] - high[way];
                places[way] = ways[way][i] + shift;
            }
            std::sort(places.begin(), places.end());
            rows_.x[i] = (places[1] + places[2]) / 2;
        }
    }

    Rows& rows_;
    const Spacing& spacing_;
    size_t count_;
    std::vector<int> at_;
    std::vector<std::vector<int>> above_;  ///< Segments, from left to right.
    std::vector<std::vector<int>> below_;
    std::vector<bool> conflict_;
};

}  // namespace

void placeRows(Rows& rows, const Spacing& spacing, Work& work) {
    work.stats.operations += static_cast<std::int64_t>(4 * (rows.row.size() + rows.segments.size()));
    Placer(rows, spacing).run();
}

}  // namespace layout
