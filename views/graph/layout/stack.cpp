#include "views/graph/layout/stack.h"

#include <algorithm>
#include <tuple>

namespace layout {
namespace {

bool isDoor(const Problem& problem, int item) { return problem.items[item].side != Side::none; }

class Planner {
public:
    Planner(const Problem& problem, const Chain& chain)
        : stack_{.problem = problem,
                 .chain = chain,
                 .blocks = std::vector<Block>(chain.waists.size() + 1),
                 .bands = std::vector<Band>(chain.waists.size() + 2),
                 .lanes = {},
                 .laneOf = std::vector<int>(problem.links.size(), -1),
                 .blockOf = chain.block,
                 .placement = {}} {
        stack_.placement.items.resize(problem.items.size());
        stack_.placement.links.resize(problem.links.size());
        first_ = problem.top >= 0 ? chain.block[problem.top] + 1 : 0;
        last_ = static_cast<int>(chain.waists.size());
    }

    Stack plan() {
        houseDoors();
        for (size_t i = 0; i < stack_.problem.items.size(); ++i) {
            const int item = static_cast<int>(i);
            const bool outer = isDoor(stack_.problem, item) && stack_.blockOf[i] < 0;
            if (!outer && !stack_.isWaist(item)) stack_.blocks[stack_.blockOf[i]].members.push_back(item);
        }
        for (size_t i = 0; i < stack_.problem.links.size(); ++i) dealOut(static_cast<int>(i));
        chooseSides(stack_.lanes);
        return std::move(stack_);
    }

private:
    /// An entry of the whole is an item of the first block if that uses it, an exit of the last if that feeds
    /// it; all others lead into or come from lanes that run to the end.
    void houseDoors() {
        const Problem& problem = stack_.problem;
        for (size_t i = 0; i < problem.items.size(); ++i) {
            if (isDoor(problem, static_cast<int>(i))) stack_.blockOf[i] = -1;
        }
        for (const Link& link : problem.links) {
            if (isDoor(problem, link.from) && !isDoor(problem, link.to) &&
                stack_.blockOf[link.to] <= first_) {
                stack_.blockOf[link.from] = first_;
            }
            if (isDoor(problem, link.to) && !isDoor(problem, link.from) &&
                stack_.leavesFrom(link.from) == last_) {
                stack_.blockOf[link.to] = last_;
            }
        }
    }

    void dealOut(int i) {
        const Link& link = stack_.problem.links[i];
        const bool fromAbove = stack_.blockOf[link.from] < 0;
        const bool toBelow = stack_.blockOf[link.to] < 0;
        const int exit = fromAbove ? -1 : stack_.leavesFrom(link.from);
        const int entry = toBelow ? last_ + 1 : stack_.blockOf[link.to];
        if (!link.back && exit == entry) {
            stack_.blocks[exit].links.push_back(i);
            return;
        }
        const std::tuple name(link.from, link.fromPort, link.back, toBelow ? link.to : -1);
        const auto [at, isNew] = known_.emplace(name, static_cast<int>(stack_.lanes.size()));
        if (isNew) addLane(link, exit, toBelow);
        Lane& lane = stack_.lanes[at->second];
        lane.first = std::min(lane.first, std::min(entry, last_));
        lane.last = std::max(lane.last, std::min(entry, last_));
        stack_.laneOf[i] = at->second;
        if (!toBelow) stack_.blocks[entry].links.push_back(i);
    }

    void addLane(const Link& link, int exit, bool toBelow) {
        const int start = std::max(exit, 0);
        Lane lane{.from = link.from,
                  .fromPort = link.fromPort,
                  .shift = link.fromShift,
                  .back = link.back,
                  .exit = exit,
                  .first = start,
                  .last = start};
        const int door = exit < 0 ? link.from : link.to;
        lane.fixed = exit < 0 || toBelow;
        if (lane.fixed) lane.side = stack_.problem.items[door].side;
        if (exit >= 0) stack_.blocks[exit].exits[static_cast<int>(stack_.lanes.size())] = -1;
        stack_.lanes.push_back(lane);
    }

    Stack stack_;
    std::map<std::tuple<int, int, bool, int>, int> known_;
    int first_ = 0;
    int last_ = 0;
};

}  // namespace

Stack planStack(const Problem& problem, const Chain& chain) { return Planner(problem, chain).plan(); }

}  // namespace layout
