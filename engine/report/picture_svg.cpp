#include <algorithm>

#include "engine/report/format.h"
#include "engine/report/layered_layout.h"
#include "engine/report/markup.h"
#include "engine/report/picture.h"

namespace engine {
namespace {

constexpr double boxWidth = 168;
constexpr double nodeHeight = 40;
constexpr double endHeight = 34;  ///< of inputs and outputs
constexpr double margin = 14;
constexpr size_t titleCharacters = 22;
constexpr size_t timedTitleCharacters = 15;  ///< beside a time
constexpr size_t subtitleCharacters = 26;

std::string point(LayoutPoint at) { return coordinate(at.x) + " " + coordinate(at.y); }

/// A smooth way through points, which leaves each of them upright.
std::string curve(const std::vector<LayoutPoint>& points) {
    std::string path = "M" + point(points[0]);
    for (size_t i = 1; i < points.size(); ++i) {
        const LayoutPoint from = points[i - 1];
        const LayoutPoint to = points[i];
        if (from.x == to.x) {
            path += "L" + point(to);
            continue;
        }
        const double middle = (from.y + to.y) / 2;
        path += "C" + point({from.x, middle}) + " " + point({to.x, middle}) + " " + point(to);
    }
    return path;
}

/// A way of right angles with rounded corners.
std::string rounded(const std::vector<LayoutPoint>& points) {
    constexpr double radius = 6;
    std::string path = "M" + point(points[0]);
    const auto towards = [&](LayoutPoint from, LayoutPoint to) {
        const double dx = to.x - from.x;
        const double dy = to.y - from.y;
        const double length = std::abs(dx) + std::abs(dy);
        const double step = std::min(radius, length / 2);
        return length > 0 ? LayoutPoint{from.x + dx / length * step, from.y + dy / length * step} : from;
    };
    for (size_t i = 1; i + 1 < points.size(); ++i) {
        path += "L" + point(towards(points[i], points[i - 1])) + "Q" + point(points[i]) + " " +
                point(towards(points[i], points[i + 1]));
    }
    return path + "L" + point(points.back());
}

LayoutProblem problemOf(const Picture& picture) {
    LayoutProblem problem;
    for (const PictureBox& box : picture.boxes) {
        const bool isEnd = box.kind == PictureBox::Kind::input || box.kind == PictureBox::Kind::output;
        problem.boxes.push_back({boxWidth, isEnd ? endHeight : nodeHeight});
    }
    for (const PictureEdge& edge : picture.edges) problem.edges.push_back({edge.from, edge.to});
    return problem;
}

std::string edgeSvg(const PictureEdge& edge, const Layout::Route& route) {
    std::string path;
    for (const auto& piece : route.pieces) {
        if (piece.size() > 1) path += curve(piece);
    }
    for (const auto& bridge : route.bridges) path += rounded(bridge);
    const std::string title = "<title>" + escaped(edge.label) + "</title>";
    if (!edge.isCopy) return "<path class=\"edge\" d=\"" + path + "\">" + title + "</path>\n";
    return "<path class=\"copy\" d=\"" + path + "\">" + title + "</path><path class=\"copy-inside\" d=\"" +
           path + "\"/>\n";
}

std::string rectangle(const char* cssClass, LayoutPoint at, double width, double height, double radius) {
    return std::string("<rect class=\"") + cssClass + "\" x=\"" + coordinate(at.x) + "\" y=\"" +
           coordinate(at.y) + "\" width=\"" + coordinate(width) + "\" height=\"" + coordinate(height) +
           "\" rx=\"" + coordinate(radius) + "\"/>";
}

std::string label(const char* cssClass, double x, double y, const std::string& words) {
    return std::string("<text class=\"") + cssClass + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
           "\">" + escaped(words) + "</text>";
}

std::string endSvg(const PictureBox& box, LayoutPoint at) {
    return "<g class=\"end\"><title>" + escaped(box.tooltip) + "</title>" +
           rectangle("end-box", at, boxWidth, endHeight, endHeight / 2) +
           label("end-title", at.x + boxWidth / 2, at.y + 14, elided(box.title, titleCharacters)) +
           label("end-shape", at.x + boxWidth / 2, at.y + 26, elided(box.subtitle, subtitleCharacters)) +
           "</g>\n";
}

/// The stripe at the left: a piece for each provider, as long as its share.
std::string stripe(const PictureBox& box, LayoutPoint at) {
    std::string result;
    double y = at.y + 3;
    const double height = nodeHeight - 6;
    for (const auto& [provider, share] : box.providers) {
        result += "<g class=\"" + providerClass(provider) + "\">" +
                  rectangle("stripe", {at.x + 3, y}, 4, height * share, 1.5) + "</g>";
        y += height * share;
    }
    return result;
}

std::string nodeSvg(const PictureBox& box, LayoutPoint at, double largestShare) {
    const std::string provider = box.providers.empty() ? "" : box.providers.front().first;
    std::string svg = "<g class=\"node " + providerClass(provider) +
                      (box.kind == PictureBox::Kind::group ? " group" : "") + "\"><title>" +
                      escaped(box.tooltip) + "</title>";
    if (box.kind == PictureBox::Kind::group) {
        svg += rectangle("node-box", {at.x + 3, at.y + 3}, boxWidth, nodeHeight, 4);
    }
    svg += rectangle("node-box", at, boxWidth, nodeHeight, 4) +
           rectangle("tint", at, boxWidth, nodeHeight, 4) + stripe(box, at);
    svg += label("title", at.x + 13, at.y + 15,
                 elided(box.title, box.share > 0 ? timedTitleCharacters : titleCharacters));
    svg += label("subtitle", at.x + 13, at.y + 28, elided(box.subtitle, subtitleCharacters));
    if (box.providers.size() == 1)
        svg += label("letter", at.x + boxWidth - 6, at.y + 28, providerLetter(provider));
    if (box.share > 0) {
        svg += label("time", at.x + boxWidth - 6, at.y + 15, format(box.timeNs, Unit::nanoseconds));
        const double length = (boxWidth - 20) * box.share / largestShare;
        svg += rectangle("track", {at.x + 13, at.y + nodeHeight - 7}, boxWidth - 20, 3, 1.5);
        svg += rectangle("bar", {at.x + 13, at.y + nodeHeight - 7}, std::max(1.0, length), 3, 1.5);
    }
    return svg + "</g>\n";
}

}  // namespace

std::string svgOf(const Picture& picture) {
    const Layout layout = layeredLayout(problemOf(picture));
    double largestShare = 0;
    for (const PictureBox& box : picture.boxes) largestShare = std::max(largestShare, box.share);
    const std::string width = coordinate(layout.width + 2 * margin);
    const std::string height = coordinate(layout.height + 2 * margin);
    std::string svg =
        "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Graph of the "
        "model\" width=\"" +
        width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height +
        "\"><g transform=\"translate(" + coordinate(margin) + " " + coordinate(margin) + ")\">\n";
    for (size_t i = 0; i < picture.edges.size(); ++i) svg += edgeSvg(picture.edges[i], layout.edges[i]);
    for (size_t i = 0; i < picture.boxes.size(); ++i) {
        const PictureBox& box = picture.boxes[i];
        const bool isEnd = box.kind == PictureBox::Kind::input || box.kind == PictureBox::Kind::output;
        svg += isEnd ? endSvg(box, layout.boxes[i]) : nodeSvg(box, layout.boxes[i], largestShare);
    }
    return svg + "</g></svg>\n";
}

}  // namespace engine
