#include <algorithm>
#include <cmath>

#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

/// A normalization of rows: of the operator itself, or of the nodes that amount to it.
struct RowNorm {
    ValueId input;
    ValueId output;
    std::optional<ValueId> gamma = {};
    std::optional<ValueId> beta = {};
    NormRows rows;
    std::vector<NodeId> nodes;
    const char* name;
};

/// An Add of two values of these dims that only waits to be taken, so that the normalization may do it.
const Expression* waitingSum(const CpuBuilder& builder, ValueId value) {
    const Expression* sum = builder.keptBack(value);
    const bool isSum = sum != nullptr && sum->function == Function::add && sum->inputs.size() == 2 &&
                       builder.dims(sum->inputs[0]) == builder.dims(value) &&
                       builder.dims(sum->inputs[1]) == builder.dims(value);
    return isSum ? sum : nullptr;
}

void addStep(CpuBuilder& builder, RowNorm norm) {
    const Order order = rowMajor(builder.dims(norm.input).size());
    Step step{.kernel = text("highway ", norm.name)};
    step.nodes = norm.nodes;
    bool hasResidual = false;
    bool storesSum = false;
    if (const Expression* sum = waitingSum(builder, norm.input)) {
        const Expression own = *sum;
        const std::vector<NodeId>& readers = builder.readers(norm.input);
        storesSum = builder.isNeededOutside(norm.input) ||
                    std::any_of(readers.begin(), readers.end(), [&](NodeId id) {
                        return std::find(norm.nodes.begin(), norm.nodes.end(), id) == norm.nodes.end();
                    });
        step.inputs = {builder.take(own.inputs[0], order), builder.take(own.inputs[1], order)};
        // Taking the operands may have brought the sum itself into memory.
        hasResidual = builder.keptBack(norm.input) != nullptr;
        if (hasResidual) {
            step.nodes.insert(step.nodes.end(), own.nodes.begin(), own.nodes.end());
            step.kernel += " +add";
        }
    }
    if (!hasResidual) {
        storesSum = false;
        step.inputs = {builder.take(norm.input, order)};
    }
    const bool hasGamma = norm.gamma.has_value();
    const bool hasBeta = norm.beta.has_value();
    if (hasGamma) step.inputs.push_back(builder.takeRowMajor(*norm.gamma));
    if (hasBeta) step.inputs.push_back(builder.takeRowMajor(*norm.beta));
    step.outputs = {builder.define(norm.output, order)};
    if (storesSum) step.outputs.push_back(builder.define(norm.input, order));
    step.inPlace = storesSum ? std::vector<std::pair<size_t, size_t>>{{1, 0}}
                             : std::vector<std::pair<size_t, size_t>>{{0, 0}};
    step.code = [rows = norm.rows, hasResidual, storesSum, hasGamma, hasBeta,
                 threads = builder.threads()](StepContext& context) {
        size_t next = 0;
        NormPointers pointers{};
        pointers.x = context.input<float>(next++);
        if (hasResidual) pointers.residual = context.input<float>(next++);
        if (hasGamma) pointers.gamma = context.input<float>(next++);
        if (hasBeta) pointers.beta = context.input<float>(next++);
        pointers.y = context.output<float>(0);
        if (storesSum) pointers.sum = context.output<float>(1);
        normalizeRows(rows, pointers, threads);
    };
    builder.add(std::move(step));
}

Support accepts(const NodeView& node) {
    if (node.hasOutput(1) || node.hasOutput(2))
        return Support::no("mean or deviation are asked for as outputs");
    return acceptFloat(node);
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const Node& raw = node.node();
    const Dims& dims = builder.dims(raw.inputs[0]);
    const int64_t axis = normalizedAxis(node.read().integer("axis", -1), static_cast<int64_t>(dims.size()));
    RowNorm norm{.input = raw.inputs[0],
                 .output = raw.outputs[0],
                 .rows = {},
                 .nodes = {node.id()},
                 .name = "layer norm"};
    norm.rows.n = 1;
    for (size_t at = axis; at < dims.size(); ++at) norm.rows.n *= dims[at];
    norm.rows.rows = builder.elements(raw.inputs[0]) / norm.rows.n;
    norm.rows.epsilon = node.read().number("epsilon", 1e-5F);
    norm.rows.isCentred =
        raw.operatorType != "RMSNormalization" && raw.operatorType != "SimplifiedLayerNormalization";
    if (!norm.rows.isCentred) norm.name = "rms norm";
    for (size_t index = 1; index < raw.inputs.size(); ++index) {
        if (!node.hasInput(index)) continue;
        if (builder.elements(raw.inputs[index]) != norm.rows.n) return builder.addReference(node.id());
        (index == 1 ? norm.gamma : norm.beta) = raw.inputs[index];
    }
    addStep(builder, std::move(norm));
}

bool isReduceMeanOfLast(const CpuBuilder& builder, NodeId id, ValueId input) {
    const Node& node = builder.node(id);
    if (node.operatorType != "ReduceMean" || !node.domain.empty() || node.inputs[0] != input) return false;
    const AttributeReader read(node);
    std::vector<int64_t> axes = read.integers("axes");
    if (node.inputs.size() > 1 && node.inputs[1].isValid()) {
        const Tensor* constant = builder.constant(node.inputs[1]);
        if (constant == nullptr) return false;
        axes = constant->toInt64();
    }
    const auto rank = static_cast<int64_t>(builder.dims(input).size());
    return axes.size() == 1 && (axes[0] == -1 || axes[0] == rank - 1) && read.integer("keepdims", 1) != 0;
}

std::optional<NodeId> soleReaderOf(const CpuBuilder& builder, ValueId value, const char* type) {
    const auto reader = builder.soleReader(value);
    if (!reader || builder.node(*reader).operatorType != type) return {};
    return reader;
}

bool is(const CpuBuilder& builder, NodeId id, const char* type, ValueId a, ValueId b) {
    const Node& node = builder.node(id);
    return node.operatorType == type && node.inputs.size() == 2 && node.inputs[0] == a && node.inputs[1] == b;
}

/// Walks along the nodes of (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) * gamma + beta.
class DecomposedNorm {
public:
    DecomposedNorm(const CpuBuilder& builder, const NodeView& first) : builder_(builder), first_(first) {}

    std::optional<RowNorm> find() {
        const ValueId x = first_.node().inputs[0];
        if (!isReduceMeanOfLast(builder_, first_.id(), x) || builder_.element(x) != DataType::float32)
            return {};
        norm_.input = x;
        norm_.name = "layer norm";
        norm_.rows.n = builder_.dims(x).back();
        norm_.rows.rows = builder_.elements(x) / norm_.rows.n;
        step(first_.id());
        if (!centre(x) || !variance() || !quotient()) return {};
        affine();
        norm_.output = at_;
        return norm_;
    }

private:
    void step(NodeId id) {
        norm_.nodes.push_back(id);
        at_ = builder_.node(id).outputs[0];
    }

    /// x - mean, once or twice.
    bool centre(ValueId x) {
        const ValueId mean = at_;
        if (builder_.isNeededOutside(mean)) return false;
        for (const NodeId id : builder_.readers(mean)) {
            if (!is(builder_, id, "Sub", x, mean) || builder_.isAbsorbed(id)) return false;
            centred_.push_back(builder_.node(id).outputs[0]);
            step(id);
        }
        return centred_.size() == 1 || centred_.size() == 2;
    }

    /// mean of the square, plus epsilon, root.
    bool variance() {
        for (const ValueId value : centred_) {
            if (builder_.isNeededOutside(value)) return false;
            for (const NodeId id : builder_.readers(value)) {
                const Node& node = builder_.node(id);
                const bool isPower = node.operatorType == "Pow" && builder_.scalar(node.inputs[1]) == 2.0F;
                if (isPower || is(builder_, id, "Mul", value, value))
                    square_ = id;
                else
                    others_.push_back(id);
            }
        }
        if (!square_.isValid() || others_.size() != 1) return false;
        step(square_);
        const auto mean = builder_.soleReader(at_);
        if (!mean || !isReduceMeanOfLast(builder_, *mean, at_)) return false;
        step(*mean);
        const auto add = soleReaderOf(builder_, at_, "Add");
        if (!add) return false;
        const Node& sum = builder_.node(*add);
        const auto epsilon = builder_.scalar(sum.inputs[sum.inputs[0] == at_ ? 1 : 0]);
        if (!epsilon) return false;
        norm_.rows.epsilon = *epsilon;
        step(*add);
        const auto root = soleReaderOf(builder_, at_, "Sqrt");
        if (!root) return false;
        step(*root);
        return true;
    }

    bool quotient() {
        const auto divide = soleReaderOf(builder_, at_, "Div");
        if (!divide || *divide != others_[0] || builder_.node(*divide).inputs[1] != at_) return false;
        step(*divide);
        return true;
    }

    /// A following Mul by and Add of a row.
    void affine() {
        for (const char* type : {"Mul", "Add"}) {
            const auto reader = soleReaderOf(builder_, at_, type);
            if (!reader) return;
            const Node& node = builder_.node(*reader);
            const ValueId other = node.inputs[node.inputs[0] == at_ ? 1 : 0];
            const bool isRow = other != at_ && builder_.constant(other) != nullptr &&
                               builder_.elements(other) == norm_.rows.n && !builder_.dims(other).empty() &&
                               builder_.dims(other).back() == norm_.rows.n &&
                               builder_.element(other) == DataType::float32;
            if (!isRow) return;
            (type[0] == 'M' ? norm_.gamma : norm_.beta) = other;
            step(*reader);
        }
    }

    const CpuBuilder& builder_;
    const NodeView& first_;
    RowNorm norm_{.input = {}, .output = {}, .rows = {}, .nodes = {}, .name = ""};
    ValueId at_;
    std::vector<ValueId> centred_;
    NodeId square_;
    std::vector<NodeId> others_;
};

bool matchDecomposed(CpuBuilder& builder, const NodeView& first) {
    if (first.node().operatorType != "ReduceMean") return false;
    auto norm = DecomposedNorm(builder, first).find();
    if (!norm) return false;
    for (const NodeId id : norm->nodes) builder.absorb(id);
    addStep(builder, std::move(*norm));
    return true;
}

const CpuKernel layerNorm{"LayerNormalization", "", accepts, prepare};
const CpuKernel rmsNorm{"RMSNormalization", "", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{layerNorm}, Register{rmsNorm}};
const CpuPattern decomposed{"decomposed layer norm", matchDecomposed};
const Register<CpuPattern> registeredPattern{decomposed};

}  // namespace
}  // namespace engine::cpu
