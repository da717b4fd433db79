#pragma once

#include <string>
#include <vector>

#include "engine/session.h"

namespace engine {

/// A box of a graph's picture: a node of the optimised graph, or several of a graph that is too large to show
/// each; an input or an output of the graph.
struct PictureBox {
    enum class Kind : uint8_t { node, group, input, output };

    Kind kind = Kind::node;
    std::string title = {};     ///< the operator, or what a group has most of
    std::string subtitle = {};  ///< name or shape
    std::string tooltip = {};   ///< all there is to say, in lines
    std::vector<std::pair<std::string, double>> providers =
        {};             ///< with their share of the nodes; "": nobody
    double timeNs = 0;  ///< measured, all nodes together
    double share = 0;   ///< of the run
};

struct PictureEdge {
    size_t from = 0;
    size_t to = 0;
    bool isCopy = false;  ///< its ends run on different providers
    std::string label = {};
};

struct Picture {
    std::vector<PictureBox> boxes;
    std::vector<PictureEdge> edges;  ///< each leads to a later box
    size_t nodes = 0;
    size_t mostNodesInABox = 1;
};

/// What to draw of a session's optimised graph; `profile` may be null. At most `mostBoxes` boxes stand for
/// nodes: larger graphs are shown in stretches of nodes that follow each other, cut where names change.
Picture pictureOf(const Session& session, const ProfileResult* profile, size_t mostBoxes);

/// The picture as an SVG element. Its colours are the CSS variables of the report's page.
std::string svgOf(const Picture& picture);

}  // namespace engine
