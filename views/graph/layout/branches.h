#pragma once

#include <map>
#include <memory>
#include <vector>

#include "views/graph/layout/problem.h"

namespace layout {

/// One of the branches side by side between top and bottom: unconnected inner items; or, without items, a
/// link straight from top to bottom, or to or from a side.
struct Branch {
    std::vector<int> items{};
    std::vector<int> links{};
    std::map<int, int> local{};  ///< From items of the whole to those of `problem`.
    Problem problem{};           ///< Between two terminals in the place of top and bottom.
    std::shared_ptr<const Placement> placement{};
    Side side = Side::none;  ///< Not none: a line outside of everything.
    int distance = 0;        ///< Of such a line, among those of its side.
    double left = 0;
    double right = 0;
    double x = 0;  ///< Of its axis.
    double y = 0;  ///< Of its upper end.

    bool isLine() const { return items.empty(); }
};

/// The branches of a problem, without places; none if it hangs together.
std::vector<Branch> splitIntoBranches(const Problem& problem, const Spacing& spacing);

/// Gives branches that have their widths their order, by the ports they lead from or to, and their x. Top and
/// bottom stand at x = 0.
void arrangeBranches(std::vector<Branch>& branches, const Problem& problem, const Spacing& spacing);

}  // namespace layout
