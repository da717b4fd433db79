#include "engine/graph/origins.h"

#include "engine/core/text.h"

namespace engine {
namespace {

using GraphPointer = std::shared_ptr<const Graph>;

GraphPointer number(Graph graph, const std::string& graphName, OriginId parent,
                    std::vector<OriginPlace>& places) {
    std::vector<size_t> own;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        Node& node = graph.nodes[i];
        const OriginId id(places.size());
        own.push_back(places.size());
        places.push_back({.graph = nullptr, .node = NodeId(i), .parent = parent, .graphName = graphName});
        node.origins = {id};
        for (Attribute& attribute : node.attributes) {
            if (auto* body = std::get_if<GraphPointer>(&attribute.value)) {
                if (*body) *body = number(**body, attribute.name, id, places);
            } else if (auto* bodies = std::get_if<std::vector<GraphPointer>>(&attribute.value)) {
                for (size_t k = 0; k < bodies->size(); ++k)
                    (*bodies)[k] = number(*(*bodies)[k], text(attribute.name, "[", k, "]"), id, places);
            }
        }
    }
    auto result = std::make_shared<const Graph>(std::move(graph));
    for (const size_t index : own) places[index].graph = result;
    return result;
}

}  // namespace

std::shared_ptr<const Graph> numberNodes(Graph graph, const std::string& graphName,
                                         std::vector<OriginPlace>& places) {
    return number(std::move(graph), graphName, OriginId(), places);
}

}  // namespace engine
