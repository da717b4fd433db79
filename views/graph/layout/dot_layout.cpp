#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include <graphviz/gvc.h>

#include "views/graph/layout/rows.h"

namespace layout {
namespace {

constexpr double pointsPerInch = 72;

int keepQuiet(char* /*message*/) { return 0; }

/// Graphviz's context: made once, as it reads its list of plug-ins.
GVC_t* context() {
    struct Free {
        void operator()(GVC_t* gvc) const { gvFreeContext(gvc); }
    };
    static const std::unique_ptr<GVC_t, Free> gvc = [] {
        agseterrf(keepQuiet);
        return std::unique_ptr<GVC_t, Free>(gvContext());
    }();
    return gvc.get();
}

/// A graph of Graphviz with its layout.
class DotGraph {
public:
    DotGraph() : graph_(agopen(std::string("rows").data(), Agstrictdirected, nullptr)) {}
    DotGraph(const DotGraph&) = delete;
    DotGraph& operator=(const DotGraph&) = delete;
    ~DotGraph() {
        if (laidOut_) gvFreeLayout(context(), graph_);
        agclose(graph_);
    }

    void defaults(int kind, std::string key, std::string value) {
        agattr(graph_, kind, key.data(), value.data());
    }

    Agnode_t* addNode(double width, double height) {
        Agnode_t* node = agnode(graph_, nullptr, 1);
        set(node, "width", width / pointsPerInch);
        set(node, "height", height / pointsPerInch);
        return node;
    }

    void addEdge(Agnode_t* from, Agnode_t* to, int weight) {
        set(agedge(graph_, from, to, nullptr, 1), "weight", weight);
    }

    bool layOut() {
        laidOut_ = gvLayout(context(), graph_, "dot") == 0;
        return laidOut_;
    }

private:
    static void set(void* object, std::string key, double value) {
        agset(object, key.data(), std::to_string(value).data());
    }

    Agraph_t* graph_;
    bool laidOut_ = false;
};

void describe(const Rows& rows, const Spacing& spacing, DotGraph& graph, std::vector<Agnode_t*>& nodes) {
    graph.defaults(AGRAPH, "splines", "none");
    graph.defaults(AGRAPH, "nodesep", std::to_string(spacing.edge / pointsPerInch));
    graph.defaults(AGRAPH, "ranksep", "0.5");
    graph.defaults(AGRAPH, "nslimit", "20");
    graph.defaults(AGRAPH, "nslimit1", "20");
    graph.defaults(AGNODE, "shape", "box");
    graph.defaults(AGNODE, "label", "");
    graph.defaults(AGNODE, "fixedsize", "true");
    graph.defaults(AGNODE, "width", "1");
    graph.defaults(AGNODE, "height", "1");
    graph.defaults(AGEDGE, "weight", "1");
    for (size_t i = 0; i < rows.row.size(); ++i) {
        const double margin = rows.isBend(static_cast<int>(i)) ? 0 : spacing.node - spacing.edge;
        nodes.push_back(graph.addNode(std::max(1.0, rows.left[i] + rows.right[i] + margin), 20));
    }
    for (const Rows::Segment& segment : rows.segments) {
        graph.addEdge(nodes[segment.from], nodes[segment.to], segment.weight);
    }
}

/// Whether dot has put what we call a row into one rank.
bool sameRows(const Rows& rows, const std::vector<Agnode_t*>& nodes) {
    return std::all_of(rows.rows.begin(), rows.rows.end(), [&](const std::vector<int>& row) {
        return std::all_of(row.begin(), row.end(), [&](int vertex) {
            return std::abs(ND_coord(nodes[vertex]).y - ND_coord(nodes[row[0]]).y) < 1;
        });
    });
}

}  // namespace

bool placeWithDot(Rows& rows, const Spacing& spacing, Work& work) {
    if (context() == nullptr) return false;
    DotGraph graph;
    std::vector<Agnode_t*> nodes;
    describe(rows, spacing, graph, nodes);
    work.stats.operations += static_cast<std::int64_t>(20 * (rows.row.size() + rows.segments.size()));
    if (!graph.layOut() || !sameRows(rows, nodes)) return false;
    for (size_t i = 0; i < nodes.size(); ++i) {
        rows.x[i] = ND_coord(nodes[i]).x - (rows.right[i] - rows.left[i]) / 2;
    }
    for (auto& row : rows.rows) {
        std::stable_sort(row.begin(), row.end(), [&](int a, int b) {
            return std::pair(rows.slot[a], rows.x[a]) < std::pair(rows.slot[b], rows.x[b]);
        });
        if (row.empty()) continue;
        const auto middle =
            std::find_if(row.begin(), row.end(), [&](int vertex) { return rows.slot[vertex] == 0; });
        separate(rows, spacing, rows.row[row[0]], middle == row.end() ? row[row.size() / 2] : *middle);
    }
    return true;
}

}  // namespace layout
