#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/providers/cpu/function.h"
#include "engine/providers/cpu/order.h"
#include "engine/providers/provider.h"

namespace engine::cpu {

/// Where a value lies: its slot, dense, axes in that order.
struct Place {
    SlotId slot = {};
    Order order = {};
};

/// Builds the steps of one partition. Knows where each value lies in memory, reorders it for whoever needs
/// another order (once), and keeps element-wise nodes back until somebody asks for their result, so that
/// connected ones become one step.
class CpuBuilder {
public:
    CpuBuilder(PartitionBuilder& partition, const CompileOptions& options);

    const CompileOptions& options() const { return options_; }
    int threads() const { return options_.threads; }
    NodeView view(NodeId id) const { return {partition_.graph(), id}; }
    const Node& node(NodeId id) const { return partition_.graph().graph->node(id); }

    const Dims& dims(ValueId value) const;
    int64_t elements(ValueId value) const;
    DataType element(ValueId value) const;
    /// The value if it is known before the run, else null.
    const Tensor* constant(ValueId value) const;
    /// Whether the node's input is omitted or has these dims. What does not fit is left to the reference
    /// kernel, which says what is wrong.
    bool fits(const NodeView& node, size_t index, const Dims& expected) const;
    /// The single number that a constant holds, whatever its rank, if it is one float.
    std::optional<float> scalar(ValueId value) const;

    /// Whether the value can be taken now: it comes from outside, is constant, or its node's turn is over.
    bool isReady(ValueId value) const;
    /// Does the nodes behind the value before their turn, if they are few and small and need nothing that is
    /// being made; whether the value can be taken then.
    bool makeReady(ValueId value, int depth = 0);
    bool isNeededOutside(ValueId value) const { return !isAdded(value) && partition_.isNeededOutside(value); }
    const std::vector<NodeId>& readers(ValueId value) const;
    /// The one node that reads the value, if nobody else needs it.
    std::optional<NodeId> soleReader(ValueId value) const;

    /// Makes the value exist in memory and says where.
    Place take(ValueId value);
    /// The value in that order; reordered if it lies otherwise.
    SlotId take(ValueId value, const Order& order);
    SlotId takeRowMajor(ValueId value) { return take(value, rowMajor(dims(value).size())); }
    /// The order in which take(value) would give it.
    Order orderOf(ValueId value) { return take(value).order; }

    /// Where the step to be added next puts the value.
    SlotId define(ValueId value, const Order& order);
    SlotId defineRowMajor(ValueId value) { return define(value, rowMajor(dims(value).size())); }
    /// `value` is the memory of `source`, which lies in `sourceOrder`, read in `order`.
    void alias(ValueId value, const Order& order, ValueId source, const Order& sourceOrder, NodeId node);
    /// A constant that the graph does not have, as a value that expressions may name.
    ValueId addValue(Tensor tensor);
    /// A value that the graph does not have, to be defined by a step.
    ValueId addValue(DataType element, Dims dims);
    /// A constant of the kernel's own making: packed weights, a table.
    SlotId addConstant(Tensor tensor, const std::string& layout);

    /// Adds the step, then brings those of its outputs that are needed outside into row-major order.
    void add(Step step);
    void addReference(NodeId node);
    /// Adds a step that runs `code` for the node on whole, row-major data.
    void addWhole(NodeId node, std::string kernel, std::function<void(KernelContext&)> code);

    /// The node's work is done elsewhere; its turn is skipped.
    void absorb(NodeId node) { absorbed_[node] = nullptr; }
    bool isAbsorbed(NodeId node) const { return absorbed_.contains(node); }
    /// Calls `emit` when it is the turn of `node`, which must be the last of the absorbed ones.
    void postpone(NodeId node, std::function<void(CpuBuilder&)> emit) { absorbed_[node] = std::move(emit); }

    /// The quantized numbers less that zero point, as floats, where a step has made them.
    void setCentred(ValueId quantized, ValueId zeroPoint, ValueId centred) {
        centred_[{quantized, zeroPoint}] = centred;
    }
    std::optional<ValueId> centred(ValueId quantized, ValueId zeroPoint) const;

    // For the loop over the nodes and for chains.
    std::function<void(NodeId)> prepareNode;
    void turnBegins(NodeId node) { hasBegun_[node] = true; }
    void turnIsOver(NodeId node);
    void emitPostponed(NodeId node);
    /// The value is this function of others; nothing is run until it is taken.
    void keepBack(ValueId value, Expression expression);
    /// Null if the value exists, or is no element-wise function of others.
    const Expression* keptBack(ValueId value) const;
    void finish();

private:
    bool isAdded(ValueId value) const { return value.index >= partition_.graph().types.size(); }
    SlotId reorder(ValueId value, const Place& from, const Order& to);
    SlotId constantIn(ValueId value, const Order& order);
    SlotId newSlot(ValueId value, const Order& order);
    void bringOutside(ValueId value);

    PartitionBuilder& partition_;
    CompileOptions options_;
    mutable std::map<ValueId, Dims> dims_;
    std::map<ValueId, std::vector<Place>> places_;                  ///< the first is where it was made
    std::deque<std::pair<DataType, std::optional<Tensor>>> added_;  ///< by index past the graph's values
    std::map<ValueId, NodeId> producer_;                            ///< within the partition
    std::map<NodeId, bool> hasBegun_;
    std::map<NodeId, bool> isOver_;
    std::map<std::pair<ValueId, ValueId>, ValueId> centred_;
    std::map<ValueId, Expression> keptBack_;
    std::map<NodeId, std::function<void(CpuBuilder&)>> absorbed_;
    std::map<ValueId, std::vector<NodeId>> viewNodes_;  ///< views that no step stands for yet
};

/// The element-wise nodes behind the value that are kept back, as one step (chain.cpp).
void emitChain(CpuBuilder& builder, ValueId value);

}  // namespace engine::cpu
