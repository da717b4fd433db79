// A part between a top and a bottom (either may be missing) whose inner items fall into unconnected branches,
// with or without links straight from top to bottom. Each branch is laid out alone, between two terminals in
// the place of top and bottom, and the branches stand side by side.

#include "views/graph/layout/branches.h"

#include <algorithm>
#include <limits>

#include "views/graph/layout/attach.h"
#include "views/graph/layout/gap.h"
#include "views/graph/layout/part.h"

namespace layout {
namespace {

class Brancher {
public:
    Brancher(const Problem& problem, std::vector<Branch> branches, Work& work, int depth)
        : problem_(problem),
          work_(work),
          branches_(std::move(branches)),
          in_(problem.links.size(), 0),
          out_(problem.links.size(), 0) {
        for (Branch& branch : branches_) {
            branch.left = branch.right = work.spacing.edge / 4;
            if (branch.isLine()) continue;
            branch.placement = layoutPart(branch.problem, work, depth);
            branch.left = -branch.placement->left;
            branch.right = branch.placement->right;
        }
        placement_.items.resize(problem.items.size());
        placement_.links.resize(problem.links.size());
    }

    Placement layOut() {
        arrangeBranches(branches_, problem_, work_.spacing);
        leaveTop();
        enterBottom();
        passSides();
        findGaps();
        setY();
        placeItems();
        for (const Branch& branch : branches_) route(branch);
        measure();
        return std::move(placement_);
    }

private:
    bool isSide(int item) const { return problem_.items[item].side != Side::none; }
    double heightOf(int item) const { return item < 0 ? 0 : problem_.items[item].height; }
    bool begins(int i) const {
        return problem_.links[i].from == problem_.top || isSide(problem_.links[i].from);
    }
    bool ends(int i) const { return problem_.links[i].to == problem_.bottom || isSide(problem_.links[i].to); }

    /// Where a link begins in its branch.
    static double upperX(const Branch& branch, size_t k) {
        return branch.x + (branch.isLine() ? 0 : branch.placement->links[k].front().x);
    }
    static double lowerX(const Branch& branch, size_t k) {
        return branch.x + (branch.isLine() ? 0 : branch.placement->links[k].back().x);
    }

    void leaveTop() {
        if (problem_.top < 0) return;
        std::map<int, double> ports;
        for (const Link& link : problem_.links) {
            if (link.from == problem_.top) ports.emplace(link.fromPort, 0);
        }
        const auto places = spreadOutputs(problem_.items[problem_.top], ports.size());
        size_t next = 0;
        for (auto& [port, place] : ports) place = places[next++];
        for (size_t i = 0; i < problem_.links.size(); ++i) {
            const Link& link = problem_.links[i];
            if (link.from == problem_.top) in_[i] = link.fromShift.value_or(ports.at(link.fromPort));
        }
    }

    void enterBottom() {
        if (problem_.bottom < 0) return;
        std::vector<int> links;
        std::vector<double> from;
        for (const Branch& branch : branches_) {
            for (size_t k = 0; k < branch.links.size(); ++k) {
                if (problem_.links[branch.links[k]].to != problem_.bottom) continue;
                links.push_back(branch.links[k]);
                from.push_back(lowerX(branch, k));
            }
        }
        const auto places = spreadInputs(problem_.items[problem_.bottom], from);
        for (size_t k = 0; k < links.size(); ++k) {
            out_[links[k]] = problem_.links[links[k]].toShift.value_or(places[k]);
        }
    }

    /// Gives lines from and to the sides places beside top and bottom, and apart from each other.
    void passSides() {
        for (const Side side : {Side::left, Side::right}) {
            const double sign = side == Side::right ? 1 : -1;
            std::vector<std::pair<double, int>> entries;
            std::vector<std::pair<double, int>> exits;
            for (const Branch& branch : branches_) {
                for (size_t k = 0; k < branch.links.size(); ++k) {
                    const int i = branch.links[k];
                    const Link& link = problem_.links[i];
                    if (problem_.items[link.from].side == side)
                        entries.emplace_back(sign * upperX(branch, k), i);
                    if (problem_.items[link.to].side == side) exits.emplace_back(sign * lowerX(branch, k), i);
                }
            }
            spreadBeside(entries, problem_.top, side, in_);
            spreadBeside(exits, problem_.bottom, side, out_);
        }
    }

    void spreadBeside(std::vector<std::pair<double, int>>& lines, int end, Side side,
                      std::vector<double>& places) {
        std::sort(lines.begin(), lines.end());
        const double sign = side == Side::right ? 1 : -1;
        double least = std::numeric_limits<double>::lowest();
        if (end >= 0) {
            const Item& item = problem_.items[end];
            least = (side == Side::right ? item.right : item.left) + work_.spacing.edge;
        }
        for (const auto& [x, i] : lines) {
            places[i] = sign * std::max(x, least);
            least = std::max(x, least) + work_.spacing.edge;
        }
    }

    /// A value leaves top as one line for all its branches; other lines count as values of their own.
    int valueAbove(int i) const {
        const Link& link = problem_.links[i];
        return link.from == problem_.top ? link.fromPort : -1 - i;
    }

    void findGaps() {
        for (const Branch& branch : branches_) {
            for (size_t k = 0; k < branch.links.size(); ++k) {
                const int i = branch.links[k];
                if (begins(i)) above_.add(valueAbove(i), in_[i], upperX(branch, k));
                if (ends(i)) below_.add(i, lowerX(branch, k), out_[i]);
            }
        }
        above_.assign();
        below_.assign();
    }

    /// A terminal has a gap on its other side too.
    double leastGap(int end) const {
        return work_.spacing.rank * (problem_.items[end].role == Role::node ? 1 : 0.65);
    }

    void setY() {
        double inner = 0;
        bool real = false;
        for (const Branch& branch : branches_) {
            real = real || !branch.isLine();
            if (branch.placement) inner = std::max(inner, branch.placement->height);
        }
        upper_ = heightOf(problem_.top) + (problem_.top >= 0 ? above_.height(leastGap(problem_.top)) : 0);
        lower_ = upper_ + inner;
        const bool needsGap = problem_.bottom >= 0 && (real || problem_.top < 0);
        bottom_ = lower_ + (needsGap ? below_.height(leastGap(problem_.bottom)) : 0);
        placement_.height = bottom_ + heightOf(problem_.bottom);
        for (Branch& branch : branches_) {
            if (!branch.placement) continue;
            const bool low = branch.problem.top < 0 && problem_.bottom >= 0;
            branch.y = low ? lower_ - branch.placement->height : upper_;
        }
    }

    void placeItems() {
        if (problem_.top >= 0) placement_.items[problem_.top].y = heightOf(problem_.top) / 2;
        const double low = placement_.height - heightOf(problem_.bottom) / 2;
        if (problem_.bottom >= 0) placement_.items[problem_.bottom].y = low;
        for (const Branch& branch : branches_) {
            for (const int item : branch.items) {
                const Point inner = branch.placement->items[branch.local.at(item)];
                placement_.items[item] = {.x = branch.x + inner.x, .y = branch.y + inner.y};
            }
            for (const int i : branch.links) {
                const Link& link = problem_.links[i];
                if (isSide(link.from)) {
                    placement_.items[link.from] = {.x = in_[i], .y = heightOf(problem_.top) / 2};
                }
                if (isSide(link.to)) placement_.items[link.to] = {.x = out_[i], .y = low};
            }
        }
    }

    void route(const Branch& branch) {
        for (size_t k = 0; k < branch.links.size(); ++k) {
            const int i = branch.links[k];
            Path& path = placement_.links[i];
            if (begins(i)) {
                extend(path, {.x = in_[i], .y = heightOf(problem_.top)});
                above_.cross(path, valueAbove(i), upperX(branch, k), heightOf(problem_.top), upper_);
            }
            if (branch.placement) {
                extend(path, branch.placement->links[k], {.x = branch.x, .y = branch.y});
            }
            if (ends(i)) {
                extend(path, {.x = lowerX(branch, k), .y = lower_});
                below_.cross(path, i, out_[i], lower_, bottom_);
            }
        }
    }

    void measure() {
        const auto include = [&](double left, double right) {
            placement_.left = std::min(placement_.left, left);
            placement_.right = std::max(placement_.right, right);
        };
        for (const int end : {problem_.top, problem_.bottom}) {
            if (end >= 0) include(-problem_.items[end].left, problem_.items[end].right);
        }
        for (const Branch& branch : branches_) {
            include(branch.x - branch.left, branch.x + branch.right);
            for (const int i : branch.links) {
                if (begins(i)) include(in_[i], in_[i]);
                if (ends(i)) include(out_[i], out_[i]);
            }
        }
    }

    const Problem& problem_;
    Work& work_;
    std::vector<Branch> branches_;
    std::vector<double> in_;   ///< Per link from top or a side, the x it has there.
    std::vector<double> out_;  ///< Per link to bottom or a side.
    Gap above_;
    Gap below_;
    double upper_ = 0;  ///< Where the branches begin.
    double lower_ = 0;  ///< Where the longest of them ends.
    double bottom_ = 0;
    Placement placement_;
};

}  // namespace

std::optional<Placement> layoutBranches(const Problem& problem, Work& work, int depth) {
    std::vector<Branch> branches = splitIntoBranches(problem, work.spacing);
    if (branches.empty()) return std::nullopt;
    return Brancher(problem, std::move(branches), work, depth).layOut();
}

}  // namespace layout
