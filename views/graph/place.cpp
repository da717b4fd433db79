#include "views/graph/place.h"

#include <algorithm>

#include "views/format.h"

namespace views {

namespace {

QString nodeTitle(const engine::Node& node) {
    return node.name.empty() ? qstring(node.operatorType) : qstring(node.name);
}

std::shared_ptr<const engine::TypedGraph> bodyTypes(const GraphPlace& place, engine::NodeId node,
                                                    size_t index) {
    if (!place.types) return nullptr;
    const auto found = place.types->bodies.find(node);
    return found == place.types->bodies.end() || index >= found->second.size() ? nullptr
                                                                               : found->second[index];
}

}  // namespace

const engine::Type& GraphPlace::type(engine::ValueId value) const {
    if (types && value.index < types->types.size()) {
        const engine::Type& type = types->types[value.index];
        if (type.kind != engine::Type::Kind::unknown) return type;
    }
    return graph->value(value).type;
}

GraphPath mainPath(const engine::Model& model, const std::shared_ptr<const engine::TypedGraph>& types) {
    const QString name = model.graph->name.empty() ? QString("main graph") : qstring(model.graph->name);
    return {{.graph = model.graph, .types = types, .title = name}};
}

std::vector<GraphPlace> bodiesOf(const engine::Model& model, const GraphPlace& place, engine::NodeId id) {
    const engine::Node& node = place.graph->node(id);
    const engine::OriginId holder = node.origins.empty() ? engine::OriginId() : node.origins.front();
    std::vector<GraphPlace> result;
    for (const auto& [name, graph] : engine::subgraphs(node)) {
        result.push_back({.graph = graph,
                          .types = bodyTypes(place, id, result.size()),
                          .title = nodeTitle(node) + " · " + qstring(name),
                          .holder = holder});
    }
    for (const engine::Function& function : model.functions) {
        if (function.name != node.operatorType || function.domain != node.domain ||
            function.overload != node.overload) {
            continue;
        }
        result.push_back(
            {.graph = function.body, .types = nullptr, .title = qstring(function.name), .holder = holder});
    }
    return result;
}

GraphPath pathTo(const engine::Model& model, const std::shared_ptr<const engine::TypedGraph>& types,
                 engine::OriginId origin) {
    std::vector<engine::OriginId> holders;
    const engine::Graph* outermost = model.origins[origin.index].graph.get();
    for (engine::OriginId up = model.origins[origin.index].parent; up.isValid();
         up = model.origins[up.index].parent) {
        holders.insert(holders.begin(), up);
        outermost = model.origins[up.index].graph.get();
    }
    GraphPath path = mainPath(model, types);
    if (outermost != model.graph.get()) {
        for (const engine::Function& function : model.functions) {
            if (function.body.get() != outermost) continue;
            path.push_back({.graph = function.body, .types = nullptr, .title = qstring(function.name)});
        }
    }
    for (size_t depth = 0; depth < holders.size(); ++depth) {
        const engine::OriginId inside = depth + 1 < holders.size() ? holders[depth + 1] : origin;
        const auto bodies = bodiesOf(model, path.back(), model.origins[holders[depth].index].node);
        const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const GraphPlace& candidate) {
            return candidate.graph == model.origins[inside.index].graph;
        });
        if (body == bodies.end()) break;
        path.push_back(*body);
    }
    return path;
}

const engine::Tensor* constantTensor(const engine::Graph& graph, const engine::Uses& uses,
                                     engine::ValueId value) {
    const engine::Value& found = graph.value(value);
    if (found.constant) return found.constant->isTensor() ? &found.constant->tensor() : nullptr;
    const engine::NodeId producer = uses.producer[value.index];
    if (!producer.isValid() || graph.node(producer).operatorType != "Constant") return nullptr;
    const engine::Attribute* attribute = graph.node(producer).attribute("value");
    return attribute == nullptr ? nullptr : std::get_if<engine::Tensor>(&attribute->value);
}

}  // namespace views
