#include "engine/graph/graph.h"

#include <algorithm>
#include <array>
#include <queue>
#include <unordered_set>

#include "engine/core/text.h"
#include "engine/core/utf.h"

namespace engine {

std::string kindText(const AttributeValue& value) {
    static constexpr std::array names{"nothing",       "int",     "float",          "string", "tensor",
                                      "sparse_tensor", "graph",   "type_proto",     "ints",   "floats",
                                      "strings",       "tensors", "sparse_tensors", "graphs", "type_protos"};
    static_assert(names.size() == std::variant_size_v<AttributeValue>);
    return names[value.index()];
}

const Attribute* Node::attribute(const std::string& attributeName) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& candidate) {
        return candidate.name == attributeName;
    });
    return found == attributes.end() ? nullptr : &*found;
}

ValueId Graph::addValue(Value value) {
    values.push_back(std::move(value));
    return ValueId(values.size() - 1);
}

NodeId Graph::addNode(Node node) {
    nodes.push_back(std::move(node));
    return NodeId(nodes.size() - 1);
}

ValueId Graph::findValue(const std::string& valueName) const {
    for (size_t i = 0; i < values.size(); ++i) {
        if (values[i].name == valueName) return ValueId(i);
    }
    return {};
}

std::string qualifiedType(const Node& node) {
    return node.domain.empty() || node.domain == "ai.onnx" ? node.operatorType
                                                           : node.domain + "." + node.operatorType;
}

std::string operatorLabel(const Node& node) {
    if (node.domain.empty()) return node.operatorType;
    if (node.domain != "opscope") return node.domain + "." + node.operatorType;
    const std::string prefix = "Fused";
    std::string label =
        node.operatorType.starts_with(prefix) ? node.operatorType.substr(prefix.size()) : node.operatorType;
    const Attribute* activation = node.attribute("activation");
    if (activation == nullptr) return label;
    const auto* name = std::get_if<std::string>(&activation->value);
    return name == nullptr || name->empty() ? label : label + "+" + *name;
}

std::string nameAndType(const Node& node) {
    // Messages end at a NUL.
    const std::string type = "(" + printable(qualifiedType(node)) + ")";
    return node.name.empty() ? type : "'" + printable(node.name) + "' " + type;
}

std::string describe(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const std::string number = node.name.empty() ? text("#", id.index, " ") : "";
    const std::string part = node.within.empty() ? "" : ", part of " + node.within;
    return "node " + number + nameAndType(node) + part;
}

std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> subgraphs(const Node& node) {
    std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> result;
    for (const Attribute& attribute : node.attributes) {
        if (const auto* graph = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) {
            result.emplace_back(attribute.name, *graph);
        } else if (const auto* graphs =
                       std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
            for (size_t i = 0; i < graphs->size(); ++i)
                result.emplace_back(text(attribute.name, "[", i, "]"), (*graphs)[i]);
        }
    }
    return result;
}

std::vector<ValueId> reads(const Node& node) {
    constexpr size_t few = 16;
    std::vector<ValueId> result;
    std::unordered_set<ValueId> known;  // once they are more than a few
    const auto isNew = [&](ValueId id) {
        if (result.size() < few) return std::find(result.begin(), result.end(), id) == result.end();
        if (known.empty()) known.insert(result.begin(), result.end());
        return known.insert(id).second;
    };
    const auto add = [&](ValueId id) {
        if (id.isValid() && isNew(id)) result.push_back(id);
    };
    for (const ValueId id : node.inputs) add(id);
    for (const auto& [name, graph] : subgraphs(node)) {
        for (const Capture& capture : graph->captures) add(capture.outer);
    }
    return result;
}

Uses::Uses(const Graph& graph)
    : producer(graph.values.size()), consumers(graph.values.size()), isOutput(graph.values.size(), 0) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const NodeId id(i);
        for (const ValueId output : graph.nodes[i].outputs) {
            if (output.isValid()) producer[output.index] = id;
        }
        for (const ValueId input : reads(graph.nodes[i])) consumers[input.index].push_back(id);
    }
    for (const ValueId output : graph.outputs) {
        if (output.isValid()) isOutput[output.index] = 1;
    }
}

Order topologicalOrder(const Graph& graph) {
    const Uses uses(graph);
    std::vector<size_t> waitsFor(graph.nodes.size(), 0);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const ValueId input : reads(graph.nodes[i])) {
            if (uses.producer[input.index].isValid()) ++waitsFor[i];
        }
    }
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        if (waitsFor[i] == 0) ready.push(i);
    }
    Order order;
    std::vector<char> placed(graph.nodes.size(), 0);
    while (!ready.empty()) {
        const size_t index = ready.top();
        ready.pop();
        order.nodes.emplace_back(index);
        placed[index] = 1;
        for (const ValueId output : graph.nodes[index].outputs) {
            if (!output.isValid() || uses.producer[output.index] != NodeId(index)) continue;
            for (const NodeId consumer : uses.consumers[output.index]) {
                if (--waitsFor[consumer.index] == 0) ready.push(consumer.index);
            }
        }
    }
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        if (placed[i]) continue;
        order.nodes.emplace_back(i);
        ++order.cyclic;
    }
    return order;
}

namespace {

class Verifier {
public:
    explicit Verifier(const Graph& graph) : graph_(graph), available_(graph.values.size(), 0) {}

    std::vector<std::string> run() {
        for (const ValueId id : graph_.inputs) define(id, "a graph input");
        for (const Capture& capture : graph_.captures) define(capture.inner, "a capture");
        for (size_t i = 0; i < graph_.values.size(); ++i) {
            if (graph_.values[i].constant) available_[i] = 1;
        }
        for (size_t i = 0; i < graph_.nodes.size(); ++i) checkNode(NodeId(i));
        for (const ValueId id : graph_.outputs) use(id, "a graph output");
        return std::move(problems_);
    }

private:
    bool inRange(ValueId id, const std::string& what) {
        if (id.index < graph_.values.size()) return true;
        problems_.push_back(text(what, " refers to value #", id.index, " of ", graph_.values.size()));
        return false;
    }
    void define(ValueId id, const std::string& what) {
        if (!inRange(id, what)) return;
        if (available_[id.index])
            problems_.push_back(text(what, " defines '", graph_.value(id).name, "' a second time"));
        available_[id.index] = 1;
    }
    void use(ValueId id, const std::string& what) {
        if (!inRange(id, what)) return;
        if (!available_[id.index]) {
            problems_.push_back(text(what, " reads '", graph_.value(id).name, "' before anything makes it"));
        }
    }
    void checkNode(NodeId id) {
        const std::string what = describe(graph_, id);
        for (const ValueId input : graph_.node(id).inputs) {
            if (input.isValid()) use(input, what);
        }
        for (const auto& [name, body] : subgraphs(graph_.node(id))) {
            for (const Capture& capture : body->captures) use(capture.outer, what + " in " + name);
            for (const std::string& problem : verify(*body))
                problems_.push_back(what + ", " + name + ": " + problem);
        }
        for (const ValueId output : graph_.node(id).outputs) {
            if (output.isValid()) define(output, what);
        }
    }

    const Graph& graph_;
    std::vector<char> available_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Graph& graph) { return Verifier(graph).run(); }

std::string missingValue(const Graph& graph) {
    const auto reasonOf = [&](ValueId id) -> const std::string& { return graph.value(id).problem; };
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (!node.problem.empty()) return describe(graph, NodeId(i)) + ": " + node.problem;
        for (const ValueId input : node.inputs) {
            if (input.isValid() && !reasonOf(input).empty())
                return describe(graph, NodeId(i)) + ": " + reasonOf(input);
        }
        for (const auto& [name, body] : subgraphs(node)) {
            const std::string missing = body ? missingValue(*body) : "";
            if (!missing.empty()) return describe(graph, NodeId(i)) + ": " + name + ": " + missing;
        }
    }
    for (const ValueId output : graph.outputs) {
        if (output.isValid() && !reasonOf(output).empty()) return reasonOf(output);
    }
    return "";
}

}  // namespace engine
