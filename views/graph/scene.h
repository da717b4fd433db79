#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include <QSizeF>
#include <QString>
#include <QStringList>

#include "engine/core/observer.h"
#include "views/graph/place.h"
#include "views/theme.h"

namespace views {

/// A box of the drawing.
struct SceneNode {
    enum class Kind : uint8_t { operation, input, output, capture };

    Kind kind = Kind::operation;
    QString title = {};
    QStringList lines = {};    ///< at most three, fitted to the width
    engine::NodeId node = {};  ///< of an operation
    engine::OriginId origin = {};
    engine::ValueId value = {};  ///< of an input, output or capture
    Family family = Family::arithmetic;
    int group = -1;          ///< the innermost group
    bool hasBody = false;    ///< double click goes in
    bool isDynamic = false;  ///< an output has a dim that is no number
    bool hasProblem = false;
    QSizeF size = {};
};

/// One use of a value.
struct SceneEdge {
    int from = 0;
    int to = 0;
    int fromPort = 0;
    int toPort = 0;
    engine::ValueId value = {};
    QString label = {};  ///< shape and type
    double bytes = -1;   ///< negative: unknown
    bool isShapeArithmetic = false;
};

/// Nodes that belong together by their names.
struct SceneGroup {
    int parent = -1;
    QString title = {};
    QString path = {};            ///< tells it apart from all others of the graph
    std::vector<int> nodes = {};  ///< all inside, also in groups inside
    int repeats = 1;              ///< how many groups of the graph are built the same
    bool isCollapsed = false;
    QSizeF size = {};  ///< of the box while collapsed
};

/// What of a graph is drawn, before anything has a place. Immutable once built.
struct Scene {
    GraphPlace place;
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    std::vector<SceneGroup> groups;                    ///< parents first
    std::unordered_map<engine::OriginId, int> nodeOf;  ///< also inline constants, by the node that reads them

    /// The node's index, or -1.
    int find(engine::OriginId origin) const;
    /// The collapsed group that hides the node: the outermost one; or -1.
    int hiddenBy(int node) const;
};

/// Which groups are closed.
struct SceneOptions {
    std::map<QString, bool> isCollapsed = {};  ///< by path, what the user chose
    size_t mostVisible = 320;                  ///< others open as long as no more nodes are visible
};

/// Heights and paddings of boxes, in scene pixels; shared by the sizes here and by the painter.
struct NodeMetrics {
    static constexpr double header = 22;
    static constexpr double line = 15;
    static constexpr double padding = 9;
    static constexpr double chip = 15;    ///< the letter of the provider
    static constexpr double figure = 54;  ///< room for a number in the header
    static constexpr double smallest = 110;
    static constexpr double widest = 240;
    static constexpr double groupHeader = 24;
    static constexpr int titlePixels = 12;
    static constexpr int linePixels = 11;
};

std::shared_ptr<const Scene> buildScene(const engine::Model& model, const GraphPlace& place,
                                        const SceneOptions& options, engine::Observer& observer);

}  // namespace views
