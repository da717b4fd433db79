#include "engine/report/picture.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/report/format.h"

namespace engine {
namespace {

/// Top-level steps' times, shared out to nodes of the optimised graph by common origins.
std::vector<double> nodeTimes(const Graph& graph, const ProfileResult* profile) {
    std::vector<double> times(graph.nodes.size(), 0);
    if (profile == nullptr) return times;
    std::map<OriginId, std::vector<size_t>> nodesOf;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const OriginId origin : graph.nodes[i].origins) nodesOf[origin].push_back(i);
    }
    for (const ProfileRow& row : profile->steps) {
        if (row.info.parent >= 0) continue;
        std::set<size_t> nodes;
        for (const OriginId origin : row.info.origins) {
            const auto found = nodesOf.find(origin);
            if (found != nodesOf.end()) nodes.insert(found->second.begin(), found->second.end());
        }
        for (const size_t node : nodes) times[node] += row.timeNs.median / static_cast<double>(nodes.size());
    }
    return times;
}

std::string lastPart(const std::string& name) {
    const size_t slash = name.find_last_of('/');
    return slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

/// The scopes of a name: "/encoder/layer.0/MatMul" gives "/encoder", "/encoder/layer.0".
std::string scopeOf(const std::string& name) {
    const size_t slash = name.find_last_of('/');
    return slash == std::string::npos ? "" : name.substr(0, slash);
}

std::string commonScope(const std::string& a, const std::string& b) {
    size_t common = 0;
    const size_t shorter = std::min(a.size(), b.size());
    for (size_t i = 0; i <= shorter; ++i) {
        const bool endsA = i == a.size() || a[i] == '/';
        const bool endsB = i == b.size() || b[i] == '/';
        if (endsA && endsB) common = i;
        if (i == shorter || a[i] != b[i]) break;
    }
    return a.substr(0, common);
}

/// Cuts `count` nodes into at most `most` stretches: each about as long as the others, longer or shorter by a
/// half so that it ends where the scope of the names changes.
std::vector<size_t> stretches(const Graph& graph, size_t most) {
    const size_t count = graph.nodes.size();
    std::vector<size_t> ends;
    if (count <= most) {
        for (size_t i = 0; i < count; ++i) ends.push_back(i + 1);
        return ends;
    }
    const size_t length = (2 * count + most - 1) / most;  // twice, as a stretch may end at half of it
    size_t begin = 0;
    while (begin < count) {
        size_t end = std::min(count, begin + length);
        for (size_t at = begin + (length + 1) / 2; at < end; ++at) {
            if (scopeOf(graph.nodes[at].name) != scopeOf(graph.nodes[at - 1].name)) {
                end = at;
                break;
            }
        }
        ends.push_back(end);
        begin = end;
    }
    return ends;
}

class PictureBuilder {
public:
    PictureBuilder(const Session& session, const ProfileResult* profile, size_t mostBoxes)
        : typed_(*session.graph()), graph_(*typed_.graph), profile_(profile) {
        providers_.assign(graph_.nodes.size(), "");
        for (const Placement& node : session.placement().nodes) {
            if (node.graphName.empty() && node.node.index < providers_.size()) {
                providers_[node.node.index] = node.provider;
                refusals_[node.node.index] = node.refusals;
            }
        }
        times_ = nodeTimes(graph_, profile);
        ends_ = stretches(graph_, mostBoxes);
    }

    Picture build() {
        picture_.nodes = graph_.nodes.size();
        addInputs();
        addNodes();
        addOutputs();
        return std::move(picture_);
    }

private:
    /// An input that nothing reads is shown too; a constant is not.
    void addInputs() {
        for (const ValueId id : graph_.inputs) {
            boxOfValue_[id] = picture_.boxes.size();
            picture_.boxes.push_back(
                {.kind = PictureBox::Kind::input,
                 .title = graph_.value(id).name,
                 .subtitle = shapeLabel(typed_.types[id.index]),
                 .tooltip = "input " + graph_.value(id).name + "\n" + typeText(typed_.types[id.index])});
        }
    }

    void addOutputs() {
        for (const ValueId id : graph_.outputs) {
            const size_t box = picture_.boxes.size();
            picture_.boxes.push_back(
                {.kind = PictureBox::Kind::output,
                 .title = graph_.value(id).name,
                 .subtitle = shapeLabel(typed_.types[id.index]),
                 .tooltip = "output " + graph_.value(id).name + "\n" + typeText(typed_.types[id.index])});
            addEdge(id, box);
        }
    }

    void addNodes() {
        size_t begin = 0;
        for (const size_t end : ends_) {
            const size_t box = picture_.boxes.size();
            picture_.boxes.push_back(end - begin == 1 ? nodeBox(begin) : groupBox(begin, end));
            picture_.mostNodesInABox = std::max(picture_.mostNodesInABox, end - begin);
            std::set<ValueId> read;
            for (size_t i = begin; i < end; ++i) {
                for (const ValueId id : reads(graph_.nodes[i])) {
                    if (read.insert(id).second) addEdge(id, box);
                }
            }
            for (size_t i = begin; i < end; ++i) {
                for (const ValueId id : graph_.nodes[i].outputs) {
                    if (id.isValid()) boxOfValue_[id] = box;
                }
            }
            begin = end;
        }
    }

    void addEdge(ValueId id, size_t to) {
        const auto from = boxOfValue_.find(id);
        if (from == boxOfValue_.end() || from->second == to) return;
        const bool isNew = drawn_.insert({from->second, to}).second;
        if (!isNew) return;
        const auto& source = picture_.boxes[from->second].providers;
        const auto& target = picture_.boxes[to].providers;
        const bool isCopy =
            !source.empty() && !target.empty() && source.front().first != target.front().first;
        picture_.edges.push_back(
            {from->second, to, isCopy, graph_.value(id).name + "  " + typeText(typed_.types[id.index])});
    }

    void addTime(PictureBox& box, size_t begin, size_t end) const {
        for (size_t i = begin; i < end; ++i) box.timeNs += times_[i];
        if (profile_ == nullptr || box.timeNs <= 0) return;
        double whole = 0;
        for (const double time : times_) whole += time;
        box.share = box.timeNs / whole;
        box.tooltip += "\n" + format(box.timeNs, Unit::nanoseconds) + " a run, " + formatShare(box.share);
    }

    PictureBox nodeBox(size_t index) const {
        const Node& node = graph_.nodes[index];
        PictureBox box{.title = operatorLabel(node), .providers = {{providers_[index], 1.0}}};
        const bool hasOutput = !node.outputs.empty() && node.outputs[0].isValid();
        if (hasOutput) box.subtitle = shapeLabel(typed_.types[node.outputs[0].index]);
        box.tooltip = operatorLabel(node) + "  " + node.name;
        for (const ValueId id : node.inputs) {
            if (id.isValid()) box.tooltip += "\nin  " + typeText(typed_.types[id.index]);
        }
        for (const ValueId id : node.outputs) {
            if (id.isValid()) box.tooltip += "\nout " + typeText(typed_.types[id.index]);
        }
        box.tooltip += providers_[index].empty() ? "\nnobody runs it" : "\nruns on " + providers_[index];
        if (const auto found = refusals_.find(index); found != refusals_.end()) {
            for (const Refusal& refusal : found->second) {
                box.tooltip += "\nnot on " + refusal.provider + ": " + refusal.reason;
            }
        }
        if (node.origins.size() > 1)
            box.tooltip += text("\nstands for ", node.origins.size(), " nodes of the file");
        addTime(box, index, index + 1);
        return box;
    }

    PictureBox groupBox(size_t begin, size_t end) const {
        PictureBox box{.kind = PictureBox::Kind::group};
        std::map<std::string, size_t> operators;
        std::map<std::string, size_t> byProvider;
        std::string scope = scopeOf(graph_.nodes[begin].name);
        for (size_t i = begin; i < end; ++i) {
            ++operators[operatorLabel(graph_.nodes[i])];
            ++byProvider[providers_[i]];
            scope = commonScope(scope, scopeOf(graph_.nodes[i].name));
        }
        std::vector<std::pair<size_t, std::string>> counted;
        for (const auto& [name, count] : operators) counted.emplace_back(count, name);
        std::sort(counted.rbegin(), counted.rend());
        box.title = scope.empty() ? text(end - begin, " nodes") : lastPart(scope);
        box.subtitle = text(end - begin, " nodes, ", counted[0].second, " ×", counted[0].first);
        box.tooltip = scope.empty() ? box.title : scope;
        for (const auto& [count, name] : counted) box.tooltip += text("\n", name, " ×", count);
        for (const auto& [provider, count] : byProvider) {
            box.providers.emplace_back(provider,
                                       static_cast<double>(count) / static_cast<double>(end - begin));
        }
        std::stable_sort(box.providers.begin(), box.providers.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        addTime(box, begin, end);
        return box;
    }

    const TypedGraph& typed_;
    const Graph& graph_;
    const ProfileResult* profile_;
    Picture picture_;
    std::vector<std::string> providers_;
    std::map<size_t, std::vector<Refusal>> refusals_;
    std::vector<double> times_;
    std::vector<size_t> ends_;
    std::map<ValueId, size_t> boxOfValue_;
    std::set<std::pair<size_t, size_t>> drawn_;
};

}  // namespace

Picture pictureOf(const Session& session, const ProfileResult* profile, size_t mostBoxes) {
    return PictureBuilder(session, profile, mostBoxes).build();
}

}  // namespace engine
