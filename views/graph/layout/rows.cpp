// How items get rows. Each stands one row below the lowest of those it follows. Then, from below, an item
// moves down towards its users where that does not lengthen more values than it shortens. Top and entries
// have the first row to themselves, bottom and exits the last.

#include "views/graph/layout/rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "views/graph/layout/decompose.h"

namespace layout {
namespace {

constexpr int bendWeight = 8;    ///< Within a long link.
constexpr int chainWeight = 10;  ///< From an item's only way down to an item's only way up.
constexpr int spineWeight = 4;
constexpr int longWeight = 2;  ///< At the ends of a long link.

struct Value {
    int from = 0;
    int last = 0;            ///< Row of the lowest user.
    std::vector<int> links;  ///< Positions in the problem.
};

class Builder {
public:
    Builder(const Problem& problem, Work& work) : problem_(problem), work_(work) {}

    Rows build() {
        rows_.items = static_cast<int>(problem_.items.size());
        rows_.row.assign(problem_.items.size(), 0);
        for (const Item& item : problem_.items) {
            rows_.left.push_back(item.left);
            rows_.right.push_back(item.right);
        }
        incoming_.resize(problem_.items.size());
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            if (!problem_.links[i].back) incoming_[problem_.links[i].to].push_back(static_cast<int>(i));
        }
        order_ = flowOrder(problem_);
        descend();
        collectValues();
        settle();
        findSpine();
        addBends();
        stiffenChains();
        fillRows();
        work_.stats.operations += static_cast<std::int64_t>(rows_.row.size() + rows_.segments.size());
        return std::move(rows_);
    }

private:
    bool isFirst(int item) const { return item == problem_.top || problem_.items[item].role == Role::entry; }
    bool isLast(int item) const { return item == problem_.bottom || problem_.items[item].role == Role::exit; }

    void descend() {
        bool reserved = false;
        for (int i = 0; i < rows_.items; ++i) reserved = reserved || isFirst(i);
        last_ = -1;
        for (const int at : order_) {
            if (isFirst(at)) continue;
            int row = reserved ? 1 : 0;
            for (const int link : incoming_[at])
                row = std::max(row, rows_.row[problem_.links[link].from] + 1);
            rows_.row[at] = row;
            if (!isLast(at)) last_ = std::max(last_, row);
        }
        bool closed = false;
        last_ = std::max(last_, 0);
        for (int i = 0; i < rows_.items; ++i) closed = closed || isLast(i);
        if (!closed) return;
        ++last_;
        for (int i = 0; i < rows_.items; ++i) {
            if (isLast(i)) rows_.row[i] = last_;
        }
    }

    void collectValues() {
        std::vector<int> order(problem_.links.size());
        std::iota(order.begin(), order.end(), 0);
        std::erase_if(order, [&](int i) { return problem_.links[i].back; });
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            const Link& left = problem_.links[a];
            const Link& right = problem_.links[b];
            return std::pair(left.from, left.fromPort) < std::pair(right.from, right.fromPort);
        });
        valueOf_.assign(problem_.links.size(), -1);
        for (const int i : order) {
            const Link& link = problem_.links[i];
            const bool same = !values_.empty() && values_.back().from == link.from &&
                              problem_.links[values_.back().links[0]].fromPort == link.fromPort;
            if (!same) values_.push_back({.from = link.from, .last = 0, .links = {}});
            values_.back().links.push_back(i);
            values_.back().last = std::max(values_.back().last, rows_.row[link.to]);
            valueOf_[i] = static_cast<int>(values_.size()) - 1;
        }
        outgoing_.resize(problem_.items.size());
        for (size_t i = 0; i < values_.size(); ++i) outgoing_[values_[i].from].push_back(static_cast<int>(i));
    }

    void settle() {
        for (size_t i = order_.size(); i-- > 0;) {
            const int at = order_[i];
            if (isFirst(at) || isLast(at) || outgoing_[at].empty()) continue;
            int nearest = std::numeric_limits<int>::max();
            for (const int value : outgoing_[at]) {
                for (const int link : values_[value].links) {
                    nearest = std::min(nearest, rows_.row[problem_.links[link].to]);
                }
            }
            size_t longer = 0;
            for (const int link : incoming_[at])
                longer += values_[valueOf_[link]].last == rows_.row[at] ? 1 : 0;
            if (longer >= outgoing_[at].size()) continue;
            rows_.row[at] = nearest - 1;
            for (const int link : incoming_[at]) {
                int& last = values_[valueOf_[link]].last;
                last = std::max(last, nearest - 1);
            }
        }
    }

    void findSpine() {
        std::vector<int> depth(problem_.items.size(), 0);
        int lowest = problem_.bottom;
        for (const int at : order_) {
            for (const int link : incoming_[at]) {
                depth[at] = std::max(depth[at], depth[problem_.links[link].from] + 1);
            }
            const bool counts = problem_.bottom < 0 && problem_.items[at].role == Role::node;
            if (counts && (lowest < 0 || depth[at] > depth[lowest])) lowest = at;
        }
        for (int at = lowest; at >= 0;) {
            rows_.spine.push_back(at);
            int next = -1;
            for (const int link : incoming_[at]) {
                const int from = problem_.links[link].from;
                if (depth[from] + 1 == depth[at] && (next < 0 || from == problem_.top)) next = from;
            }
            at = next;
        }
        std::reverse(rows_.spine.begin(), rows_.spine.end());
    }

    /// Values longer than this get no bends, so that there are not more bends than can be handled.
    int longest() const {
        std::vector<std::int64_t> count(last_ + 2, 0);
        for (const Value& value : values_) ++count[std::max(0, value.last - rows_.row[value.from])];
        std::int64_t bends = 0;
        const std::int64_t most = 20'000 + 4 * std::int64_t{rows_.items};
        for (int length = 0; length <= last_ + 1; ++length) {
            bends += count[length] * length;
            if (bends > most) return std::max(1, length - 1);
        }
        return last_ + 1;
    }

    void addBends() {
        rows_.bend.assign(problem_.links.size(), -1);
        rows_.loose.assign(problem_.links.size(), false);
        std::vector<bool> onSpine(problem_.items.size(), false);
        for (const int item : rows_.spine) onSpine[item] = true;
        const int limit = longest();
        for (const Value& value : values_) {
            const int start = rows_.row[value.from] + 1;
            int last = start - 1;
            for (const int i : value.links) {
                const int row = rows_.row[problem_.links[i].to];
                if (row - start + 1 > limit) {
                    rows_.loose[i] = true;
                } else {
                    last = std::max(last, row);
                }
            }
            const int first = static_cast<int>(rows_.row.size());
            for (int row = start; row < last; ++row) addBend(row, row == start ? value.from : -1);
            int before = -1;
            for (const int i : value.links) {
                const int to = problem_.links[i].to;
                const int row = rows_.row[to];
                if (rows_.loose[i]) continue;
                if (row > start) rows_.bend[i] = first;
                const bool straight = onSpine[value.from] && onSpine[to];
                const int from = row > start ? first + row - 1 - start : value.from;
                if (to == before) continue;
                before = to;
                rows_.segments.push_back({.from = from,
                                          .to = to,
                                          .weight = straight ? spineWeight : (row > start ? longWeight : 1)});
            }
        }
    }

    void addBend(int row, int from) {
        const int bend = static_cast<int>(rows_.row.size());
        rows_.row.push_back(row);
        rows_.left.push_back(0);
        rows_.right.push_back(0);
        rows_.segments.push_back(
            {.from = from >= 0 ? from : bend - 1, .to = bend, .weight = from >= 0 ? longWeight : bendWeight});
    }

    /// Chains are to bend at their ends, not on the way.
    void stiffenChains() {
        struct Degree {
            int above = 0;
            int below = 0;
        };
        std::vector<Degree> degree(rows_.row.size());
        for (const Rows::Segment& segment : rows_.segments) {
            ++degree[segment.from].below;
            ++degree[segment.to].above;
        }
        for (Rows::Segment& segment : rows_.segments) {
            if (degree[segment.from].below == 1 && degree[segment.to].above == 1) {
                segment.weight = std::max(segment.weight, chainWeight);
            }
        }
    }

    void fillRows() {
        rows_.slot.assign(rows_.row.size(), 0);
        rows_.x.assign(rows_.row.size(), 0);
        rows_.rows.resize(last_ + 1);
        for (size_t i = 0; i < rows_.row.size(); ++i) rows_.rows[rows_.row[i]].push_back(static_cast<int>(i));
        for (int i = 0; i < rows_.items; ++i) {
            const Item& item = problem_.items[i];
            if (item.side != Side::none) rows_.slot[i] = static_cast<int>(item.side) * (item.order + 1);
        }
        if (problem_.bottom < 0) return;
        // Exits without a side stand beside the bottom.
        for (const int i : rows_.rows[last_]) {
            if (i != problem_.bottom && rows_.slot[i] == 0) rows_.slot[i] = 1;
        }
    }

    const Problem& problem_;
    Work& work_;
    Rows rows_;
    std::vector<int> order_;
    std::vector<std::vector<int>> incoming_;  ///< Links.
    std::vector<std::vector<int>> outgoing_;  ///< Values.
    std::vector<Value> values_;
    std::vector<int> valueOf_;
    int last_ = 0;
};

}  // namespace

Rows makeRows(const Problem& problem, Work& work) { return Builder(problem, work).build(); }

double separation(const Rows& rows, const Spacing& spacing, int leftVertex, int rightVertex) {
    const auto margin = [&](int vertex) {
        return rows.isBend(vertex) ? 0 : (spacing.node - spacing.edge) / 2;
    };
    return rows.right[leftVertex] + margin(leftVertex) + spacing.edge + margin(rightVertex) +
           rows.left[rightVertex];
}

void separate(Rows& rows, const Spacing& spacing, int row, int fixedVertex) {
    std::vector<int>& order = rows.rows[row];
    const auto found = std::find(order.begin(), order.end(), fixedVertex);
    const size_t start = found == order.end() ? 0 : found - order.begin();
    for (size_t i = start + 1; i < order.size(); ++i) {
        const double least = rows.x[order[i - 1]] + separation(rows, spacing, order[i - 1], order[i]);
        rows.x[order[i]] = std::max(rows.x[order[i]], least);
    }
    for (size_t i = start; i-- > 0;) {
        const double most = rows.x[order[i + 1]] - separation(rows, spacing, order[i], order[i + 1]);
        rows.x[order[i]] = std::min(rows.x[order[i]], most);
    }
}

Placement layoutRows(const Problem& problem, Work& work) {
    constexpr std::int64_t mostForDot = 400;
    Rows rows = makeRows(problem, work);
    const auto size = static_cast<std::int64_t>(rows.row.size() + rows.segments.size() / 4);
    const bool plain =
        std::all_of(rows.rows.begin(), rows.rows.end(), [](const auto& row) { return row.size() == 1; });
    if (plain) return finishRows(problem, rows, work.spacing);
    const bool small = size <= mostForDot && size <= work.dotItems;
    if (work.engine == Engine::automatic && small && placeWithDot(rows, work.spacing, work)) {
        work.dotItems -= size;
        ++work.stats.dot;
    } else {
        orderRows(rows, work);
        placeRows(rows, work.spacing, work);
        ++work.stats.layered;
    }
    return finishRows(problem, rows, work.spacing);
}

}  // namespace layout
