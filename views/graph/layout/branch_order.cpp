#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "views/graph/layout/branches.h"

namespace layout {
namespace {

constexpr size_t outweighs = 2;

class Arranger {
public:
    Arranger(std::vector<Branch>& branches, const Problem& problem, const Spacing& spacing)
        : branches_(branches), problem_(problem), spacing_(spacing) {}

    void run() {
        order();
        double x = 0;
        for (size_t k = 0; k < sequence_.size(); ++k) {
            if (k > 0) {
                const Branch& before = *sequence_[k - 1];
                x += before.right + gap(before, *sequence_[k]) + sequence_[k]->left;
            }
            sequence_[k]->x = x;
        }
        const double axis = findAxis();
        for (Branch& branch : branches_) branch.x -= axis;
        clearEnds();
    }

private:
    /// By the ports of top if the branches use several, else by the ports of bottom.
    void order() {
        std::set<int> fromPorts;
        for (const Link& link : problem_.links) {
            if (link.from == problem_.top) fromPorts.insert(link.fromPort);
        }
        const bool byTop = fromPorts.size() > 1;
        constexpr int last = std::numeric_limits<int>::max();
        using Rank = std::tuple<int, int, int, Branch*>;
        std::vector<Rank> ranks;
        for (Branch& branch : branches_) {
            int port = last;
            for (const int i : branch.links) {
                const Link& link = problem_.links[i];
                if (byTop && link.from == problem_.top) port = std::min(port, link.fromPort);
                if (!byTop && link.to == problem_.bottom) port = std::min(port, link.toPort);
            }
            const int item = branch.isLine() ? last : branch.items[0];
            ranks.emplace_back(static_cast<int>(branch.side) * (branch.distance + 1), port, item, &branch);
        }
        std::sort(ranks.begin(), ranks.end());
        for (const Rank& rank : ranks) sequence_.push_back(std::get<Branch*>(rank));
    }

    double gap(const Branch& a, const Branch& b) const {
        return a.isLine() || b.isLine() ? (spacing_.node + spacing_.edge) / 2 : spacing_.node;
    }

    /// The axis of the one branch that outweighs all others, or else the middle of the branches.
    double findAxis() const {
        std::vector<const Branch*> real;
        for (const Branch* branch : sequence_) {
            if (!branch->isLine()) real.push_back(branch);
        }
        if (real.empty()) return axisOfLines();
        std::vector<const Branch*> bySize = real;
        std::stable_sort(bySize.begin(), bySize.end(),
                         [](const Branch* a, const Branch* b) { return a->items.size() > b->items.size(); });
        const bool clear =
            bySize.size() == 1 || bySize[0]->items.size() >= outweighs * bySize[1]->items.size();
        return clear ? bySize[0]->x : (real.front()->x + real.back()->x) / 2;
    }

    /// The first line from top to bottom, or else between the lines of the left and the right side.
    double axisOfLines() const {
        double axis = sequence_[0]->x - spacing_.node;
        for (const Branch* branch : sequence_) {
            if (branch->side == Side::none) return branch->x;
            if (branch->side == Side::left) axis = branch->x + spacing_.node;
        }
        return axis;
    }

    /// Lines to and from the sides pass beside top and bottom.
    void clearEnds() {
        double left = 0;
        double right = 0;
        for (const int end : {problem_.top, problem_.bottom}) {
            if (end < 0) continue;
            left = std::max(left, problem_.items[end].left + spacing_.edge);
            right = std::max(right, problem_.items[end].right + spacing_.edge);
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

    std::vector<Branch>& branches_;
    const Problem& problem_;
    const Spacing& spacing_;
    std::vector<Branch*> sequence_;
};

}  // namespace

void arrangeBranches(std::vector<Branch>& branches, const Problem& problem, const Spacing& spacing) {
    Arranger(branches, problem, spacing).run();
}

}  // namespace layout
