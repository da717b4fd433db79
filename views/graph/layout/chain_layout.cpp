// Blocks of a chain are laid out alone and stacked so that the waist between two of them, which both contain,
// lies on itself; all waists stand on the axis. What a block needs from farther above or gives farther below
// enters beside its top and leaves beside its bottom, and runs in a lane outside of all it passes. Lanes
// begin and end in the height of a waist, where nothing stands beside it.

#include <algorithm>
#include <set>

#include "views/graph/layout/part.h"
#include "views/graph/layout/stack.h"

namespace layout {
namespace {

/// Order of entries and exits of the whole chain among those of lanes: outside of all.
constexpr int outside = 1000;

class Stacker {
public:
    Stacker(const Problem& problem, const Chain& chain, Work& work, int depth)
        : problem_(problem),
          work_(work),
          depth_(depth),
          stack_(planStack(problem, chain)),
          home_(problem.items.size(), 0) {}

    Placement layOut() {
        work_.stats.lanes += static_cast<std::int64_t>(stack_.lanes.size());
        stack_.bands[0].centre = -work_.spacing.rank / 2;
        stack_.bands[0].height = work_.spacing.rank;
        double y = 0;
        for (size_t i = 0; i < stack_.blocks.size(); ++i) y = stack(static_cast<int>(i), y);
        stack_.placement.height = y;
        layLanes(stack_, work_.spacing);
        shiftToZero();
        return std::move(stack_.placement);
    }

private:
    /// Places a block below y, returns its lower end.
    double stack(int i, double y) {
        Block& block = stack_.blocks[i];
        const int top = stack_.topOf(i);
        const int bottom = stack_.bottomOf(i);
        const bool bare = block.members.empty() && block.exits.empty();
        if (bare && bottom < 0) {
            stack_.bands[i + 1].centre = y;
            return y;
        }
        if (bare && block.links.empty() && top < 0) {
            placeAlone(block, bottom, y);
            return remember(i, bottom);
        }
        if (bare && isPlainPair(block, top, bottom)) {
            placePair(block, top, bottom);
        } else {
            placeBlock(block, top, bottom, y);
        }
        if (bottom >= 0) return remember(i, bottom);
        const double end = block.y + block.placement->height;
        stack_.bands[i + 1].centre = end + work_.spacing.rank / 2;
        stack_.bands[i + 1].height = work_.spacing.rank;
        return i + 1 < static_cast<int>(stack_.blocks.size()) ? end + work_.spacing.rank : end;
    }

    double remember(int i, int bottom) {
        const Point at = stack_.placement.items[bottom];
        Band& band = stack_.bands[i + 1];
        band.centre = at.y;
        band.height = std::max(band.height, problem_.items[bottom].height);
        return at.y + problem_.items[bottom].height / 2;
    }

    void placeAlone(Block& block, int item, double y) {
        stack_.placement.items[item] = {.x = 0, .y = y + problem_.items[item].height / 2};
        block.left = problem_.items[item].left;
        block.right = problem_.items[item].right;
        work_.advance(1);
    }

    bool isPlainPair(const Block& block, int top, int bottom) const {
        return top >= 0 && bottom >= 0 && block.links.size() == 1 && stack_.laneOf[block.links[0]] < 0;
    }

    void placePair(Block& block, int top, int bottom) {
        const Item& upper = problem_.items[top];
        const Item& lower = problem_.items[bottom];
        const Link& link = problem_.links[block.links[0]];
        const double start = stack_.placement.items[top].y + upper.height / 2;
        const bool touches = upper.role != Role::node || lower.role != Role::node;
        const double end = start + (touches ? 0 : work_.spacing.rank);
        stack_.placement.items[bottom] = {.x = 0, .y = end + lower.height / 2};
        Path& path = stack_.placement.links[block.links[0]];
        extend(path, {.x = link.fromShift.value_or(0), .y = start});
        extend(path, {.x = link.toShift.value_or(0), .y = end});
        block.left = std::max(upper.left, lower.left);
        block.right = std::max(upper.right, lower.right);
        work_.advance(1);
    }

    void placeBlock(Block& block, int top, int bottom, double y) {
        const std::vector<int> inside = describe(block, top, bottom);
        block.placement = layoutPart(block.problem, work_, depth_);
        const Placement& placed = *block.placement;
        block.y = top >= 0 ? stack_.placement.items[top].y - placed.items[block.problem.top].y : y;
        for (const int item : block.members) setItem(block, item);
        if (bottom >= 0) setItem(block, bottom);
        block.left = -placed.left;
        block.right = placed.right;
        for (size_t k = 0; k < inside.size(); ++k) {
            if (inside[k] < 0) continue;
            extend(stack_.placement.links[inside[k]], placed.links[k], {.x = 0, .y = block.y});
        }
        work_.advance(static_cast<std::int64_t>(block.members.size()) + 1);
    }

    void setItem(const Block& block, int item) {
        const Point inner = block.placement->items[home_[item]];
        stack_.placement.items[item] = {.x = inner.x, .y = block.y + inner.y};
    }

    /// Sets up the block's own problem: top, members, bottom, then entries and exits. Returns for each of its
    /// links the link of the whole that it is, or -1 if it is only a piece of one.
    std::vector<int> describe(Block& block, int top, int bottom) {
        Problem& inner = block.problem;
        const auto number = [&](int item) {
            home_[item] = static_cast<int>(inner.items.size());
            inner.items.push_back(problem_.items[item]);
            if (inner.items.back().side != Side::none) inner.items.back().order += outside;
            return home_[item];
        };
        if (top >= 0) inner.top = number(top);
        for (const int item : block.members) number(item);
        if (bottom >= 0) inner.bottom = number(bottom);
        addDoors(block);
        std::vector<int> inside;
        for (const int i : block.links) {
            Link link = problem_.links[i];
            const int lane = stack_.laneOf[i];
            link.from = lane < 0 ? home_[link.from] : block.entries.at(lane);
            link.to = home_[link.to];
            link.back = false;
            inside.push_back(lane < 0 ? i : -1);
            if (lane >= 0) {
                link.fromPort = 0;
                link.fromShift.reset();
                block.entryLink[i] = static_cast<int>(inner.links.size());
            }
            inner.links.push_back(link);
        }
        for (const auto& [lane, exit] : block.exits) {
            const Lane& leaving = stack_.lanes[lane];
            block.exitLink[lane] = static_cast<int>(inner.links.size());
            inside.push_back(-1);
            inner.links.push_back({.from = home_[leaving.from],
                                   .to = exit,
                                   .fromPort = leaving.fromPort,
                                   .toPort = 0,
                                   .fromShift = leaving.shift,
                                   .toShift = {}});
        }
        return inside;
    }

    /// Adds an item for each lane that enters or leaves; their order is by the lanes' distance from the axis.
    void addDoors(Block& block) {
        std::set<std::pair<int, int>> entering;
        std::set<std::pair<int, int>> leaving;
        for (const int i : block.links) {
            const int lane = stack_.laneOf[i];
            if (lane >= 0) entering.emplace(stack_.lanes[lane].order, lane);
        }
        for (const auto& [lane, item] : block.exits) leaving.emplace(stack_.lanes[lane].order, lane);
        const auto add = [&](const auto& doors, Role role, std::map<int, int>& items) {
            std::map<Side, int> count;
            for (const auto& [order, lane] : doors) {
                const Side side = stack_.lanes[lane].side;
                items[lane] = static_cast<int>(block.problem.items.size());
                block.problem.items.push_back({.role = role, .side = side, .order = count[side]++});
            }
        };
        add(entering, Role::entry, block.entries);
        add(leaving, Role::exit, block.exits);
    }

    /// Doors above the first row and below the last may stick out.
    void shiftToZero() {
        Placement& placement = stack_.placement;
        double low = 0;
        for (const Path& path : placement.links) {
            for (const Point point : path) {
                low = std::min(low, point.y);
                placement.height = std::max(placement.height, point.y);
            }
        }
        for (Path& path : placement.links) {
            for (Point& point : path) point.y -= low;
        }
        for (Point& point : placement.items) point.y -= low;
        placement.height -= low;
    }

    const Problem& problem_;
    Work& work_;
    int depth_;
    Stack stack_;
    std::vector<int> home_;  ///< Per item its number in the problem of its block.
};

}  // namespace

Placement layoutChain(const Problem& problem, const Chain& chain, Work& work, int depth) {
    return Stacker(problem, chain, work, depth).layOut();
}

}  // namespace layout
