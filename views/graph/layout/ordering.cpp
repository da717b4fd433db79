// Rows are ordered by sweeps: down and up in turn, each vertex goes to the median of its neighbours in the
// row before. Between sweeps neighbours are exchanged where that saves crossings (in small parts). The best
// order seen is kept.

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "views/graph/layout/rows.h"

namespace layout {
namespace {

constexpr size_t small = 1500;

class Sweeper {
public:
    Sweeper(Rows& rows, Work& work)
        : rows_(rows),
          work_(work),
          above_(rows.row.size()),
          below_(rows.row.size()),
          at_(rows.row.size(), 0) {
        for (const Rows::Segment& segment : rows.segments) {
            below_[segment.from].push_back(segment.to);
            above_[segment.to].push_back(segment.from);
        }
    }

    void run() {
        startInWalkOrder();
        auto best = rows_.rows;
        std::int64_t fewest = crossings();
        const bool isSmall = rows_.row.size() <= small;
        const int rounds = isSmall ? 16 : 6;
        int vain = 0;
        for (int round = 0; round < rounds && fewest > 0 && vain < 4; ++round) {
            sweep(round % 2 == 0);
            if (isSmall) exchange();
            const std::int64_t now = crossings();
            ++vain;
            if (now >= fewest) continue;
            fewest = now;
            best = rows_.rows;
            vain = 0;
        }
        rows_.rows = std::move(best);
    }

private:
    void number(const std::vector<int>& row) {
        for (size_t i = 0; i < row.size(); ++i) at_[row[i]] = static_cast<int>(i);
    }

    void startInWalkOrder() {
        std::vector<int> visit(rows_.row.size(), -1);
        std::vector<int> stack;
        int count = 0;
        for (const auto& row : rows_.rows) {
            for (const int start : row) {
                if (!above_[start].empty()) continue;
                stack.push_back(start);
                while (!stack.empty()) {
                    const int at = stack.back();
                    stack.pop_back();
                    if (visit[at] >= 0) continue;
                    visit[at] = count++;
                    stack.insert(stack.end(), below_[at].rbegin(), below_[at].rend());
                }
            }
        }
        for (auto& row : rows_.rows) {
            std::stable_sort(row.begin(), row.end(), [&](int a, int b) {
                return std::pair(rows_.slot[a], visit[a]) < std::pair(rows_.slot[b], visit[b]);
            });
            number(row);
        }
    }

    double median(int vertex, const std::vector<int>& neighbours) {
        if (neighbours.empty()) return at_[vertex];
        places_.clear();
        for (const int neighbour : neighbours) places_.push_back(at_[neighbour]);
        std::sort(places_.begin(), places_.end());
        const size_t n = places_.size();
        return n % 2 == 1 ? places_[n / 2] : (places_[n / 2 - 1] + places_[n / 2]) / 2.0;
    }

    void sweep(bool down) {
        std::vector<double> goal(rows_.row.size(), 0);
        for (size_t i = 1; i < rows_.rows.size(); ++i) {
            auto& row = down ? rows_.rows[i] : rows_.rows[rows_.rows.size() - 1 - i];
            for (const int vertex : row) {
                const auto& neighbours = down ? above_[vertex] : below_[vertex];
                goal[vertex] = median(vertex, neighbours);
                work_.stats.operations += static_cast<std::int64_t>(neighbours.size()) + 1;
            }
            std::stable_sort(row.begin(), row.end(), [&](int a, int b) {
                return std::pair(rows_.slot[a], goal[a]) < std::pair(rows_.slot[b], goal[b]);
            });
            number(row);
        }
    }

    /// Crossings of the segments of two vertices of one row, the first left of the second.
    std::int64_t between(const std::vector<int>& first, const std::vector<int>& second) const {
        std::int64_t count = 0;
        for (const int a : first) {
            for (const int b : second) count += at_[a] > at_[b] ? 1 : 0;
        }
        return count;
    }

    void exchange() {
        bool better = true;
        for (int round = 0; round < 8 && better; ++round) {
            better = false;
            for (auto& row : rows_.rows) {
                for (size_t i = 0; i + 1 < row.size(); ++i) better = exchange(row, i) || better;
            }
        }
    }

    bool exchange(std::vector<int>& row, size_t i) {
        const int a = row[i];
        const int b = row[i + 1];
        if (rows_.slot[a] != rows_.slot[b]) return false;
        work_.stats.operations += static_cast<std::int64_t>(above_[a].size() * above_[b].size() +
                                                            below_[a].size() * below_[b].size());
        const std::int64_t now = between(above_[a], above_[b]) + between(below_[a], below_[b]);
        if (now == 0 || between(above_[b], above_[a]) + between(below_[b], below_[a]) >= now) return false;
        std::swap(row[i], row[i + 1]);
        std::swap(at_[a], at_[b]);
        return true;
    }

    std::int64_t crossings() {
        std::int64_t count = 0;
        std::vector<int> ends;
        std::vector<int> tree;
        for (size_t i = 0; i + 1 < rows_.rows.size(); ++i) {
            ends.clear();
            for (const int vertex : rows_.rows[i]) {
                const size_t start = ends.size();
                for (const int below : below_[vertex]) ends.push_back(at_[below]);
                std::sort(ends.begin() + static_cast<std::ptrdiff_t>(start), ends.end());
            }
            count += inversions(ends, tree, rows_.rows[i + 1].size());
        }
        return count;
    }

    std::int64_t inversions(const std::vector<int>& ends, std::vector<int>& tree, size_t size) {
        tree.assign(size + 1, 0);
        std::int64_t count = 0;
        std::int64_t seen = 0;
        for (const int end : ends) {
            std::int64_t upTo = 0;
            for (size_t i = end + 1; i > 0; i -= i & (~i + 1)) upTo += tree[i];
            count += seen++ - upTo;
            for (size_t i = end + 1; i <= size; i += i & (~i + 1)) ++tree[i];
        }
        work_.stats.operations += seen;
        return count;
    }

    Rows& rows_;
    Work& work_;
    std::vector<std::vector<int>> above_;
    std::vector<std::vector<int>> below_;
    std::vector<int> at_;
    std::vector<int> places_;
};

}  // namespace

void orderRows(Rows& rows, Work& work) { Sweeper(rows, work).run(); }

}  // namespace layout
