#include "views/graph/layout/region.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "views/graph/layout/decompose.h"
#include "views/graph/layout/part.h"

namespace layout {
namespace {

constexpr double aspect = 1.6;

void openCycles(Problem& problem) {
    std::vector<std::pair<int, int>> edges;
    for (const Link& link : problem.links) edges.emplace_back(link.from, link.to);
    const std::vector<bool> closing = closingEdges(static_cast<int>(problem.items.size()), edges);
    for (size_t i = 0; i < edges.size(); ++i) problem.links[i].back = closing[i];
}

/// A connected component as a problem of its own.
struct Component {
    std::vector<int> items;
    std::vector<int> links;
    Problem problem;
    std::shared_ptr<const Placement> placement;
    Point corner;  ///< Upper left.

    double width() const { return placement->right - placement->left; }
};

std::vector<Component> split(const Problem& problem) {
    std::vector<std::pair<int, int>> edges;
    for (const Link& link : problem.links) edges.emplace_back(link.from, link.to);
    std::vector<Component> parts;
    std::vector<int> part(problem.items.size(), 0);
    std::vector<int> local(problem.items.size(), 0);
    for (auto& members : components(static_cast<int>(problem.items.size()), edges)) {
        Component& component = parts.emplace_back();
        for (const int item : members) {
            part[item] = static_cast<int>(parts.size()) - 1;
            local[item] = static_cast<int>(component.problem.items.size());
            component.problem.items.push_back(problem.items[item]);
        }
        component.items = std::move(members);
    }
    for (size_t i = 0; i < problem.links.size(); ++i) {
        Link link = problem.links[i];
        Component& component = parts[part[link.from]];
        component.links.push_back(static_cast<int>(i));
        link.from = local[link.from];
        link.to = local[link.to];
        component.problem.links.push_back(link);
    }
    return parts;
}

/// A single entry is what all hangs on, a single exit what all leads to.
void setEnds(Problem& problem) {
    const auto only = [&](Role role) {
        int found = -1;
        for (size_t i = 0; i < problem.items.size(); ++i) {
            if (problem.items[i].role != role) continue;
            if (found >= 0) return -1;
            found = static_cast<int>(i);
        }
        return found;
    };
    problem.top = only(Role::entry);
    problem.bottom = only(Role::exit);
}

/// Fills shelves from left to right, the highest components first.
void pack(std::vector<Component>& parts, double gap, double shelfWidth) {
    std::vector<size_t> order(parts.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return parts[a].placement->height > parts[b].placement->height;
    });
    double x = 0;
    double y = 0;
    double shelf = 0;
    for (const size_t i : order) {
        Component& part = parts[i];
        if (x > 0 && x + part.width() > shelfWidth) {
            x = 0;
            y += shelf + gap;
            shelf = 0;
        }
        part.corner = {.x = x, .y = y};
        x += part.width() + gap;
        shelf = std::max(shelf, part.placement->height);
    }
}

double shelfWidthFor(const std::vector<Component>& parts, double gap, bool hasBorder) {
    double area = 0;
    double widest = 0;
    double sum = 0;
    for (const Component& part : parts) {
        area += (part.width() + gap) * (part.placement->height + gap);
        widest = std::max(widest, part.width());
        sum += part.width() + gap;
    }
    if (hasBorder) return sum;
    return std::max(widest, std::sqrt(area * aspect));
}

void join(Region& region, const std::vector<Component>& parts) {
    Placement& whole = region.placement;
    whole.items.resize(region.problem.items.size());
    whole.links.resize(region.problem.links.size());
    const double axis = -parts[0].placement->left + parts[0].corner.x;
    for (const Component& part : parts) {
        const Point offset{.x = part.corner.x - part.placement->left - axis, .y = part.corner.y};
        for (size_t i = 0; i < part.items.size(); ++i) {
            const Point inner = part.placement->items[i];
            whole.items[part.items[i]] = {.x = inner.x + offset.x, .y = inner.y + offset.y};
        }
        for (size_t i = 0; i < part.links.size(); ++i) {
            extend(whole.links[part.links[i]], part.placement->links[i], offset);
        }
        whole.left = std::min(whole.left, offset.x + part.placement->left);
        whole.right = std::max(whole.right, offset.x + part.placement->right);
        whole.height = std::max(whole.height, offset.y + part.placement->height);
    }
}

}  // namespace

void layoutRegion(Region& region, Work& work) {
    if (region.problem.items.empty()) return;
    openCycles(region.problem);
    std::vector<Component> parts = split(region.problem);
    for (Component& part : parts) {
        setEnds(part.problem);
        part.placement = layoutPart(part.problem, work, 0);
        work.advance(1);
    }
    const double gap = 1.5 * work.spacing.node;
    const bool hasBorder = !region.entries.empty() || !region.exits.empty();
    pack(parts, gap, shelfWidthFor(parts, gap, hasBorder));
    join(region, parts);
}

}  // namespace layout
