#include <cmath>

#include "engine/passes/pattern.h"

namespace engine {
namespace {

bool isNear(double a, double b) { return std::abs(a - b) <= 1e-6; }

/// What a gate computes of the value it gates: Sigmoid makes Swish of the product, this HardSigmoid makes
/// HardSwish.
const char* gatedName(const Pattern& pattern, NodeId gate) {
    if (pattern.is(gate, "Sigmoid")) return "Swish";
    if (!pattern.is(gate, "HardSigmoid")) return nullptr;
    const AttributeReader read(pattern.node(gate));
    const bool isStandard =
        isNear(read.number("alpha", 0.2F), 1.0 / 6) && isNear(read.number("beta", 0.5F), 0.5);
    return isStandard ? "HardSwish" : nullptr;
}

void replace(const Pattern& pattern, NodeId product, NodeId gate, ValueId gated, const char* name,
             Edits& edits) {
    const Node& old = pattern.node(product);
    Node fused{.name = old.name,
               .operatorType = name,
               .version = std::string(name) == "Swish" ? 24 : 22,
               .inputs = {gated},
               .outputs = old.outputs,
               .origins = mergedOrigins({&old, &pattern.node(gate)})};
    edits.removeNode(gate);
    edits.replaceNode(product, std::move(fused));
}

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Pattern pattern(typed, uses);
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const NodeId product(i);
        if (!pattern.is(product, "Mul")) continue;
        for (const ValueId input : pattern.node(product).inputs) {
            const NodeId gate = pattern.producer(input);
            if (!gate.isValid() || pattern.onlyReader(input) != product || edits.touched(gate) ||
                edits.touched(product))
                continue;
            const char* name = gatedName(pattern, gate);
            const ValueId gated = pattern.otherInput(product, input);
            if (name == nullptr || !gated.isValid() || pattern.input(gate, 0) != gated) continue;
            replace(pattern, product, gate, gated, name, edits);
        }
    }
}

const Pass fuseSwish{
    .name = "fuse-swish",
    .phase = Phase::fuse,
    .summary = "Writes x * Sigmoid(x) as Swish and x * HardSigmoid(x) as HardSwish.",
    .apply = apply,
};
const Register<Pass> registered{fuseSwish};

}  // namespace
}  // namespace engine
