#include "tests/views/graph/layout/scenes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

namespace layout::scenes {
namespace {

constexpr double tolerance = 0.2;

struct Box {
    int id = 0;
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
};

class Inspector {
public:
    Inspector(const Request& request, const Response& response) : request_(request), response_(response) {
        for (const auto& node : request.nodes) node_[node.id] = &node;
        for (const auto& group : request.groups) group_[group.id] = &group;
        for (const auto& node : response.nodes) {
            const auto& asked = *node_.at(node.id);
            boxes_.push_back({node.id, node.x, node.y, node.x + asked.w, node.y + asked.h});
            highest_ = std::max(highest_, asked.h);
        }
        for (const auto& group : response.groups) {
            groups_[group.id] = {group.id, group.x, group.y, group.x + group.w, group.y + group.h};
            if (!group_.at(group.id)->collapsed) continue;
            boxes_.push_back(groups_[group.id]);
            boxes_.back().id = -1 - group.id;
            highest_ = std::max(highest_, group.h);
        }
        std::sort(boxes_.begin(), boxes_.end(), [](const Box& a, const Box& b) { return a.top < b.top; });
    }

    std::string run() {
        checkOverlaps();
        checkPlaces();
        for (const auto& edge : response_.edges) checkEdge(edge);
        return text_.str();
    }

private:
    template <typename... Parts>
    void complain(const Parts&... parts) {
        if (++count_ > 10) return;
        (text_ << ... << parts) << '\n';
    }

    void checkOverlaps() {
        for (size_t i = 0; i < boxes_.size(); ++i) {
            const Box& a = boxes_[i];
            for (size_t k = i + 1; k < boxes_.size() && boxes_[k].top < a.bottom - tolerance; ++k) {
                const Box& b = boxes_[k];
                if (b.left < a.right - tolerance && b.right > a.left + tolerance) {
                    complain("nodes ", a.id, " and ", b.id, " overlap");
                }
            }
        }
    }

    void checkPlaces() {
        const Box all{0, 0, 0, response_.width, response_.height};
        for (const Box& box : boxes_) {
            const int group = box.id >= 0 ? node_.at(box.id)->group : group_.at(-1 - box.id)->parent;
            if (!isInside(box, group < 0 ? all : groups_.at(group))) complain("box ", box.id, " is outside");
        }
        for (const auto& [id, box] : groups_) {
            const int parent = group_.at(id)->parent;
            if (!isInside(box, parent < 0 ? all : groups_.at(parent))) complain("group ", id, " is outside");
        }
    }

    static bool isInside(const Box& inner, const Box& outer) {
        return inner.left >= outer.left - tolerance && inner.top >= outer.top - tolerance &&
               inner.right <= outer.right + tolerance && inner.bottom <= outer.bottom + tolerance;
    }

    /// The box shown for a node: its own, or that of the outermost collapsed group around it.
    int shown(int id) const {
        int result = id;
        for (int group = node_.at(id)->group; group >= 0; group = group_.at(group)->parent) {
            if (group_.at(group)->collapsed) result = -1 - group;
        }
        return result;
    }

    static std::vector<Point> samples(const std::vector<Point>& points) {
        std::vector<Point> result{points[0]};
        if (points.size() == 2) result.push_back(points[1]);
        for (size_t i = 0; i + 3 < points.size(); i += 3) {
            const Point& a = points[i];
            const Point& b = points[i + 1];
            const Point& c = points[i + 2];
            const Point& d = points[i + 3];
            const double length = std::abs(a.x - d.x) + std::abs(a.y - d.y);
            const int steps = std::clamp(static_cast<int>(length / 8), 4, 400);
            for (int k = 1; k <= steps; ++k) {
                const double t = double(k) / steps;
                const double s = 1 - t;
                const auto mix = [&](double p, double q, double r, double u) {
                    return s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u;
                };
                result.push_back({mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y)});
            }
        }
        return result;
    }

    void checkEdge(const Response::Edge& edge) {
        const auto& asked = request_.edges[edge.index];
        const int from = shown(asked.from);
        const int to = shown(asked.to);
        if (edge.points.size() < 2 || (edge.points.size() != 2 && edge.points.size() % 3 != 1)) {
            complain("edge ", edge.index, " has ", edge.points.size(), " points");
            return;
        }
        checkEnd(edge.index, from, edge.points.front(), true);
        checkEnd(edge.index, to, edge.points.back(), false);
        for (const Point point : samples(edge.points)) {
            if (point.x < -tolerance || point.y < -tolerance || point.x > response_.width + tolerance ||
                point.y > response_.height + tolerance) {
                complain("edge ", edge.index, " runs outside at ", point.x, ",", point.y);
                return;
            }
            if (runsThrough(point, from, to)) {
                complain("edge ", edge.index, " (", from, " to ", to, ") runs through a node at ", point.x,
                         ",", point.y);
                return;
            }
        }
    }

    bool runsThrough(Point point, int from, int to) const {
        const auto first = std::lower_bound(boxes_.begin(), boxes_.end(), point.y - highest_ - 1,
                                            [](const Box& box, double y) { return box.top < y; });
        return std::any_of(first, boxes_.end(), [&, done = false](const Box& box) mutable {
            done = done || box.top > point.y;
            if (done || box.id == from || box.id == to) return false;
            return point.x > box.left + 1 && point.x < box.right - 1 && point.y > box.top + 1 &&
                   point.y < box.bottom - 1;
        });
    }

    void checkEnd(int edge, int id, Point point, bool isStart) {
        const auto found =
            std::find_if(boxes_.begin(), boxes_.end(), [&](const Box& box) { return box.id == id; });
        if (found == boxes_.end()) {
            complain("edge ", edge, " belongs to box ", id, ", which is not there");
            return;
        }
        const bool down = request_.direction == Direction::down;
        const double along = down ? point.y : point.x;
        const double across = down ? point.x : point.y;
        const double border =
            down ? (isStart ? found->bottom : found->top) : (isStart ? found->right : found->left);
        const double low = down ? found->left : found->top;
        const double high = down ? found->right : found->bottom;
        if (std::abs(along - border) > tolerance || across < low - tolerance || across > high + tolerance) {
            complain("edge ", edge, (isStart ? " does not leave" : " does not enter"), " box ", id,
                     " at its border");
        }
    }

    const Request& request_;
    const Response& response_;
    std::map<int, const Request::Node*> node_;
    std::map<int, const Request::Group*> group_;
    std::vector<Box> boxes_;
    std::map<int, Box> groups_;
    double highest_ = 0;
    std::ostringstream text_;
    int count_ = 0;
};

/// Adds nodes one after another, as an exporter would.
class Exporter {
public:
    int node(const std::vector<int>& inputs, double w, double h) {
        const int id = static_cast<int>(request.nodes.size());
        request.nodes.push_back({.id = id, .w = w, .h = h});
        int port = 0;
        for (const int input : inputs) request.edges.push_back({.from = input, .to = id, .toPort = port++});
        return id;
    }

    int norm(int x) {
        const int mean = node({x}, 90, 38);
        const int centred = node({x, mean}, 60, 24);
        const int power = node({centred}, 60, 38);
        const int root = node({node({node({power}, 90, 38)}, 60, 38)}, 60, 24);
        return node({node({node({centred, root}, 60, 24)}, 60, 38)}, 60, 38);
    }

    int linear(int x) { return node({node({x}, 70, 38)}, 60, 38); }

    int heads(int x) {
        const int y = linear(x);
        const int shape = node({y}, 70, 24);
        const int batch = node({node({shape}, 70, 52)}, 90, 38);
        const int length = node({node({shape}, 70, 52)}, 90, 38);
        return node({node({y, node({batch, length}, 70, 52)}, 75, 24)}, 120, 38);
    }

    int block(int x, int mask) {
        const int y = norm(x);
        const int q = heads(y);
        const int k = node({heads(y)}, 120, 38);
        const int v = heads(y);
        const int scores = node({node({q, k}, 70, 24)}, 60, 38);
        const int weights = node({node({scores, mask}, 60, 24)}, 80, 38);
        const int mixed = node({node({node({weights, v}, 70, 24)}, 120, 38)}, 75, 38);
        const int sum = node({linear(mixed), x}, 60, 24);
        const int inner = linear(norm(sum));
        const int gate = node({node({node({inner}, 60, 38)}, 60, 24)}, 60, 38);
        return node({linear(node({inner, gate}, 60, 24)), sum}, 60, 24);
    }

    Request request;
};

}  // namespace

Request nodes(int count) { return graph(count, {}); }

Request graph(int count, const std::vector<std::pair<int, int>>& edges) {
    Request request;
    for (int i = 0; i < count; ++i) request.nodes.push_back({.id = i, .w = 80, .h = 30});
    std::map<int, int> ports;
    for (const auto& [from, to] : edges)
        request.edges.push_back({.from = from, .to = to, .toPort = ports[to]++});
    return request;
}

Request decoder(int blocks) {
    Exporter exporter;
    int x = exporter.node({}, 70, 24);
    const int mask = exporter.node({}, 70, 24);
    for (int i = 0; i < blocks; ++i) x = exporter.block(x, mask);
    exporter.node({x}, 120, 24);
    return std::move(exporter.request);
}

Request random(int count, int window, unsigned seed) {
    std::mt19937 generator(seed);
    const auto upTo = [&](int most) {
        return static_cast<int>(generator() % static_cast<unsigned>(most + 1));
    };
    std::vector<std::pair<int, int>> edges;
    for (int i = 1; i < count; ++i) {
        for (int k = upTo(2); k >= 0; --k) edges.emplace_back(i - 1 - upTo(std::min(i, window) - 1), i);
    }
    Request request = graph(count, edges);
    for (auto& node : request.nodes) {
        node.w = 40 + 10 * upTo(12);
        node.h = 24 + 14 * upTo(3);
    }
    return request;
}

std::string faults(const Request& request, const Response& response) {
    return Inspector(request, response).run();
}

const Response::Node& nodeOf(const Response& response, int id) {
    return *std::find_if(response.nodes.begin(), response.nodes.end(),
                         [&](const Response::Node& node) { return node.id == id; });
}

}  // namespace layout::scenes
