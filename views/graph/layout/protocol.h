#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "views/graph/layout/geometry.h"

/// What the window and the helper process `opscope-layout` say to each other.
///
/// The helper reads one JSON object from standard input until its end, writes JSON lines to standard output
/// and ends: any number of `{"progress":0.4,"what":"..."}` and last the response. Exit status 0: the last
/// line is the response. 2: the request was wrong, 3: it needed more memory than `memoryMb`; then standard
/// error has one line that says why. The parent may kill it at any time.
///
/// Request:  {"version":1, "direction":"TB", "engine":"auto", "spacing":[node,rank,edge], "memoryMb":2048,
///            "nodes":[[id,w,h,group],...], "edges":[[from,to,fromPort,toPort],...],
///            "groups":[[id,parent,collapsed,w,h,header],...]}
/// Response: {"version":1, "bounds":[w,h], "nodes":[[id,x,y],...], "groups":[[id,x,y,w,h],...],
///            "edges":[[index,own,x0,y0,x1,y1,...],...], "stats":{...}}
/// Ports, group, w, h and header may be left out at the end of a row; so may all keys but version and nodes.
namespace layout {

inline constexpr int protocolVersion = 1;

/// The way edges run: from top to bottom or from left to right.
enum class Direction : std::uint8_t { down, right };

/// How parts that have no simple structure are laid out. `layered` never calls Graphviz: for a second try
/// after a crash.
enum class Engine : std::uint8_t { automatic, layered };

struct Request {
    struct Node {
        int id = 0;
        double w = 0;
        double h = 0;
        int group = -1;  ///< Id of the innermost group, or -1.
    };
    /// Edges of one `fromPort` of a node carry one value and share a line where they can.
    struct Edge {
        int from = 0;  ///< Id of a node.
        int to = 0;
        int fromPort = 0;
        int toPort = 0;
    };
    /// An open group becomes a box around its members with a strip of height `header` for its title. A
    /// collapsed one is a box of w × h; its members are not placed, edges end at the box.
    struct Group {
        int id = 0;
        int parent = -1;
        bool collapsed = false;
        double w = 0;
        double h = 0;
        double header = 24;
    };

    Direction direction = Direction::down;
    Engine engine = Engine::automatic;
    double nodeGap = 24;
    double rankGap = 34;
    double edgeGap = 12;
    int memoryMb = 2048;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Group> groups;
};

struct Response {
    struct Node {
        int id = 0;
        double x = 0;  ///< Upper left corner.
        double y = 0;
    };
    struct Group {
        int id = 0;
        double x = 0;
        double y = 0;
        double w = 0;
        double h = 0;
    };
    /// The way of `Request::edges[index]`. Two points are a straight line; otherwise the first point is the
    /// start and each three that follow are a cubic Bézier (two control points, end), as
    /// QPainterPath::cubicTo takes them. Edges inside a collapsed group are absent. From its start to
    /// `points[own]`, an end of a Bézier, an edge shares its line with another edge of the same value; so all
    /// edges drawn from there make the whole picture.
    struct Edge {
        int index = 0;
        int own = 0;
        std::vector<Point> points;
    };
    /// How the work was done; for tests and for curious people.
    struct Stats {
        std::int64_t parts = 0;       ///< Parts laid out, chains and rows counted each.
        std::int64_t reused = 0;      ///< Parts copied from an equal one.
        std::int64_t dot = 0;         ///< Parts laid out by Graphviz.
        std::int64_t layered = 0;     ///< Parts laid out by the own layered algorithm.
        std::int64_t lanes = 0;       ///< Values led beside the parts they skip.
        std::int64_t operations = 0;  ///< Steps of work, a measure that does not depend on the machine.
    };

    double width = 0;
    double height = 0;
    std::vector<Node> nodes;
    std::vector<Group> groups;
    std::vector<Edge> edges;
    Stats stats;
};

/// Reads a request; throws std::invalid_argument that names what was found and what was expected.
Request parseRequest(std::string_view json);
std::string toJson(const Request& request);

/// Reads the last line of the helper; throws std::invalid_argument.
Response parseResponse(std::string_view json);
std::string toJson(const Response& response);

/// A progress line, with its line feed.
std::string progressLine(double fraction, std::string_view what);

/// Whether a line is a progress line, and if so what it says.
bool parseProgress(std::string_view line, double& fraction, std::string& what);

}  // namespace layout
