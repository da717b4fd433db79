// From the request to regions, one for each open group and one for the whole, each with its problem; from the
// innermost region outwards to placements; and back to places and curves in the scene.
//
// An edge between two groups becomes a link in each region it passes: from the source to the border, from box
// to box, from the border to the target. Its curve is put together of theirs. Where the flow is to run to the
// right, the scene is laid out downwards with width and height exchanged, and exchanged again in the
// response.

#include "views/graph/layout/scene.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "views/graph/layout/region.h"

namespace layout {
namespace {

constexpr double padding = 12;
constexpr double margin = 16;
constexpr double loopWidth = 16;

/// A box of the scene that is shown: a node, or a collapsed group.
struct Shown {
    int region = -1;
    int item = -1;
};

class Scene {
public:
    Scene(const Request& request, Work& work) : request_(request), work_(work) {
        addRegions();
        addNodes();
        for (size_t i = 0; i < request.edges.size(); ++i) addEdge(static_cast<int>(i));
    }

    Response layOut() {
        work_.wanted = static_cast<std::int64_t>(nodes_.size());
        // Regions are in the order of depth.
        for (size_t i = regions_.size(); i-- > 0;) {
            layoutRegion(regions_[i], work_);
            if (i > 0) giveSize(regions_[i]);
        }
        findOrigins();
        Response response;
        writeBoxes(response);
        writeEdges(response);
        moveIntoView(response);
        response.stats = work_.stats;
        return response;
    }

private:
    struct Piece {
        int region = 0;
        int link = 0;
    };

    bool sideways() const { return request_.direction == Direction::right; }

    /// Index of a group by its id, or -1.
    int groupAt(int id) const {
        const auto found = groupById_.find(id);
        return found == groupById_.end() ? -1 : found->second;
    }

    int depthOf(int group) const {
        int depth = 0;
        for (int up = group; up >= 0; up = groupAt(request_.groups[up].parent)) ++depth;
        return depth;
    }

    /// The outermost collapsed group around a group (itself included), or -1.
    int hidingGroup(int group) const {
        int hiding = -1;
        for (int up = group; up >= 0; up = groupAt(request_.groups[up].parent)) {
            if (request_.groups[up].collapsed) hiding = up;
        }
        return hiding;
    }

    int addItem(int region, const Item& item, int child) {
        regions_[region].problem.items.push_back(item);
        regions_[region].child.push_back(child);
        return static_cast<int>(regions_[region].problem.items.size()) - 1;
    }

    static Item box(double w, double h) { return {.left = w / 2, .right = w / 2, .height = h}; }
    Item shownBox(double w, double h) const { return sideways() ? box(h, w) : box(w, h); }

    void addRegions() {
        regions_.emplace_back();
        for (size_t i = 0; i < request_.groups.size(); ++i) {
            groupById_[request_.groups[i].id] = static_cast<int>(i);
        }
        std::vector<std::pair<int, int>> byDepth;
        for (size_t i = 0; i < request_.groups.size(); ++i) {
            byDepth.emplace_back(depthOf(static_cast<int>(i)), static_cast<int>(i));
        }
        std::sort(byDepth.begin(), byDepth.end());
        regionOfGroup_.assign(request_.groups.size(), -1);
        groups_.resize(request_.groups.size());
        for (const auto& [depth, i] : byDepth) {
            const Request::Group& group = request_.groups[i];
            const int hiding = hidingGroup(i);
            if (hiding >= 0 && hiding != i) continue;
            const int up = groupAt(group.parent);
            const int parent = up < 0 ? 0 : regionOfGroup_[up];
            int child = -1;
            if (!group.collapsed) {
                child = static_cast<int>(regions_.size());
                regions_.push_back({.parent = parent, .header = group.header});
                regionOfGroup_[i] = child;
            }
            const int item = addItem(parent, shownBox(group.w, group.h), child);
            if (child >= 0) regions_[child].itemInParent = item;
            groups_[i] = {.region = parent, .item = item};
        }
    }

    void addNodes() {
        for (size_t i = 0; i < request_.nodes.size(); ++i) {
            const Request::Node& node = request_.nodes[i];
            nodeById_[node.id] = static_cast<int>(i);
            const int group = groupAt(node.group);
            const int hiding = hidingGroup(group);
            if (hiding >= 0) {
                nodes_.push_back(groups_[hiding]);
                hidden_.push_back(true);
                continue;
            }
            const int region = group < 0 ? 0 : regionOfGroup_[group];
            nodes_.push_back({.region = region, .item = addItem(region, shownBox(node.w, node.h), -1)});
            hidden_.push_back(false);
        }
    }

    /// A number for a box as the source of values.
    int sourceName(const Request::Edge& edge) const {
        const int node = nodeById_.at(edge.from);
        if (!hidden_[node]) return node;
        const int group = hidingGroup(groupAt(request_.nodes[node].group));
        return static_cast<int>(request_.nodes.size()) + group;
    }

    void addEdge(int index) {
        const Request::Edge& edge = request_.edges[index];
        pieces_.emplace_back();
        loops_.push_back(false);
        const int fromNode = nodeById_.at(edge.from);
        const int toNode = nodeById_.at(edge.to);
        Shown from = nodes_[fromNode];
        Shown to = nodes_[toNode];
        if (from.region == to.region && from.item == to.item) {
            loops_.back() = !hidden_[fromNode];
            if (loops_.back() && !wide_[{from.region, from.item}]) {
                wide_[{from.region, from.item}] = true;
                regions_[from.region].problem.items[from.item].right += loopWidth;
            }
            return;
        }
        const std::pair value(sourceName(edge), hidden_[fromNode] ? 0 : edge.fromPort);
        int fromPort = value.second;
        int toPort = hidden_[toNode] ? 0 : edge.toPort;
        std::vector<Piece> tail;
        while (from.region != to.region) {
            // The deeper region, which has the higher number, is left first.
            if (from.region > to.region) {
                pieces_.back().push_back(leave(from, value, fromPort));
            } else {
                tail.push_back(enter(to, value, toPort));
            }
        }
        pieces_.back().push_back(link(from, fromPort, to.item, toPort));
        pieces_.back().insert(pieces_.back().end(), tail.rbegin(), tail.rend());
    }

    Piece link(const Shown& from, int fromPort, int to, int toPort) {
        Region& region = regions_[from.region];
        const auto [at, isNew] = region.known.emplace(std::tuple(from.item, fromPort, to, toPort),
                                                      static_cast<int>(region.problem.links.size()));
        if (isNew) {
            region.problem.links.push_back({.from = from.item,
                                            .to = to,
                                            .fromPort = fromPort,
                                            .toPort = toPort,
                                            .fromShift = {},
                                            .toShift = {}});
        }
        return {.region = from.region, .link = at->second};
    }

    int door(int region, std::map<std::pair<int, int>, int> Region::*doors, std::pair<int, int> value,
             Role role) {
        const auto found = (regions_[region].*doors).find(value);
        if (found != (regions_[region].*doors).end()) return found->second;
        const int item = addItem(region, {.role = role}, -1);
        (regions_[region].*doors)[value] = item;
        return item;
    }

    /// Links a box to the lower border of its region; goes on with the region's box.
    Piece leave(Shown& from, std::pair<int, int> value, int& port) {
        const int exit = door(from.region, &Region::exits, value, Role::exit);
        const Piece piece = link(from, port, exit, 0);
        const Region& region = regions_[from.region];
        port = exit;
        from = {.region = region.parent, .item = region.itemInParent};
        return piece;
    }

    /// Links the upper border of a region to a box in it; goes on with the region's box.
    Piece enter(Shown& to, std::pair<int, int> value, int& port) {
        const int entry = door(to.region, &Region::entries, value, Role::entry);
        const Piece piece = link({.region = to.region, .item = entry}, 0, to.item, port);
        const Region& region = regions_[to.region];
        port = entry;
        to = {.region = region.parent, .item = region.itemInParent};
        return piece;
    }

    /// Makes the box in the parent as big as what is inside, and links end at the doors.
    void giveSize(const Region& region) {
        Region& parent = regions_[region.parent];
        Item& item = parent.problem.items[region.itemInParent];
        const double least = item.left + item.right;
        item.left = padding - region.placement.left + (sideways() ? region.header : 0);
        item.right = std::max(padding + region.placement.right, least - item.left);
        item.height = 2 * padding + region.placement.height + (sideways() ? 0 : region.header);
        for (Link& link : parent.problem.links) {
            if (link.from == region.itemInParent) link.fromShift = region.placement.items[link.fromPort].x;
            if (link.to == region.itemInParent) link.toShift = region.placement.items[link.toPort].x;
        }
    }

    void findOrigins() {
        for (size_t i = 1; i < regions_.size(); ++i) {
            Region& region = regions_[i];
            const Region& parent = regions_[region.parent];
            const Point centre = parent.placement.items[region.itemInParent];
            const double top = centre.y - parent.problem.items[region.itemInParent].height / 2;
            region.origin = {.x = parent.origin.x + centre.x,
                             .y = parent.origin.y + top + padding + (sideways() ? 0 : region.header)};
        }
    }

    struct Box {
        Point corner;
        double w = 0;
        double h = 0;
    };

    Box boxOf(const Shown& shown, double extraRight) const {
        const Region& region = regions_[shown.region];
        const Item& item = region.problem.items[shown.item];
        const Point at = region.placement.items[shown.item];
        return {.corner = {.x = region.origin.x + at.x - item.left,
                           .y = region.origin.y + at.y - item.height / 2},
                .w = item.left + item.right - extraRight,
                .h = item.height};
    }

    void writeBoxes(Response& response) const {
        for (size_t i = 0; i < nodes_.size(); ++i) {
            if (hidden_[i]) continue;
            const Box box = boxOf(nodes_[i], 0);
            response.nodes.push_back({.id = request_.nodes[i].id, .x = box.corner.x, .y = box.corner.y});
        }
        for (size_t i = 0; i < groups_.size(); ++i) {
            if (groups_[i].item < 0) continue;
            const Box box = boxOf(groups_[i], 0);
            response.groups.push_back(
                {.id = request_.groups[i].id, .x = box.corner.x, .y = box.corner.y, .w = box.w, .h = box.h});
        }
    }

    Path loopOf(const Request::Edge& edge) const {
        const Box box = boxOf(nodes_[nodeById_.at(edge.from)], loopWidth);
        const double side = box.corner.x + box.w + loopWidth - 6;
        const double near = box.corner.x + box.w * 0.75;
        return {{.x = near, .y = box.corner.y + box.h},
                {.x = side, .y = box.corner.y + box.h},
                {.x = side, .y = box.corner.y},
                {.x = near, .y = box.corner.y}};
    }

    void writeEdges(Response& response) const {
        std::vector<Path> paths(pieces_.size());
        for (size_t i = 0; i < pieces_.size(); ++i) {
            if (loops_[i]) paths[i] = loopOf(request_.edges[i]);
            for (const Piece& piece : pieces_[i]) {
                const Region& region = regions_[piece.region];
                extend(paths[i], region.placement.links[piece.link], region.origin);
            }
        }
        const std::vector<size_t> own = splitFromEachOther(paths);
        for (size_t i = 0; i < paths.size(); ++i) {
            if (paths[i].empty()) continue;
            Curve curve = curveWithWaypoints(paths[i]);
            response.edges.push_back({.index = static_cast<int>(i),
                                      .own = static_cast<int>(curve.waypoints[own[i]]),
                                      .points = std::move(curve.points)});
        }
    }

    /// Per path the waypoint at which it leaves those of the same value that end above it.
    std::vector<size_t> splitFromEachOther(std::vector<Path>& paths) const {
        constexpr size_t compared = 3;
        std::vector<size_t> own(paths.size(), 0);
        std::map<std::pair<int, int>, std::vector<size_t>> values;
        for (size_t i = 0; i < paths.size(); ++i) {
            const Request::Edge& edge = request_.edges[i];
            const bool hidden = hidden_[nodeById_.at(edge.from)];
            if (!paths[i].empty()) values[{sourceName(edge), hidden ? 0 : edge.fromPort}].push_back(i);
        }
        for (auto& [value, edges] : values) {
            std::stable_sort(edges.begin(), edges.end(), [&](size_t a, size_t b) {
                const Point left = paths[a].back();
                const Point right = paths[b].back();
                return std::pair(left.y, left.x) < std::pair(right.y, right.x);
            });
            for (size_t k = 1; k < edges.size(); ++k) {
                Path& path = paths[edges[k]];
                const Path whole = path;
                for (size_t before = k - std::min(k, compared); before < k; ++before) {
                    Path split = whole;
                    const size_t at = splitFrom(split, paths[edges[before]]);
                    if (lengthAfter(split, at) >= lengthAfter(path, own[edges[k]])) continue;
                    path = std::move(split);
                    own[edges[k]] = at;
                }
            }
        }
        return own;
    }

    static double lengthAfter(const Path& path, size_t waypoint) {
        double length = 0;
        for (size_t i = waypoint + 1; i < path.size(); ++i) {
            length += std::abs(path[i].x - path[i - 1].x) + std::abs(path[i].y - path[i - 1].y);
        }
        return length;
    }

    /// Moves all to begin at the margin, and turns the scene where it runs sideways.
    void moveIntoView(Response& response) const {
        const Placement& whole = regions_[0].placement;
        const double left = whole.left - margin;
        const auto move = [&](double& x, double& y) {
            x -= left;
            y += margin;
            if (sideways()) std::swap(x, y);
        };
        for (auto& node : response.nodes) move(node.x, node.y);
        for (auto& group : response.groups) {
            move(group.x, group.y);
            if (sideways()) std::swap(group.w, group.h);
        }
        for (auto& edge : response.edges) {
            for (Point& point : edge.points) move(point.x, point.y);
        }
        response.width = whole.right - whole.left + 2 * margin;
        response.height = whole.height + 2 * margin;
        if (sideways()) std::swap(response.width, response.height);
    }

    const Request& request_;
    Work& work_;
    std::vector<Region> regions_;
    std::unordered_map<int, int> groupById_;
    std::unordered_map<int, int> nodeById_;
    std::vector<int> regionOfGroup_;  ///< Per group, or -1.
    std::vector<Shown> groups_;       ///< Per group its box; without item where hidden.
    std::vector<Shown> nodes_;        ///< Per node its box, or that of the group that hides it.
    std::vector<bool> hidden_;
    std::map<std::pair<int, int>, bool> wide_;
    std::vector<std::vector<Piece>> pieces_;  ///< Per edge.
    std::vector<bool> loops_;
};

}  // namespace

Response layoutScene(const Request& request, const std::function<void(double, std::string_view)>& progress) {
    Work work;
    work.spacing = {.node = request.nodeGap, .rank = request.rankGap, .edge = request.edgeGap};
    work.engine = request.engine;
    work.progress = progress;
    return Scene(request, work).layOut();
}

}  // namespace layout
