#include <limits>

#include "engine/passes/pattern.h"

namespace engine {
namespace {

/// An activation as the attributes of the fused operators name it.
struct Fusable {
    std::string name;
    std::vector<float> parameters = {};
};

std::optional<Fusable> clip(const Pattern& pattern, NodeId id) {
    Fusable result{.name = "Clip",
                   .parameters = {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()}};
    for (size_t i = 1; i <= 2; ++i) {
        if (!pattern.input(id, i).isValid()) continue;
        const std::optional<double> bound = pattern.scalar(pattern.input(id, i));
        if (!bound) return std::nullopt;
        result.parameters[i - 1] = static_cast<float>(*bound);
    }
    return result;
}

std::optional<Fusable> activation(const Pattern& pattern, NodeId id) {
    const AttributeReader read(pattern.node(id));
    for (const char* plain : {"Relu", "Sigmoid", "Tanh", "HardSwish"}) {
        if (pattern.is(id, plain)) return Fusable{plain};
    }
    if (pattern.is(id, "LeakyRelu")) return Fusable{"LeakyRelu", {read.number("alpha", 0.01F)}};
    if (pattern.is(id, "Elu")) return Fusable{"Elu", {read.number("alpha", 1)}};
    if (pattern.is(id, "HardSigmoid")) {
        return Fusable{"HardSigmoid", {read.number("alpha", 0.2F), read.number("beta", 0.5F)}};
    }
    if (pattern.is(id, "Swish") && read.number("alpha", 1) == 1) return Fusable{"Silu"};
    if (pattern.is(id, "Clip")) return clip(pattern, id);
    return std::nullopt;
}

const char* fusedName(const Pattern& pattern, NodeId id) {
    if (pattern.is(id, "Conv")) return "FusedConv";
    if (pattern.is(id, "Gemm")) return "FusedGemm";
    return nullptr;
}

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Pattern pattern(typed, uses);
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const NodeId id(i);
        const NodeId producer = pattern.producer(pattern.input(id, 0));
        if (!producer.isValid() || fusedName(pattern, producer) == nullptr || edits.touched(producer))
            continue;
        const Node& product = pattern.node(producer);
        if (pattern.onlyReader(product.outputs[0]) != id ||
            pattern.type(product.outputs[0]).element != DataType::float32)
            continue;
        const std::optional<Fusable> found = activation(pattern, id);
        if (!found) continue;
        Node fused = product;
        fused.operatorType = fusedName(pattern, producer);
        fused.domain = "opscope";
        fused.version = 1;
        fused.outputs = {pattern.node(id).outputs[0]};
        fused.origins = mergedOrigins({&product, &pattern.node(id)});
        fused.attributes.push_back({.name = "activation", .value = found->name});
        if (!found->parameters.empty()) {
            fused.attributes.push_back({.name = "activation_params", .value = found->parameters});
        }
        edits.removeNode(producer);
        edits.replaceNode(id, std::move(fused));
    }
}

const Pass fuseActivation{
    .name = "fuse-activation",
    .phase = Phase::layout,
    .summary = "Computes an activation together with the Conv or Gemm before it.",
    .apply = apply,
};
const Register<Pass> registered{fuseActivation};

}  // namespace
}  // namespace engine
