#include <algorithm>

#include "engine/passes/pattern.h"

namespace engine {
namespace {

bool isDropoutWithoutEffect(const Pattern& pattern, NodeId id) {
    if (!pattern.is(id, "Dropout")) return false;
    const Node& node = pattern.node(id);
    const bool isMaskUsed =
        node.outputs.size() > 1 && node.outputs[1].isValid() &&
        (!pattern.uses().consumers[node.outputs[1].index].empty() || pattern.isGraphOutput(node.outputs[1]));
    if (isMaskUsed) return false;
    const ValueId training = pattern.input(id, 2);
    if (!training.isValid()) return true;
    const Tensor* isTraining = pattern.constant(training);
    return isTraining != nullptr && isTraining->type() == DataType::boolean && !isTraining->values<bool>()[0];
}

bool isTrivialTranspose(const Pattern& pattern, NodeId id) {
    if (!pattern.is(id, "Transpose")) return false;
    const std::optional<std::vector<int64_t>> perm = AttributeReader(pattern.node(id)).maybeIntegers("perm");
    return perm && std::is_sorted(perm->begin(), perm->end());
}

/// Result and input have the same type, dim by dim.
bool keepsType(const Pattern& pattern, NodeId id) {
    const Type& from = pattern.type(pattern.input(id, 0));
    const Type& to = pattern.type(pattern.node(id).outputs[0]);
    if (!from.isTensor() || !to.isTensor() || from.element != to.element || !from.shape || !to.shape)
        return false;
    return from.shape->size() == to.shape->size() &&
           std::equal(from.shape->begin(), from.shape->end(), to.shape->begin());
}

bool hasOneInput(const Pattern& pattern, NodeId id) {
    static constexpr const char* variadic[] = {"Concat", "Sum", "Max", "Min", "Mean"};
    return pattern.node(id).inputs.size() == 1 &&
           std::any_of(std::begin(variadic), std::end(variadic),
                       [&](const char* type) { return pattern.is(id, type); });
}

bool isIdentity(const Pattern& pattern, NodeId id) {
    if (pattern.is(id, "Identity") || isDropoutWithoutEffect(pattern, id) || isTrivialTranspose(pattern, id))
        return true;
    if (hasOneInput(pattern, id)) return true;
    static constexpr const char* views[] = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Expand"};
    const bool isView = std::any_of(std::begin(views), std::end(views),
                                    [&](const char* type) { return pattern.is(id, type); });
    if (isView) return keepsType(pattern, id);
    if (!pattern.is(id, "Cast")) return false;
    const Type& from = pattern.type(pattern.input(id, 0));
    const Type& to = pattern.type(pattern.node(id).outputs[0]);
    return from.isTensor() && from.element != DataType::undefined && from.element == to.element;
}

/// A graph output must stay a value of its own name, made by a node of this graph.
bool canStandIn(const Pattern& pattern, ValueId output, ValueId input) {
    if (!pattern.isGraphOutput(output)) return true;
    return pattern.producer(input).isValid() && !pattern.isGraphOutput(input);
}

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Pattern pattern(typed, uses);
    std::vector<char> isOutputNameTaken(typed.graph->values.size(), 0);
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const NodeId id(i);
        const Node& node = typed.graph->nodes[i];
        if (node.inputs.empty() || node.outputs.empty() || !node.inputs[0].isValid() ||
            !node.outputs[0].isValid())
            continue;
        if (!isIdentity(pattern, id) || !canStandIn(pattern, node.outputs[0], node.inputs[0])) continue;
        if (pattern.isGraphOutput(node.outputs[0])) {
            if (isOutputNameTaken[node.inputs[0].index]) continue;
            isOutputNameTaken[node.inputs[0].index] = 1;
            // The input may itself be replaced in this round; the output's name then waits for the next one.
            if (const NodeId producer = pattern.producer(node.inputs[0]); edits.touched(producer)) continue;
        }
        edits.replaceValue(node.outputs[0], node.inputs[0]);
        edits.removeNode(id);
    }
}

const Pass eliminateIdentities{
    .name = "eliminate-identities",
    .phase = Phase::clean,
    .summary =
        "Removes nodes that hand on their input unchanged: Identity, Dropout outside of training, Cast to "
        "the same "
        "type, Transpose and Reshape that change nothing, Concat of one input.",
    .apply = apply,
};
const Register<Pass> registered{eliminateIdentities};

}  // namespace
}  // namespace engine
