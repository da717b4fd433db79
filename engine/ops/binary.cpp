#include "engine/ops/binary.h"

#include <algorithm>

#include "engine/core/error.h"

namespace engine {

BinaryAttributes readBinary(const AttributeReader& reader) { return {.axis = reader.maybeInteger("axis")}; }

Shape alignedShape(const BinaryAttributes& attributes, const Shape& left, const Shape& right) {
    if (!attributes.axis) return right;
    const auto leftRank = static_cast<int64_t>(left.size());
    const auto rightRank = static_cast<int64_t>(right.size());
    const int64_t axis = leftRank == 0 ? 0 : normalizedAxis(*attributes.axis, leftRank);
    if (axis + rightRank > leftRank) {
        fail("axis ", axis, ": ", shapeText(right), " does not fit into ", shapeText(left), " from there on");
    }
    Shape aligned = right;
    aligned.resize(static_cast<size_t>(leftRank - axis), Dim(1));
    return aligned;
}

void inferBinary(InferContext& context, DataType element) {
    const Shape* left = context.inputShape(0);
    const Shape* right = context.inputShape(1);
    if (left == nullptr || right == nullptr) return context.setOutput(0, element);
    const auto& attributes = context.attributes<BinaryAttributes>();
    context.setOutput(0, element, broadcast(*left, alignedShape(attributes, *left, *right)));
}

namespace {

DataType commonElement(InferContext& context) {
    const DataType left = context.inputElement(0);
    const DataType right = context.inputElement(1);
    if (left != right) fail("found elements of type ", left, " and ", right, ", expected the same");
    return left;
}

}  // namespace

void inferArithmetic(InferContext& context) { inferBinary(context, commonElement(context)); }

void inferComparison(InferContext& context) {
    commonElement(context);
    inferBinary(context, DataType::boolean);
}

namespace {

/// The right input's shape needs no ones appended.
bool isTrailing(const NodeRewriter& node, const Node& before, int64_t axis) {
    const auto& left = node.graph().value(before.inputs[0]).type.shape;
    const auto& right = node.graph().value(before.inputs[1]).type.shape;
    if (right && right->empty()) return true;
    if (!left || !right) return false;
    const auto leftRank = static_cast<int64_t>(left->size());
    return (axis < 0 ? axis + leftRank : axis) + static_cast<int64_t>(right->size()) == leftRank;
}

}  // namespace

void upgradeBroadcast(NodeRewriter& node) {
    const AttributeReader attributes = node.attributes();
    const bool broadcasts = attributes.integer("broadcast", 0) != 0;
    const std::optional<int64_t> axis = attributes.maybeInteger("axis");
    const Node before = node.node();
    node.removeAttribute("consumed_inputs");
    node.removeAttribute("broadcast");
    if (before.inputs.size() != 2) fail("found ", before.inputs.size(), " inputs, expected 2");
    for (const ValueId input : before.inputs) {
        if (!input.isValid()) fail("an input is omitted, expected 2");
    }
    if (broadcasts && axis && !isTrailing(node, before, *axis)) {
        node.node().domain = "opscope";
        node.setVersion(1);
        return;
    }
    node.removeAttribute("axis");
    node.setVersion(7);
}

}  // namespace engine
