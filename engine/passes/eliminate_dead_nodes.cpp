#include "engine/passes/pass.h"

namespace engine {
namespace {

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Graph& graph = *typed.graph;
    const Order order = topologicalOrder(graph);
    std::vector<char> isNeeded(graph.values.size(), 0);
    for (size_t i = 0; i < graph.values.size(); ++i) isNeeded[i] = uses.isOutput[i];
    for (size_t i = order.nodes.size(); i-- > 0;) {
        const Node& node = graph.node(order.nodes[i]);
        bool isAlive = false;
        for (const ValueId output : node.outputs)
            isAlive = isAlive || (output.isValid() && isNeeded[output.index]);
        if (!isAlive) {
            edits.removeNode(order.nodes[i]);
            continue;
        }
        for (const ValueId input : reads(node)) isNeeded[input.index] = 1;
    }
}

const Pass eliminateDeadNodes{
    .name = "eliminate-dead-nodes",
    .phase = Phase::clean,
    .summary = "Removes nodes whose results nobody reads.",
    .apply = apply,
};
const Register<Pass> registered{eliminateDeadNodes};

}  // namespace
}  // namespace engine
