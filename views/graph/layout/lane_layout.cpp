#include <algorithm>

#include "views/graph/layout/stack.h"

namespace layout {
namespace {

constexpr double laneRadius = 10;

class LaneLayout {
public:
    LaneLayout(Stack& stack, const Spacing& spacing)
        : stack_(stack), problem_(stack.problem), spacing_(spacing) {}

    void run() {
        placeLanes();
        fillBands();
        placeDoors();
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            if (stack_.laneOf[i] >= 0) route(static_cast<int>(i));
        }
    }

private:
    /// Shorter lanes first, so that they run inside of longer ones.
    void placeLanes() {
        std::vector<double> left;
        std::vector<double> right;
        for (const Block& block : stack_.blocks) {
            left.push_back(block.left);
            right.push_back(block.right);
        }
        Reach leftReach(left);
        Reach rightReach(right);
        std::vector<Lane*> order;
        for (Lane& lane : stack_.lanes) order.push_back(&lane);
        std::sort(order.begin(), order.end(),
                  [](const Lane* a, const Lane* b) { return a->order < b->order; });
        for (Lane* lane : order) {
            Reach& reach = lane->side == Side::left ? leftReach : rightReach;
            const double x = reach.most(lane->first, lane->last) + spacing_.edge;
            lane->x = lane->side == Side::left ? -x : x;
            if (passes(*lane)) reach.raise(lane->first, lane->last, x);
        }
        const int last = static_cast<int>(stack_.blocks.size()) - 1;
        stack_.placement.left = -leftReach.most(0, last);
        stack_.placement.right = rightReach.most(0, last);
    }

    /// Whether a lane passes a block; else its lines go straight from one block to the next.
    static bool passes(const Lane& lane) { return lane.back || lane.fixed || lane.last > lane.exit + 1; }

    /// Outer lanes leave above inner ones and enter below them, so that they do not cross.
    void fillBands() {
        for (size_t b = 0; b < stack_.blocks.size(); ++b) {
            for (const auto& [lane, item] : stack_.blocks[b].exits) {
                stack_.bands[b + 1].leaving.emplace_back(-stack_.lanes[lane].order, lane);
            }
            for (const auto& [lane, item] : stack_.blocks[b].entries) {
                stack_.bands[b].entering.emplace_back(stack_.lanes[lane].order, lane);
            }
        }
        for (Band& band : stack_.bands) {
            std::sort(band.leaving.begin(), band.leaving.end());
            std::sort(band.entering.begin(), band.entering.end());
        }
    }

    double heightOf(int item) const { return item < 0 ? 0 : problem_.items[item].height; }

    /// Entries and exits of the whole stand where their lanes begin and end.
    void placeDoors() {
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            if (stack_.laneOf[i] < 0) continue;
            const Link& link = problem_.links[i];
            const Lane& lane = stack_.lanes[stack_.laneOf[i]];
            if (stack_.blockOf[link.from] < 0) {
                stack_.placement.items[link.from] = {.x = lane.x, .y = heightOf(problem_.top) / 2};
            }
            if (stack_.blockOf[link.to] < 0) {
                const double y = stack_.placement.height - heightOf(problem_.bottom) / 2;
                stack_.placement.items[link.to] = {.x = lane.x, .y = y};
            }
        }
    }

    double exitSlot(int lane) const {
        const Band& band = stack_.bands[stack_.lanes[lane].exit + 1];
        const auto at = std::lower_bound(band.leaving.begin(), band.leaving.end(),
                                         std::pair(-stack_.lanes[lane].order, lane));
        return band.top() + band.step() * static_cast<double>(at - band.leaving.begin() + 1);
    }

    double entrySlot(int lane, int block) const {
        const Band& band = stack_.bands[block];
        const auto at = std::lower_bound(band.entering.begin(), band.entering.end(),
                                         std::pair(stack_.lanes[lane].order, lane));
        const auto before = static_cast<std::ptrdiff_t>(band.leaving.size());
        return band.top() + band.step() * static_cast<double>(before + (at - band.entering.begin()) + 1);
    }

    void route(int i) {
        const int name = stack_.laneOf[i];
        const Lane& lane = stack_.lanes[name];
        Path& path = stack_.placement.links[i];
        const int entry = stack_.blockOf[problem_.links[i].to];
        if (lane.exit < 0) {
            extend(path, {.x = lane.x, .y = heightOf(problem_.top)});
        } else {
            const Block& start = stack_.blocks[lane.exit];
            extend(path, start.placement->links[start.exitLink.at(name)], {.x = 0, .y = start.y});
        }
        if (lane.back) {
            turn(path, lane.x, exitSlot(name), entrySlot(name, entry), entryPath(i, entry).front().x);
            extend(path, entryPath(i, entry), {.x = 0, .y = stack_.blocks[entry].y});
            return;
        }
        const bool next = entry >= 0 && entry == lane.exit + 1;
        if (lane.exit >= 0 && !next) shift(path, lane.x, exitSlot(name), stack_.bands[lane.exit + 1]);
        if (entry < 0) {
            down(path, lane.x, stack_.placement.height - heightOf(problem_.bottom));
            return;
        }
        const Path& rest = entryPath(i, entry);
        const double slot = next && lane.exit >= 0 ? exitSlot(name) : entrySlot(name, entry);
        shift(path, rest.front().x, slot, stack_.bands[entry]);
        for (const Point point : rest) down(path, point.x, point.y + stack_.blocks[entry].y);
    }

    const Path& entryPath(int i, int entry) const {
        const Block& block = stack_.blocks[entry];
        return block.placement->links[block.entryLink.at(i)];
    }

    static void down(Path& path, double x, double y) {
        extend(path, {.x = x, .y = std::max(path.back().y, y)});
    }

    /// Goes on to another x at the height of a slot.
    static void shift(Path& path, double x, double slot, const Band& band) {
        const double radius = std::min(laneRadius, band.step());
        down(path, path.back().x, slot - radius);
        down(path, x, slot + radius);
    }

    /// Goes back up in a lane.
    static void turn(Path& path, double lane, double out, double in, double x) {
        down(path, path.back().x, out);
        extend(path, {.x = lane, .y = path.back().y});
        extend(path, {.x = lane, .y = in});
        extend(path, {.x = x, .y = in});
    }

    Stack& stack_;
    const Problem& problem_;
    const Spacing& spacing_;
};

}  // namespace

void layLanes(Stack& stack, const Spacing& spacing) { LaneLayout(stack, spacing).run(); }

}  // namespace layout
