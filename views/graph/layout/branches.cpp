// A part between a top and a bottom (either may be missing) whose inner items fall into unconnected branches,
// with or without links straight from top to bottom. Each branch is laid out alone, between two terminals in
// the place of top and bottom, and the branches stand side by side in the order of the ports they lead from
// or to.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "views/graph/layout/attach.h"
#include "views/graph/layout/part.h"

namespace layout {
namespace {

constexpr double steepRun = 160;
constexpr double widening = 0.06;
constexpr size_t outweighs = 2;

/// A branch, or (without items) a link straight from top to bottom or to or from a side.
struct Branch {
    std::vector<int> items{};
    std::vector<int> links{};
    std::map<int, int> local{};  ///< From items of the whole to those of the branch.
    Side side = Side::none;      ///< Not none: outside of everything.
    int distance = 0;
    std::pair<int, int> port{0, 0};
    std::shared_ptr<const Placement> placement{};
    double left = 0;
    double right = 0;
    double x = 0;
    double y = 0;
};

class Brancher {
public:
    Brancher(const Problem& problem, Work& work, int depth)
        : problem_(problem), work_(work), depth_(depth), branchOf_(problem.items.size(), -1) {}

    std::optional<Placement> layOut() {
        if (!split()) return std::nullopt;
        for (Branch& branch : branches_) place(branch);
        order();
        setX();
        setY();
        placeItems();
        for (Branch& branch : branches_) route(branch);
        measure();
        return std::move(placement_);
    }

private:
    bool isSide(int item) const { return problem_.items[item].side != Side::none; }
    bool isEnd(int item) const { return item == problem_.top || item == problem_.bottom; }

    bool split() {
        std::vector<std::pair<int, int>> inner;
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            const bool sides = isSide(link.from) || isSide(link.to);
            const bool ends = (isEnd(link.from) || isSide(link.from)) && (isEnd(link.to) || isSide(link.to));
            if (ends) {
                addStraight(static_cast<int>(i));
            } else if (!sides && !isEnd(link.from) && !isEnd(link.to)) {
                inner.emplace_back(link.from, link.to);
            }
        }
        const size_t straight = branches_.size();
        for (auto& members : components(static_cast<int>(problem_.items.size()), inner)) {
            if (members.size() == 1 && (isEnd(members[0]) || isSide(members[0]))) continue;
            for (const int item : members) branchOf_[item] = static_cast<int>(branches_.size());
            branches_.push_back({.items = std::move(members)});
        }
        const size_t real = branches_.size() - straight;
        const bool wraps = problem_.top >= 0 || problem_.bottom >= 0;
        if (branches_.empty() || (!wraps && real < 2)) return false;
        if (real == 1 && straight == 0) return false;
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            const int branch = std::max(branchOf_[link.from], branchOf_[link.to]);
            if (branch >= 0) branches_[branch].links.push_back(static_cast<int>(i));
        }
        return true;
    }

    void addStraight(int i) {
        const Link& link = problem_.links[i];
        Branch branch{.links = {i}};
        for (const int end : {link.from, link.to}) {
            if (!isSide(end)) continue;
            branch.side = problem_.items[end].side;
            branch.distance = problem_.items[end].order;
        }
        branches_.push_back(std::move(branch));
    }

    void place(Branch& branch) {
        branch.left = branch.right = work_.spacing.edge / 4;
        if (branch.items.empty()) return;
        Problem inner;
        const auto number = [&](int item, Role role) {
            const auto [at, isNew] = branch.local.emplace(item, static_cast<int>(inner.items.size()));
            if (isNew)
                inner.items.push_back(role == Role::terminal ? Item{.role = role} : problem_.items[item]);
            return at->second;
        };
        for (const int i : branch.links) {
            if (problem_.links[i].from == problem_.top) inner.top = number(problem_.top, Role::terminal);
        }
        for (const int item : branch.items) number(item, Role::node);
        for (const int i : branch.links) {
            for (const int end : {problem_.links[i].from, problem_.links[i].to}) {
                if (isSide(end)) number(end, Role::node);
            }
        }
        for (const int i : branch.links) {
            if (problem_.links[i].to == problem_.bottom)
                inner.bottom = number(problem_.bottom, Role::terminal);
        }
        for (const int i : branch.links) {
            Link link = problem_.links[i];
            if (link.from == problem_.top) link.fromShift.reset();
            if (link.to == problem_.bottom) link.toShift.reset();
            link.from = branch.local.at(link.from);
            link.to = branch.local.at(link.to);
            inner.links.push_back(link);
        }
        branch.placement = layoutPart(inner, work_, depth_);
        branch.left = -branch.placement->left;
        branch.right = branch.placement->right;
    }

    /// By the ports of top if the branches use several, else by the ports of bottom.
    void order() {
        std::set<int> fromPorts;
        for (const Link& link : problem_.links) {
            if (link.from == problem_.top) fromPorts.insert(link.fromPort);
        }
        for (Branch& branch : branches_) {
            int first = 1 << 30;
            for (const int i : branch.links) {
                const Link& link = problem_.links[i];
                if (fromPorts.size() > 1 && link.from == problem_.top) first = std::min(first, link.fromPort);
                if (fromPorts.size() <= 1 && link.to == problem_.bottom) first = std::min(first, link.toPort);
            }
            const int item = branch.items.empty() ? 1 << 30 : branch.items[0];
            branch.port = {first, item};
        }
        for (const Branch& branch : branches_) sequence_.push_back(&branch - branches_.data());
        const auto rank = [&](size_t i) {
            const Branch& branch = branches_[i];
            return std::tuple(static_cast<int>(branch.side) * (branch.distance + 1), branch.port, i);
        };
        std::sort(sequence_.begin(), sequence_.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
    }

    double gap(const Branch& a, const Branch& b) const {
        const bool lines = a.items.empty() || b.items.empty();
        return lines ? (work_.spacing.node + work_.spacing.edge) / 2 : work_.spacing.node;
    }

    void setX() {
        double x = 0;
        for (size_t k = 0; k < sequence_.size(); ++k) {
            Branch& branch = branches_[sequence_[k]];
            if (k > 0) {
                const Branch& before = branches_[sequence_[k - 1]];
                x += before.right + gap(before, branch) + branch.left;
            }
            branch.x = x;
        }
        const double axis = axisOfBranches();
        for (Branch& branch : branches_) branch.x -= axis;
        clearEnds();
    }

    /// Lines to and from the sides pass top and bottom.
    void clearEnds() {
        double left = 0;
        double right = 0;
        for (const int end : {problem_.top, problem_.bottom}) {
            if (end < 0) continue;
            left = std::max(left, problem_.items[end].left + work_.spacing.edge);
            right = std::max(right, problem_.items[end].right + work_.spacing.edge);
        }
        double shiftLeft = 0;
        double shiftRight = 0;
        for (const Branch& branch : branches_) {
            if (branch.side == Side::left) shiftLeft = std::max(shiftLeft, branch.x + left);
            if (branch.side == Side::right) shiftRight = std::max(shiftRight, right - branch.x);
        }
        for (Branch& branch : branches_) {
            if (branch.side == Side::left) branch.x -= shiftLeft;
            if (branch.side == Side::right) branch.x += shiftRight;
        }
    }

    /// The axis of the one branch that outweighs all others, or else the middle of the branches.
    double axisOfBranches() const {
        std::vector<const Branch*> real;
        for (const size_t i : sequence_) {
            if (!branches_[i].items.empty()) real.push_back(&branches_[i]);
        }
        if (real.empty()) {
            for (const size_t i : sequence_) {
                if (branches_[i].side == Side::none) return branches_[i].x;
            }
            return sideAxis();
        }
        std::vector<const Branch*> sizes = real;
        std::stable_sort(sizes.begin(), sizes.end(),
                         [](const Branch* a, const Branch* b) { return a->items.size() > b->items.size(); });
        const bool clear = sizes.size() == 1 || sizes[0]->items.size() >= outweighs * sizes[1]->items.size();
        return clear ? sizes[0]->x : (real.front()->x + real.back()->x) / 2;
    }

    /// Only lines to the sides: the axis runs between the left and the right ones.
    double sideAxis() const {
        double axis = branches_[sequence_[0]].x - work_.spacing.node;
        for (const size_t i : sequence_) {
            if (branches_[i].side == Side::left) axis = branches_[i].x + work_.spacing.node;
        }
        return axis;
    }

    double heightOf(int item) const { return item < 0 ? 0 : problem_.items[item].height; }

    /// The gap below top or above bottom: higher for wide fans, lower at a terminal, which has a gap around
    /// it.
    double fan(int end) const {
        double reach = 0;
        for (const Branch& branch : branches_) reach = std::max(reach, std::abs(branch.x));
        const double rank = work_.spacing.rank * (problem_.items[end].role == Role::node ? 1 : 0.65);
        return rank + std::min(rank, widening * std::max(0.0, reach - steepRun));
    }

    void setY() {
        bool real = false;
        for (const Branch& branch : branches_) {
            real = real || !branch.items.empty();
            if (branch.placement) inner_ = std::max(inner_, branch.placement->height);
        }
        upper_ = heightOf(problem_.top) + (problem_.top >= 0 ? fan(problem_.top) : 0);
        lower_ = upper_ + inner_;
        bottom_ = lower_ + (problem_.bottom >= 0 && (real || problem_.top < 0) ? fan(problem_.bottom) : 0);
        placement_.height = bottom_ + heightOf(problem_.bottom);
        for (Branch& branch : branches_) {
            if (!branch.placement) continue;
            const bool hangs = std::any_of(branch.links.begin(), branch.links.end(),
                                           [&](int i) { return problem_.links[i].from == problem_.top; });
            const bool low = !hangs && problem_.bottom >= 0;
            branch.y = low ? lower_ - branch.placement->height : upper_;
        }
    }

    void placeItems() {
        placement_.items.resize(problem_.items.size());
        if (problem_.top >= 0) placement_.items[problem_.top].y = heightOf(problem_.top) / 2;
        if (problem_.bottom >= 0) {
            placement_.items[problem_.bottom].y = placement_.height - heightOf(problem_.bottom) / 2;
        }
        for (const Branch& branch : branches_) {
            for (const int item : branch.items) {
                const Point inner = branch.placement->items[branch.local.at(item)];
                placement_.items[item] = {.x = branch.x + inner.x, .y = branch.y + inner.y};
            }
        }
        setDoors();
        setShifts();
    }

    /// Where lines leave top and enter bottom; a branch enters at one place.
    void setShifts() {
        std::map<int, double> leaving;
        std::vector<double> from;
        for (const size_t k : sequence_) {
            const Branch& branch = branches_[k];
            bool enters = false;
            for (const int i : branch.links) {
                if (problem_.links[i].from == problem_.top) leaving.emplace(problem_.links[i].fromPort, 0);
                enters = enters || problem_.links[i].to == problem_.bottom;
            }
            if (!enters) continue;
            entering_.emplace(&branch, from.size());
            from.push_back(branch.x);
        }
        if (problem_.bottom >= 0) enters_ = spreadInputs(problem_.items[problem_.bottom], from);
        if (problem_.top < 0) return;
        const auto places = spreadOutputs(problem_.items[problem_.top], leaving.size());
        size_t port = 0;
        for (auto& [name, place] : leaving) place = places[port++];
        leaves_ = std::move(leaving);
    }

    /// Where a link begins or ends in its branch.
    double innerX(const Branch& branch, size_t k, bool atStart) const {
        if (!branch.placement) return branch.x;
        const Path& path = branch.placement->links[k];
        return branch.x + (atStart ? path.front().x : path.back().x);
    }

    /// Gives lines from and to the sides places beside top and bottom, and apart from each other.
    void setDoors() {
        for (const bool atStart : {true, false}) {
            for (const Side side : {Side::left, Side::right}) {
                const double sign = side == Side::right ? 1 : -1;
                std::vector<std::pair<double, int>> doors;
                for (const Branch& branch : branches_) {
                    for (size_t k = 0; k < branch.links.size(); ++k) {
                        const Link& link = problem_.links[branch.links[k]];
                        if (problem_.items[atStart ? link.from : link.to].side != side) continue;
                        doors.emplace_back(sign * innerX(branch, k, atStart), branch.links[k]);
                    }
                }
                std::sort(doors.begin(), doors.end());
                double least = reachOf(atStart ? problem_.top : problem_.bottom, side) + work_.spacing.edge;
                for (const auto& [x, i] : doors) {
                    const double place = std::max(x, least);
                    least = place + work_.spacing.edge;
                    setDoor(i, atStart, sign * place);
                }
            }
        }
    }

    double reachOf(int item, Side side) const {
        if (item < 0) return -1e9;
        return side == Side::left ? problem_.items[item].left : problem_.items[item].right;
    }

    void setDoor(int i, bool atStart, double x) {
        (atStart ? doorIn_ : doorOut_)[i] = x;
        placement_.left = std::min(placement_.left, x);
        placement_.right = std::max(placement_.right, x);
        const Link& link = problem_.links[i];
        if (atStart) placement_.items[link.from] = {.x = x, .y = heightOf(problem_.top) / 2};
        const double low = placement_.height - heightOf(problem_.bottom) / 2;
        if (!atStart) placement_.items[link.to] = {.x = x, .y = low};
    }

    void route(const Branch& branch) {
        placement_.links.resize(problem_.links.size());
        for (size_t k = 0; k < branch.links.size(); ++k) {
            const int i = branch.links[k];
            const Link& link = problem_.links[i];
            Path& path = placement_.links[i];
            const bool fromSide = isSide(link.from);
            if (link.from == problem_.top || fromSide) {
                const double x =
                    fromSide ? doorIn_.at(i) : link.fromShift.value_or(leaves_.at(link.fromPort));
                extend(path, {.x = x, .y = heightOf(problem_.top)});
                extend(path, {.x = innerX(branch, k, true), .y = upper_});
            }
            if (branch.placement) {
                extend(path, branch.placement->links[k], {.x = branch.x, .y = branch.y});
            }
            const bool toSide = isSide(link.to);
            if (link.to == problem_.bottom || toSide) {
                const double x =
                    toSide ? doorOut_.at(i) : link.toShift.value_or(enters_.at(entering_.at(&branch)));
                extend(path, {.x = innerX(branch, k, false), .y = lower_});
                extend(path, {.x = x, .y = bottom_});
            }
        }
    }

    void measure() {
        for (const int end : {problem_.top, problem_.bottom}) {
            if (end < 0) continue;
            placement_.left = std::min(placement_.left, -problem_.items[end].left);
            placement_.right = std::max(placement_.right, problem_.items[end].right);
        }
        for (const Branch& branch : branches_) {
            placement_.left = std::min(placement_.left, branch.x - branch.left);
            placement_.right = std::max(placement_.right, branch.x + branch.right);
        }
    }

    const Problem& problem_;
    Work& work_;
    int depth_;
    std::vector<int> branchOf_;
    std::vector<Branch> branches_;
    std::vector<size_t> sequence_;
    std::map<int, double> leaves_;  ///< By port of top.
    std::map<int, double> doorIn_;  ///< By link that comes from a side.
    std::map<int, double> doorOut_;
    std::map<const Branch*, size_t> entering_;
    std::vector<double> enters_;
    double inner_ = 0;
    double upper_ = 0;
    double lower_ = 0;
    double bottom_ = 0;
    Placement placement_;
};

}  // namespace

std::optional<Placement> layoutBranches(const Problem& problem, Work& work, int depth) {
    return Brancher(problem, work, depth).layOut();
}

}  // namespace layout
