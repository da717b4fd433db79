// Blocks of a chain are laid out alone and stacked so that the waist between two of them, which both contain,
// lies on itself; all waists stand on the axis. What a block needs from farther above or gives farther below
// enters beside its top and leaves beside its bottom, and runs in a lane outside of all it passes. Lanes
// begin and end in the height of a waist, where nothing stands beside it.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "views/graph/layout/lanes.h"
#include "views/graph/layout/part.h"

namespace layout {
namespace {

constexpr double leastBand = 20;
constexpr double laneRadius = 10;

/// The place beside a waist (or between two blocks without one) where lanes begin and end.
struct Band {
    double centre = 0;
    double height = leastBand;
    std::vector<std::pair<int, int>> leaving;  ///< Distance and lane.
    std::vector<std::pair<int, int>> entering;

    double top() const { return centre - height / 2; }
    double step() const { return height / static_cast<double>(leaving.size() + entering.size() + 1); }
};

struct Block {
    std::vector<int> members;  ///< Without waists.
    std::vector<int> links;    ///< Inside, and those that begin or end here in a lane.
    std::map<int, int> exits;  ///< From lanes to items of `problem`.
    std::map<int, int> entries;
    Problem problem;
    std::vector<std::pair<int, int>>
        routes;                   ///< Per link of the problem: the link it is part of, and its lane or -1.
    std::map<int, int> exitLink;  ///< From a lane to the problem's link to its exit.
    std::shared_ptr<const Placement> placement;
    double y = 0;
    double left = 0;
    double right = 0;
};

class Stacker {
public:
    Stacker(const Problem& problem, const Chain& chain, Work& work, int depth)
        : problem_(problem),
          chain_(chain),
          work_(work),
          depth_(depth),
          blocks_(chain.waists.size() + 1),
          bands_(chain.waists.size() + 2),
          home_(problem.items.size(), 0) {
        placement_.items.resize(problem.items.size());
        placement_.links.resize(problem.links.size());
    }

    Placement layOut() {
        assign();
        findLanes();
        double y = 0;
        for (size_t i = 0; i < blocks_.size(); ++i) y = stack(static_cast<int>(i), y);
        placement_.height = y;
        placeLanes();
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            if (laneOf_[i] >= 0) routeInLane(static_cast<int>(i));
        }
        shiftToZero();
        return std::move(placement_);
    }

private:
    int topOf(int block) const { return block == 0 ? -1 : chain_.waists[block - 1]; }
    int bottomOf(int block) const {
        return block < static_cast<int>(chain_.waists.size()) ? chain_.waists[block] : problem_.bottom;
    }
    bool isWaist(int item) const { return item == problem_.bottom || bottomOf(chain_.block[item]) == item; }
    /// Where links from an item begin: below it, if it is a waist.
    int leavesFrom(int item) const {
        const bool ends = item != problem_.bottom && bottomOf(chain_.block[item]) == item;
        return chain_.block[item] + (ends ? 1 : 0);
    }

    void assign() {
        for (size_t i = 0; i < problem_.items.size(); ++i) {
            const int item = static_cast<int>(i);
            if (!isWaist(item)) blocks_[chain_.block[item]].members.push_back(item);
        }
    }

    void findLanes() {
        laneOf_.assign(problem_.links.size(), -1);
        std::map<std::tuple<int, int, bool>, int> known;
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            const int exit = leavesFrom(link.from);
            const int entry = chain_.block[link.to];
            if (!link.back && exit == entry) {
                blocks_[exit].links.push_back(static_cast<int>(i));
                continue;
            }
            const auto [at, isNew] =
                known.emplace(std::tuple(link.from, link.fromPort, link.back), lanes_.size());
            if (isNew) {
                lanes_.push_back({.from = link.from,
                                  .fromPort = link.fromPort,
                                  .shift = link.fromShift,
                                  .back = link.back,
                                  .exit = exit,
                                  .first = exit,
                                  .last = exit});
            }
            Lane& lane = lanes_[at->second];
            lane.first = std::min(lane.first, entry);
            lane.last = std::max(lane.last, entry);
            laneOf_[i] = at->second;
            blocks_[entry].links.push_back(static_cast<int>(i));
            if (isNew) blocks_[exit].exits[at->second] = -1;
        }
        chooseSides(lanes_);
        work_.stats.lanes += static_cast<std::int64_t>(lanes_.size());
    }

    /// Places a block below y, returns its lower end.
    double stack(int i, double y) {
        Block& block = blocks_[i];
        const int top = topOf(i);
        const int bottom = bottomOf(i);
        if (block.members.empty() && bottom < 0 && block.exits.empty()) {
            bands_[i + 1].centre = y;
            return y;
        }
        if (block.members.empty() && block.links.empty() && block.exits.empty() && top < 0) {
            placeAlone(block, bottom, y);
            return remember(i, bottom);
        }
        if (block.members.empty() && block.exits.empty() && isPlainPair(block, top, bottom)) {
            placePair(block, top, bottom);
        } else {
            placeBlock(block, top, bottom, y);
        }
        const double end = bottom >= 0 ? remember(i, bottom) : block.y + block.placement->height;
        if (bottom >= 0) return end;
        bands_[i + 1] = {.centre = end + work_.spacing.rank / 2,
                         .height = work_.spacing.rank,
                         .leaving = {},
                         .entering = {}};
        return i + 1 < static_cast<int>(blocks_.size()) ? end + work_.spacing.rank : end;
    }

    double remember(int i, int bottom) {
        const Point at = placement_.items[bottom];
        bands_[i + 1].centre = at.y;
        bands_[i + 1].height = std::max(leastBand, problem_.items[bottom].height);
        return at.y + problem_.items[bottom].height / 2;
    }

    void placeAlone(Block& block, int item, double y) {
        placement_.items[item] = {.x = 0, .y = y + problem_.items[item].height / 2};
        block.left = problem_.items[item].left;
        block.right = problem_.items[item].right;
        work_.advance(1);
    }

    bool isPlainPair(const Block& block, int top, int bottom) const {
        return top >= 0 && bottom >= 0 && block.links.size() == 1 && laneOf_[block.links[0]] < 0;
    }

    void placePair(Block& block, int top, int bottom) {
        const Item& upper = problem_.items[top];
        const Item& lower = problem_.items[bottom];
        const Link& link = problem_.links[block.links[0]];
        const double start = placement_.items[top].y + upper.height / 2;
        const bool touches = upper.role != Role::node || lower.role != Role::node;
        const double end = start + (touches ? 0 : work_.spacing.rank);
        placement_.items[bottom] = {.x = 0, .y = end + lower.height / 2};
        Path& path = placement_.links[block.links[0]];
        extend(path, {.x = link.fromShift.value_or(0), .y = start});
        extend(path, {.x = link.toShift.value_or(0), .y = end});
        block.left = std::max(upper.left, lower.left);
        block.right = std::max(upper.right, lower.right);
        work_.advance(1);
    }

    void placeBlock(Block& block, int top, int bottom, double y) {
        describe(block, top, bottom);
        block.placement = layoutPart(block.problem, work_, depth_);
        const Placement& placed = *block.placement;
        block.y = top >= 0 ? placement_.items[top].y - placed.items[home_[top]].y : y;
        for (const int item : block.members) setItem(block, item);
        if (bottom >= 0) setItem(block, bottom);
        block.left = -placed.left;
        block.right = placed.right;
        for (size_t k = 0; k < block.routes.size(); ++k) {
            const auto [link, lane] = block.routes[k];
            if (link >= 0 && lane < 0)
                extend(placement_.links[link], placed.links[k], {.x = 0, .y = block.y});
        }
        work_.advance(static_cast<std::int64_t>(block.members.size()) + 1);
    }

    void setItem(const Block& block, int item) {
        const Point inner = block.placement->items[home_[item]];
        placement_.items[item] = {.x = inner.x, .y = block.y + inner.y};
    }

    /// Sets up the block's own problem: top, members, bottom, then entries and exits.
    void describe(Block& block, int top, int bottom) {
        Problem& inner = block.problem;
        const auto number = [&](int item) {
            home_[item] = static_cast<int>(inner.items.size());
            inner.items.push_back(problem_.items[item]);
            return home_[item];
        };
        if (top >= 0) inner.top = number(top);
        for (const int item : block.members) number(item);
        if (bottom >= 0) inner.bottom = number(bottom);
        addDoors(block);
        for (const int i : block.links) {
            Link link = problem_.links[i];
            const int lane = laneOf_[i];
            link.from = lane < 0 ? home_[link.from] : block.entries.at(lane);
            if (lane >= 0) {
                link.fromPort = 0;
                link.fromShift.reset();
            }
            link.to = home_[link.to];
            link.back = false;
            inner.links.push_back(link);
            block.routes.emplace_back(i, lane);
        }
        for (const auto& [lane, exit] : block.exits) {
            const Lane& leaving = lanes_[lane];
            block.exitLink[lane] = static_cast<int>(inner.links.size());
            inner.links.push_back({.from = home_[leaving.from],
                                   .to = exit,
                                   .fromPort = leaving.fromPort,
                                   .toPort = 0,
                                   .fromShift = leaving.shift,
                                   .toShift = {}});
            block.routes.emplace_back(-1, lane);
        }
    }

    /// Adds an item for each lane that enters or leaves; their order is by the lanes' distance from the axis.
    void addDoors(Block& block) {
        std::set<std::pair<int, int>> entering;
        std::set<std::pair<int, int>> leaving;
        for (const int i : block.links) {
            if (laneOf_[i] >= 0) entering.emplace(lanes_[laneOf_[i]].order, laneOf_[i]);
        }
        for (const auto& [lane, item] : block.exits) leaving.emplace(lanes_[lane].order, lane);
        const auto add = [&](const auto& doors, Role role, std::map<int, int>& items) {
            std::map<Side, int> count;
            for (const auto& [order, lane] : doors) {
                const Side side = lanes_[lane].side;
                items[lane] = static_cast<int>(block.problem.items.size());
                block.problem.items.push_back({.role = role, .side = side, .order = count[side]++});
            }
        };
        add(entering, Role::entry, block.entries);
        add(leaving, Role::exit, block.exits);
    }

    void placeLanes() {
        std::vector<double> left;
        std::vector<double> right;
        for (const Block& block : blocks_) {
            left.push_back(block.left);
            right.push_back(block.right);
        }
        Reach leftReach(left);
        Reach rightReach(right);
        std::vector<Lane*> order;
        for (Lane& lane : lanes_) order.push_back(&lane);
        std::sort(order.begin(), order.end(),
                  [](const Lane* a, const Lane* b) { return a->order < b->order; });
        for (Lane* lane : order) {
            Reach& reach = lane->side == Side::left ? leftReach : rightReach;
            const double x = reach.most(lane->first, lane->last) + work_.spacing.edge;
            lane->x = lane->side == Side::left ? -x : x;
            if (!needsLane(*lane)) continue;
            reach.raise(lane->first, lane->last, x);
        }
        const int last = static_cast<int>(blocks_.size()) - 1;
        placement_.left = -leftReach.most(0, last);
        placement_.right = rightReach.most(0, last);
        fillBands();
    }

    /// Whether a lane passes a block; else its lines go straight from one block to the next.
    static bool needsLane(const Lane& lane) { return lane.back || lane.last > lane.exit + 1; }

    void fillBands() {
        for (size_t b = 0; b < blocks_.size(); ++b) {
            for (const auto& [lane, item] : blocks_[b].exits) {
                bands_[b + 1].leaving.emplace_back(-lanes_[lane].order, lane);
            }
            for (const auto& [lane, item] : blocks_[b].entries) {
                bands_[b].entering.emplace_back(lanes_[lane].order, lane);
            }
        }
        for (Band& band : bands_) {
            std::sort(band.leaving.begin(), band.leaving.end());
            std::sort(band.entering.begin(), band.entering.end());
        }
    }

    double exitSlot(int lane) const {
        const Band& band = bands_[lanes_[lane].exit + 1];
        const auto at =
            std::lower_bound(band.leaving.begin(), band.leaving.end(), std::pair(-lanes_[lane].order, lane));
        return band.top() + band.step() * static_cast<double>(at - band.leaving.begin() + 1);
    }

    double entrySlot(int lane, int block) const {
        const Band& band = bands_[block];
        const auto at =
            std::lower_bound(band.entering.begin(), band.entering.end(), std::pair(lanes_[lane].order, lane));
        const auto before = static_cast<std::ptrdiff_t>(band.leaving.size());
        return band.top() + band.step() * static_cast<double>(before + (at - band.entering.begin()) + 1);
    }

    void routeInLane(int i) {
        const int name = laneOf_[i];
        const Lane& lane = lanes_[name];
        const int entry = chain_.block[problem_.links[i].to];
        const Block& start = blocks_[lane.exit];
        const Block& end = blocks_[entry];
        Path& path = placement_.links[i];
        const Path& first = start.placement->links[start.exitLink.at(name)];
        const size_t route =
            std::find(end.routes.begin(), end.routes.end(), std::pair(i, name)) - end.routes.begin();
        const Path& second = end.placement->links[route];
        extend(path, first, {.x = 0, .y = start.y});
        const double out = exitSlot(name);
        const double in = entrySlot(name, entry);
        const double from = path.back().x;
        const double to = second.front().x;
        const auto down = [&](double x, double y) {
            extend(path, {.x = x, .y = std::max(path.back().y, y)});
        };
        const double outRadius = std::min(laneRadius, bands_[lane.exit + 1].step());
        const double inRadius = std::min(laneRadius, bands_[entry].step());
        if (lane.back) {
            down(from, out);
            extend(path, {.x = lane.x, .y = path.back().y});
            extend(path, {.x = lane.x, .y = in});
            extend(path, {.x = to, .y = in});
        } else if (entry == lane.exit + 1) {
            down(from, out - outRadius);
            down(to, out + outRadius);
        } else {
            down(from, out - outRadius);
            down(lane.x, out + outRadius);
            down(lane.x, in - inRadius);
            down(to, in + inRadius);
        }
        for (const Point point : second) {
            const double y = point.y + end.y;
            extend(path, {.x = point.x, .y = lane.back ? y : std::max(path.back().y, y)});
        }
    }

    /// Doors above the first row and below the last may stick out.
    void shiftToZero() {
        double low = 0;
        for (const Path& path : placement_.links) {
            for (const Point point : path) {
                low = std::min(low, point.y);
                placement_.height = std::max(placement_.height, point.y);
            }
        }
        for (Path& path : placement_.links) {
            for (Point& point : path) point.y -= low;
        }
        for (Point& point : placement_.items) point.y -= low;
        placement_.height -= low;
    }

    const Problem& problem_;
    const Chain& chain_;
    Work& work_;
    int depth_;
    std::vector<Block> blocks_;
    std::vector<Band> bands_;  ///< Band i is above block i.
    std::vector<int> home_;    ///< Per item its number in the problem of its block.
    std::vector<Lane> lanes_;
    std::vector<int> laneOf_;  ///< Per link, or -1.
    Placement placement_;
};

}  // namespace

Placement layoutChain(const Problem& problem, const Chain& chain, Work& work, int depth) {
    return Stacker(problem, chain, work, depth).layOut();
}

}  // namespace layout
