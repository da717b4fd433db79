// How a problem is cut into a chain.
//
// Every item gets a level: its distance from the sources, moved down to its users where it has room, so that
// a side input stands next to what it feeds. Between two levels a cut is possible where all links that pass
// come from one item that stands directly above: a waist. A network is mostly a chain of small blocks joined
// by waists, but for a few long links (a mask that every layer uses, the skips of a U-net) that would hinder
// all cuts. So links longer than a limit may be left out of account; they are drawn in lanes beside the
// chain. The limit is the one for which the sum of squared block sizes, plus a price for each lane, is least.
// Blocks that stay too big are cut again with a lower limit.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

#include "views/graph/layout/decompose.h"

namespace layout {
namespace {

constexpr int shortest = 6;
constexpr int smallEnough = 40;
constexpr int tooBig = 250;
constexpr double priceOfLane = 2500;
constexpr int deepestCone = 3;
constexpr int mostLimits = 16;
constexpr int unlimited = std::numeric_limits<int>::max();

bool onBorder(const Problem& problem, int item) {
    return item == problem.top || item == problem.bottom || problem.items[item].role == Role::entry ||
           problem.items[item].role == Role::exit;
}

/// The levels of items; see above.
class Levels {
public:
    explicit Levels(const Problem& problem)
        : problem_(problem), level_(problem.items.size(), 0), cone_(problem.items.size(), 1) {}

    std::vector<int> find() {
        const std::vector<int> order = flowOrder(problem_);
        groupLinks();
        for (const int at : order) descend(at);
        early_ = level_;
        for (size_t i = order.size(); i-- > 0;) pull(order[i]);
        placeBorders();
        return level_;
    }

private:
    void groupLinks() {
        outgoing_.resize(problem_.items.size());
        for (const Link& link : problem_.links) {
            if (!link.back) outgoing_[link.from].push_back(link.to);
        }
    }

    void descend(int at) {
        for (const int to : outgoing_[at]) {
            if (onBorder(problem_, at)) {
                cone_[to] = deepestCone + 1;
            } else {
                level_[to] = std::max(level_[to], level_[at] + 1);
                cone_[to] = std::max(cone_[to], cone_[at] + 1);
            }
        }
    }

    void pull(int at) {
        if (onBorder(problem_, at)) return;
        int nearest = unlimited;
        for (const int to : outgoing_[at]) {
            if (!onBorder(problem_, to)) nearest = std::min(nearest, level_[to]);
        }
        if (nearest == unlimited) return;
        const bool free = early_[at] < nearest - 1;
        level_[at] = free && cone_[at] <= deepestCone ? nearest : nearest - 1;
    }

    void placeBorders() {
        int last = 0;
        for (size_t i = 0; i < level_.size(); ++i) {
            if (!onBorder(problem_, static_cast<int>(i))) last = std::max(last, level_[i]);
        }
        for (size_t i = 0; i < level_.size(); ++i) {
            const int item = static_cast<int>(i);
            if (!onBorder(problem_, item)) continue;
            if (problem_.items[i].side != Side::none) {
                level_[i] = 0;
                continue;
            }
            const bool above = item == problem_.top || problem_.items[i].role == Role::entry;
            level_[i] = above ? -1 : last + 1;
        }
    }

    const Problem& problem_;
    std::vector<int> level_;
    std::vector<int> cone_;
    std::vector<int> early_;
    std::vector<std::vector<int>> outgoing_;
};

struct Cut {
    int level = 0;  ///< Between this one and the next.
    int waist = -1;
};

struct Span {
    int from = 0;
    int start = 0;
    int end = 0;

    int length() const { return end - start; }
};

class Cutter {
public:
    Cutter(const Problem& problem, Work& work)
        : problem_(problem), work_(work), level_(Levels(problem).find()), lowest_(0) {
        int highest = 0;
        for (const int level : level_) {
            lowest_ = std::min(lowest_, level);
            highest = std::max(highest, level);
        }
        upTo_.assign(highest - lowest_ + 1, 0);
        for (const int level : level_) ++upTo_[level - lowest_];
        std::partial_sum(upTo_.begin(), upTo_.end(), upTo_.begin());
        std::vector<Span> spans;
        for (const Link& link : problem.links) {
            if (link.back || isDoor(link.from) || isDoor(link.to)) continue;
            if (level_[link.from] >= level_[link.to]) continue;
            spans.push_back({.from = link.from, .start = level_[link.from], .end = level_[link.to]});
        }
        std::stable_sort(spans.begin(), spans.end(),
                         [](const Span& a, const Span& b) { return a.from < b.from; });
        refine(lowest_, highest, spans, unlimited);
        if (problem.bottom < 0) endAtTheLast(highest);
        std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.level < b.level; });
    }

    Chain chain() const {
        Chain chain;
        std::vector<int> below(upTo_.size() + 1, 0);
        for (const Cut& cut : cuts_) {
            chain.waists.push_back(cut.waist);
            ++below[cut.level + 1 - lowest_];
        }
        std::partial_sum(below.begin(), below.end(), below.begin());
        chain.block.resize(level_.size());
        for (size_t i = 0; i < level_.size(); ++i) chain.block[i] = below[level_[i] - lowest_];
        return chain;
    }

private:
    bool isDoor(int item) const { return problem_.items[item].side != Side::none; }

    /// An item that alone ends in the last level is the waist above an empty last block.
    void endAtTheLast(int highest) {
        std::vector<bool> leads(level_.size(), false);
        for (const Link& link : problem_.links) {
            leads[link.from] = leads[link.from] || !(link.back || isDoor(link.to));
        }
        int last = -1;
        for (size_t i = 0; i < level_.size(); ++i) {
            if (level_[i] != highest || leads[i] || isDoor(static_cast<int>(i))) continue;
            if (last >= 0) return;
            last = static_cast<int>(i);
        }
        if (last >= 0) cuts_.push_back({.level = highest, .waist = last});
    }

    /// The cuts in [low, high) if spans longer than the limit do not count.
    std::vector<Cut> cuts(int low, int high, const std::vector<Span>& spans, int limit) {
        work_.stats.operations += static_cast<std::int64_t>(spans.size()) + high - low;
        std::vector<int> passing(high - low + 1, 0);
        std::vector<std::int64_t> names(high - low + 1, 0);
        for (size_t i = 0; i < spans.size();) {
            const int from = spans[i].from;
            int end = spans[i].start;
            const int start = end;
            for (; i < spans.size() && spans[i].from == from; ++i) {
                if (spans[i].length() <= limit) end = std::max(end, spans[i].end);
            }
            ++passing[start - low];
            --passing[end - low];
            names[start - low] += from;
            names[end - low] -= from;
        }
        std::vector<Cut> result;
        int count = 0;
        std::int64_t name = 0;
        for (int level = low; level < high; ++level) {
            count += passing[level - low];
            name += names[level - low];
            if (low > lowest_ && level == low) continue;
            if (problem_.top >= 0 && level == lowest_) {
                result.push_back({.level = level, .waist = problem_.top});
            } else if (count == 0) {
                result.push_back({.level = level, .waist = -1});
            } else if (count == 1 && level_[name] == level) {
                result.push_back({.level = level, .waist = static_cast<int>(name)});
            }
        }
        return result;
    }

    double price(int low, int high, const std::vector<Cut>& cuts, const std::vector<Span>& spans,
                 int limit) const {
        double sum = 0;
        int before = itemsAbove(low);
        const auto close = [&](int level) {
            const double size = itemsUpTo(level) - before;
            sum += size * size;
            before += static_cast<int>(size);
        };
        for (const Cut& cut : cuts) close(cut.level);
        close(high);
        int last = -1;
        for (const Span& span : spans) {
            if (span.length() <= limit || span.from == last) continue;
            last = span.from;
            sum += priceOfLane;
        }
        return sum;
    }

    int itemsUpTo(int level) const { return upTo_[level - lowest_]; }

    /// The items above a block that begins below a level; the first block begins with it.
    int itemsAbove(int level) const { return level == lowest_ ? 0 : itemsUpTo(level); }

    /// Lengths worth trying as limits, longest first.
    static std::vector<int> limits(const std::vector<Span>& spans, int below) {
        std::vector<int> lengths;
        for (const Span& span : spans) {
            if (span.length() > shortest && span.length() <= below) lengths.push_back(span.length() - 1);
        }
        std::sort(lengths.begin(), lengths.end(), std::greater<>());
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
        if (lengths.size() <= mostLimits) return lengths;
        std::vector<int> chosen;
        for (int i = 0; i < mostLimits; ++i) {
            chosen.push_back(lengths[i * (lengths.size() - 1) / (mostLimits - 1)]);
        }
        const double ratio = static_cast<double>(lengths.back()) / lengths.front();
        for (int i = 1; i < mostLimits; ++i) {
            const double wanted = lengths.front() * std::pow(ratio, double(i) / mostLimits);
            chosen.push_back(
                *std::lower_bound(lengths.begin(), lengths.end() - 1, int(wanted), std::greater<>()));
        }
        std::sort(chosen.begin(), chosen.end(), std::greater<>());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        return chosen;
    }

    void refine(int low, int high, const std::vector<Span>& spans, int below) {
        std::vector<Cut> best = cuts(low, high, spans, below);
        int limit = below;
        if (itemsUpTo(high) - itemsAbove(low) > smallEnough) {
            double least = price(low, high, best, spans, below);
            for (const int candidate : limits(spans, below)) {
                std::vector<Cut> tried = cuts(low, high, spans, candidate);
                const double cost = price(low, high, tried, spans, candidate);
                if (cost >= least) continue;
                least = cost;
                limit = candidate;
                best = std::move(tried);
            }
        }
        int start = low;
        for (size_t i = 0; i <= best.size(); ++i) {
            const int end = i < best.size() ? best[i].level : high;
            const bool progress = end - start < high - low;
            if (progress && itemsUpTo(end) - itemsAbove(start) > tooBig) again(start, end, spans, limit);
            start = end;
        }
        cuts_.insert(cuts_.end(), best.begin(), best.end());
    }

    void again(int low, int high, const std::vector<Span>& spans, int limit) {
        std::vector<Span> inside;
        for (const Span& span : spans) {
            if (span.start >= low && span.end <= high && span.length() <= limit) inside.push_back(span);
        }
        refine(low, high, inside, limit);
    }

    const Problem& problem_;
    Work& work_;
    std::vector<int> level_;
    std::vector<int> upTo_;
    std::vector<Cut> cuts_;
    int lowest_;
};

}  // namespace

Chain cutIntoChain(const Problem& problem, Work& work) { return Cutter(problem, work).chain(); }

}  // namespace layout
