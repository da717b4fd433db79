#include "views/graph/layout/part.h"

#include <algorithm>
#include <cstring>

#include "views/graph/layout/rows.h"

namespace layout {
namespace {

constexpr int deepest = 40;
constexpr size_t mostRemembered = 2000;

void add(std::string& key, double value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: the bytes are the key
}

/// A text that is equal for two problems exactly if they are equal.
std::string keyOf(const Problem& problem) {
    std::string key;
    key.reserve(48 * (problem.items.size() + problem.links.size()));
    for (const Item& item : problem.items) {
        for (const double value : {item.left, item.right, item.height, double(int(item.role)),
                                   double(int(item.side)), double(item.order)}) {
            add(key, value);
        }
    }
    for (const double value : {double(problem.top), double(problem.bottom), double(problem.items.size())}) {
        add(key, value);
    }
    for (const Link& link : problem.links) {
        for (const double value :
             {double(link.from), double(link.to), double(link.fromPort), double(link.toPort),
              link.fromShift.value_or(1e9), link.toShift.value_or(1e9), link.back ? 1.0 : 0.0}) {
            add(key, value);
        }
    }
    return key;
}

bool goesBack(const Problem& problem) {
    return std::any_of(problem.links.begin(), problem.links.end(),
                       [](const Link& link) { return link.back; });
}

/// Whether the blocks are smaller than the whole; top alone above and bottom alone below do not count.
bool divides(const Problem& problem, const Chain& chain) {
    int smallest = static_cast<int>(chain.waists.size());
    int largest = 0;
    for (size_t i = 0; i < problem.items.size(); ++i) {
        const int item = static_cast<int>(i);
        const bool isDoor = problem.items[i].side != Side::none;
        if (item == problem.top || item == problem.bottom || isDoor) continue;
        smallest = std::min(smallest, chain.block[i]);
        largest = std::max(largest, chain.block[i]);
    }
    if (smallest != largest) return smallest < largest;
    const size_t block = static_cast<size_t>(smallest);
    return block < chain.waists.size() && chain.waists[block] >= 0 && chain.waists[block] != problem.bottom;
}

Placement layoutFresh(const Problem& problem, Work& work, int depth) {
    ++work.stats.parts;
    work.stats.operations += static_cast<std::int64_t>(problem.items.size() + problem.links.size());
    if (depth < deepest) {
        const bool back = goesBack(problem);
        const Chain chain = cutIntoChain(problem, work);
        if (back || divides(problem, chain)) return layoutChain(problem, chain, work, depth + 1);
        if (!back) {
            if (auto branches = layoutBranches(problem, work, depth + 1)) return *std::move(branches);
        }
    }
    return layoutRows(problem, work);
}

}  // namespace

std::shared_ptr<const Placement> layoutPart(const Problem& problem, Work& work, int depth) {
    if (problem.items.size() > mostRemembered) {
        return std::make_shared<const Placement>(layoutFresh(problem, work, depth));
    }
    const std::string key = keyOf(problem);
    if (const auto found = work.known.find(key); found != work.known.end()) {
        ++work.stats.reused;
        return found->second;
    }
    auto placement = std::make_shared<const Placement>(layoutFresh(problem, work, depth));
    work.known.emplace(key, placement);
    return placement;
}

}  // namespace layout
