#include <algorithm>
#include <set>

#include "views/graph/layout/branches.h"
#include "views/graph/layout/decompose.h"

namespace layout {
namespace {

class Splitter {
public:
    Splitter(const Problem& problem, const Spacing& spacing)
        : problem_(problem), spacing_(spacing), branchOf_(problem.items.size(), -1) {}

    std::vector<Branch> split() {
        std::vector<std::pair<int, int>> inner;
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            if (isOuter(link.from) && isOuter(link.to)) {
                addLine(static_cast<int>(i));
            } else if (!isOuter(link.from) && !isOuter(link.to)) {
                inner.emplace_back(link.from, link.to);
            }
        }
        const size_t lines = branches_.size();
        for (auto& members : components(static_cast<int>(problem_.items.size()), inner)) {
            if (isOuter(members[0])) continue;
            for (const int item : members) branchOf_[item] = static_cast<int>(branches_.size());
            branches_.push_back({.items = std::move(members)});
        }
        const size_t real = branches_.size() - lines;
        const bool wraps = problem_.top >= 0 || problem_.bottom >= 0;
        if (branches_.empty() || (!wraps && real < 2) || (real == 1 && lines == 0)) return {};
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            const int branch = std::max(branchOf_[link.from], branchOf_[link.to]);
            if (branch >= 0) branches_[branch].links.push_back(static_cast<int>(i));
        }
        for (Branch& branch : branches_) {
            if (!branch.isLine()) describe(branch);
        }
        return std::move(branches_);
    }

private:
    bool isSide(int item) const { return problem_.items[item].side != Side::none; }
    bool isOuter(int item) const { return item == problem_.top || item == problem_.bottom || isSide(item); }

    void addLine(int i) {
        const Link& link = problem_.links[i];
        Branch branch{.links = {i}};
        for (const int end : {link.from, link.to}) {
            if (!isSide(end)) continue;
            branch.side = problem_.items[end].side;
            branch.distance = problem_.items[end].order;
        }
        branches_.push_back(std::move(branch));
    }

    /// A terminal wide enough that so many lines do not run together in it.
    Item terminal(size_t lines) const {
        const double half = lines < 2 ? 0 : spacing_.edge * static_cast<double>(lines);
        return {.left = half, .right = half, .role = Role::terminal};
    }

    int number(Branch& branch, int item, const Item& as) const {
        const auto [at, isNew] = branch.local.emplace(item, static_cast<int>(branch.problem.items.size()));
        if (isNew) branch.problem.items.push_back(as);
        return at->second;
    }

    void describe(Branch& branch) const {
        std::set<int> ports;
        size_t entering = 0;
        for (const int i : branch.links) {
            const Link& link = problem_.links[i];
            if (link.from == problem_.top) ports.insert(link.fromPort);
            if (link.to == problem_.bottom) ++entering;
        }
        if (!ports.empty()) branch.problem.top = number(branch, problem_.top, terminal(ports.size()));
        for (const int item : branch.items) number(branch, item, problem_.items[item]);
        for (const int i : branch.links) {
            for (const int end : {problem_.links[i].from, problem_.links[i].to}) {
                if (isSide(end)) number(branch, end, problem_.items[end]);
            }
        }
        if (entering > 0) branch.problem.bottom = number(branch, problem_.bottom, terminal(entering));
        for (const int i : branch.links) {
            Link link = problem_.links[i];
            if (link.from == problem_.top) link.fromShift.reset();
            if (link.to == problem_.bottom) link.toShift.reset();
            link.from = branch.local.at(link.from);
            link.to = branch.local.at(link.to);
            branch.problem.links.push_back(link);
        }
    }

    const Problem& problem_;
    const Spacing& spacing_;
    std::vector<int> branchOf_;
    std::vector<Branch> branches_;
};

}  // namespace

std::vector<Branch> splitIntoBranches(const Problem& problem, const Spacing& spacing) {
    return Splitter(problem, spacing).split();
}

}  // namespace layout
