#include <algorithm>

#include "engine/passes/pattern.h"

namespace engine {
namespace {

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Graph& graph = *typed.graph;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        const bool isKnown = std::all_of(node.outputs.begin(), node.outputs.end(), [&](ValueId output) {
            return !output.isValid() || typed.known[output.index].data.has_value();
        });
        if (node.outputs.empty() || !isKnown) continue;
        for (const ValueId output : node.outputs) {
            if (!output.isValid()) continue;
            const bool isRead = uses.isOutput[output.index] || !uses.consumers[output.index].empty();
            if (isRead)
                edits.replaceValue(
                    output, edits.addConstant(graph.value(output).name, *typed.known[output.index].data));
        }
        edits.removeNode(NodeId(i));
    }
}

const Pass foldConstants{
    .name = "fold-constants",
    .phase = Phase::fold,
    .summary =
        "Computes ahead what depends on no input: Constant nodes, arithmetic on weights, shapes that are "
        "known.",
    .apply = apply,
};
const Register<Pass> registered{foldConstants};

}  // namespace
}  // namespace engine
