#include <algorithm>
#include <map>

#include "engine/ops/einsum.h"
#include "engine/passes/pattern.h"

namespace engine {
namespace {

/// The axes of a product of two operands, by what they are to it.
struct Product {
    std::string batch = {};    ///< of both operands and the result
    std::string left = {};     ///< of the first operand and the result
    std::string right = {};    ///< of the second operand and the result
    std::string summed = {};   ///< of both operands only
    std::string outcome = {};  ///< of the result, in its order
};

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

bool isDistinct(std::string letters) {
    std::sort(letters.begin(), letters.end());
    return std::adjacent_find(letters.begin(), letters.end()) == letters.end();
}

/// Nothing where the equation is more than a product of matrices, or less.
std::optional<Product> productOf(const EinsumEquation& equation) {
    if (equation.operands.size() != 2) return std::nullopt;
    for (const EinsumTerm& term : equation.operands) {
        if (term.hasEllipsis || !isDistinct(term.letters())) return std::nullopt;
    }
    const std::string first = equation.operands[0].letters();
    const std::string second = equation.operands[1].letters();
    Product product{.outcome = equation.result.letters()};
    for (const char letter : first) {
        const bool isShared = has(second, letter);
        const bool isKept = has(product.outcome, letter);
        if (!isShared && !isKept) return std::nullopt;
        (isShared ? (isKept ? product.batch : product.summed) : product.left) += letter;
    }
    for (const char letter : second) {
        if (has(first, letter)) continue;
        if (!has(product.outcome, letter)) return std::nullopt;
        product.right += letter;
    }
    if (product.summed.empty() || product.left.empty() || product.right.empty()) return std::nullopt;
    return product;
}

class Lowering {
public:
    Lowering(const Pattern& pattern, NodeId einsum, const EinsumEquation& equation, Product product,
             Edits& edits)
        : pattern_(pattern),
          einsum_(einsum),
          equation_(equation),
          product_(std::move(product)),
          edits_(edits),
          element_(pattern.type(pattern.node(einsum).outputs[0]).element) {}

    void run() {
        if (!collectDims()) return;
        const Node& old = pattern_.node(einsum_);
        const std::string& batch = product_.batch;
        // Without a batch the second factor is one matrix, and the first may be a stack of any axes.
        const std::string kept = batch.empty() ? product_.left : batch;
        const std::string rows = batch.empty() ? "" : product_.left;
        const auto left = shapeOf(kept, {rows, product_.summed});
        const auto right = shapeOf(batch, {product_.summed, product_.right});
        const auto apart = shapeOf(kept, singles(rows + product_.right));
        const bool isWhole = rows.size() <= 1 && product_.right.size() == 1;
        const bool isLeftWhole = rows.size() <= 1 && product_.summed.size() == 1;
        const bool isRightWhole = product_.summed.size() == 1 && product_.right.size() == 1;
        if ((!left && !isLeftWhole) || (!right && !isRightWhole) || (!apart && !isWhole)) return;
        ValueId a = permuted(old.inputs[0], equation_.operands[0].letters(), kept + rows + product_.summed);
        if (!isLeftWhole) a = add(reshape(a, *left));
        ValueId b = permuted(old.inputs[1], equation_.operands[1].letters(),
                             batch + product_.summed + product_.right);
        if (!isRightWhole) b = add(reshape(b, *right));
        Node last{.operatorType = "MatMul", .version = 13, .inputs = {a, b}};
        if (!isWhole) {
            const ValueId merged = add(std::move(last));
            last = reshape(merged, *apart);
        }
        const std::string order = kept + rows + product_.right;
        if (order != product_.outcome) {
            const ValueId unordered = add(std::move(last));
            last = transpose(unordered, order, product_.outcome);
        }
        finish(std::move(last));
    }

private:
    /// False unless both operands have the same dims where they share letters.
    bool collectDims() {
        for (size_t i = 0; i < 2; ++i) {
            const ValueId input = pattern_.input(einsum_, i);
            if (!input.isValid()) return false;
            const Type& type = pattern_.type(input);
            const std::string letters = equation_.operands[i].letters();
            if (!type.shape || type.shape->size() != letters.size()) return false;
            for (size_t axis = 0; axis < letters.size(); ++axis) {
                const Dim& dim = (*type.shape)[axis];
                const auto [found, isNew] = dims_.emplace(letters[axis], dim);
                if (!isNew && !(found->second == dim)) return false;
            }
        }
        return true;
    }

    static std::vector<std::string> singles(const std::string& letters) {
        std::vector<std::string> groups;
        for (const char letter : letters) groups.emplace_back(1, letter);
        return groups;
    }

    /// For Reshape: axes as they are, then one axis for each group; nothing if two of these are no numbers,
    /// or if one is zero, which would be taken for the input's own dim.
    std::optional<std::vector<int64_t>> shapeOf(const std::string& kept,
                                                const std::vector<std::string>& groups) const {
        std::vector<int64_t> shape(kept.size(), 0);
        int64_t unknown = 0;
        for (const std::string& group : groups) {
            if (group.empty()) continue;
            Dim size = 1;
            for (const char letter : group) size *= dims_.at(letter);
            if (size.isNumber() && size.number() == 0) return std::nullopt;
            if (!size.isNumber() && ++unknown > 1) return std::nullopt;
            shape.push_back(size.isNumber() ? size.number() : -1);
        }
        return shape;
    }

    ValueId constant(const std::vector<int64_t>& values) {
        return edits_.addConstant("shape",
                                  Tensor::of<int64_t>({static_cast<int64_t>(values.size())}, values));
    }

    Node transpose(ValueId value, const std::string& from, const std::string& to) const {
        std::vector<int64_t> order;
        for (const char letter : to) order.push_back(static_cast<int64_t>(from.find(letter)));
        return {.operatorType = "Transpose",
                .version = 21,
                .inputs = {value},
                .attributes = {{.name = "perm", .value = std::move(order)}}};
    }

    ValueId permuted(ValueId value, const std::string& from, const std::string& to) {
        return from == to ? value : add(transpose(value, from, to));
    }

    Node reshape(ValueId value, const std::vector<int64_t>& shape) {
        return {.operatorType = "Reshape", .version = 21, .inputs = {value, constant(shape)}};
    }

    ValueId add(Node node) {
        const ValueId result = edits_.addValue("einsum", Type::tensor(element_));
        node.outputs = {result};
        node.name = pattern_.node(einsum_).name;
        node.origins = pattern_.node(einsum_).origins;
        edits_.addNode(std::move(node), einsum_);
        return result;
    }

    void finish(Node node) {
        node.outputs = pattern_.node(einsum_).outputs;
        node.name = pattern_.node(einsum_).name;
        node.origins = pattern_.node(einsum_).origins;
        edits_.replaceNode(einsum_, std::move(node));
    }

    const Pattern& pattern_;
    NodeId einsum_;
    const EinsumEquation& equation_;
    Product product_;
    Edits& edits_;
    DataType element_;
    std::map<char, Dim> dims_;
};

/// MatMul takes fewer types than Einsum.
bool isMultiplied(DataType type) {
    return type == DataType::float32 || type == DataType::float64 || type == DataType::float16 ||
           type == DataType::bfloat16 || type == DataType::int32 || type == DataType::int64 ||
           type == DataType::uint32 || type == DataType::uint64;
}

void apply(const TypedGraph& typed, const Uses& uses, Edits& edits) {
    const Pattern pattern(typed, uses);
    for (size_t i = 0; i < typed.graph->nodes.size(); ++i) {
        const NodeId id(i);
        if (!pattern.is(id, "Einsum") || edits.touched(id)) continue;
        if (!isMultiplied(pattern.type(pattern.node(id).outputs[0]).element)) continue;
        const EinsumEquation equation = readEinsum(AttributeReader(pattern.node(id)));
        const auto product = productOf(equation);
        if (product) Lowering(pattern, id, equation, *product, edits).run();
    }
}

const Pass lowerEinsum{
    .name = "lower-einsum",
    .phase = Phase::fold,
    .summary = "Writes an Einsum that multiplies matrices as MatMul, with Transpose and Reshape around it.",
    .apply = apply,
};
const Register<Pass> registered{lowerEinsum};

}  // namespace
}  // namespace engine
