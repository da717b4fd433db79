#include "engine/providers/cpu/builder.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/providers/cpu/permute.h"

namespace engine::cpu {

CpuBuilder::CpuBuilder(PartitionBuilder& partition, const CompileOptions& options)
    : partition_(partition), options_(options) {
    for (const NodeId id : partition.nodes()) {
        for (const ValueId output : node(id).outputs) {
            if (output.isValid()) producer_[output] = id;
        }
    }
}

const Dims& CpuBuilder::dims(ValueId value) const {
    const auto known = dims_.find(value);
    if (known != dims_.end()) return known->second;
    const Type& type = partition_.graph().types[value.index];
    std::optional<Dims> found;
    if (type.shape) found = numbers(*type.shape);
    if (!found) {
        fail("value '", partition_.graph().graph->value(value).name, "': its dims are not known, found ",
             typeText(type));
    }
    return dims_.emplace(value, std::move(*found)).first->second;
}

int64_t CpuBuilder::elements(ValueId value) const {
    int64_t count = 1;
    for (const int64_t dim : dims(value)) count *= dim;
    return count;
}

bool CpuBuilder::fits(const NodeView& node, size_t index, const Dims& expected) const {
    return !node.hasInput(index) || dims(node.node().inputs[index]) == expected;
}

DataType CpuBuilder::element(ValueId value) const {
    const std::vector<Type>& types = partition_.graph().types;
    return isAdded(value) ? added_[value.index - types.size()].first : types[value.index].element;
}

ValueId CpuBuilder::addValue(DataType element, Dims dims) {
    const ValueId value(partition_.graph().types.size() + added_.size());
    dims_[value] = std::move(dims);
    added_.emplace_back(element, std::nullopt);
    return value;
}

ValueId CpuBuilder::addValue(Tensor tensor) {
    const ValueId value = addValue(tensor.type(), tensor.dims());
    places_[value] = {Place{addConstant(tensor, ""), rowMajor(tensor.dims().size())}};
    added_.back().second = std::move(tensor);
    return value;
}

const std::vector<NodeId>& CpuBuilder::readers(ValueId value) const {
    static const std::vector<NodeId> nobody;
    return isAdded(value) ? nobody : partition_.readers(value);
}

const Tensor* CpuBuilder::constant(ValueId value) const {
    if (!value.isValid()) return nullptr;
    if (isAdded(value)) {
        const auto& tensor = added_[value.index - partition_.graph().types.size()].second;
        return tensor ? &*tensor : nullptr;
    }
    const TypedGraph& graph = partition_.graph();
    if (value.index < graph.known.size() && graph.known[value.index].data) {
        return &*graph.known[value.index].data;
    }
    const std::optional<Datum>& held = graph.graph->value(value).constant;
    return held && held->isTensor() ? &held->tensor() : nullptr;
}

std::optional<float> CpuBuilder::scalar(ValueId value) const {
    const Tensor* tensor = constant(value);
    if (tensor == nullptr || tensor->type() != DataType::float32 || tensor->elements() != 1) return {};
    return tensor->values<float>()[0];
}

bool CpuBuilder::isReady(ValueId value) const {
    const auto made = producer_.find(value);
    return made == producer_.end() || isOver_.contains(made->second) || places_.contains(value);
}

bool CpuBuilder::makeReady(ValueId value, int depth) {
    if (isReady(value)) return true;
    constexpr int deepest = 6;
    constexpr int64_t largest = 4096;
    const NodeId id = producer_.at(value);
    if (depth > deepest || hasBegun_.contains(id) || isAbsorbed(id)) return false;
    for (const ValueId output : node(id).outputs) {
        if (output.isValid() && elements(output) > largest) return false;
    }
    for (const ValueId input : node(id).inputs) {
        if (input.isValid() && !makeReady(input, depth + 1)) return false;
    }
    prepareNode(id);
    absorb(id);
    return true;
}

std::optional<ValueId> CpuBuilder::centred(ValueId quantized, ValueId zeroPoint) const {
    const auto found = centred_.find({quantized, zeroPoint});
    return found == centred_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<NodeId> CpuBuilder::soleReader(ValueId value) const {
    if (isNeededOutside(value)) return {};
    const std::vector<NodeId>& all = readers(value);
    if (all.size() != 1 || isAbsorbed(all[0])) return {};
    return all[0];
}

Place CpuBuilder::take(ValueId value) {
    auto found = places_.find(value);
    if (found == places_.end() && keptBack_.contains(value)) {
        emitChain(*this, value);
        found = places_.find(value);
    }
    if (found != places_.end()) return found->second.front();
    const Place outside{partition_.slot(value), rowMajor(dims(value).size())};
    places_[value].push_back(outside);
    return outside;
}

SlotId CpuBuilder::take(ValueId value, const Order& order) {
    const Place first = take(value);
    for (const Place& place : places_[value]) {
        if (isSameMemory(place.order, order, dims(value))) return place.slot;
    }
    const SlotId slot = constant(value) != nullptr ? constantIn(value, order) : reorder(value, first, order);
    places_[value].push_back({slot, order});
    return slot;
}

SlotId CpuBuilder::constantIn(ValueId value, const Order& order) {
    const Tensor& tensor = *constant(value);
    Tensor moved = Tensor::allocate(tensor.type(), memoryDims(order, tensor.dims()));
    const Permutation permutation = permutationBetween(rowMajor(tensor.dims().size()), order, tensor.dims());
    permute(permutation, bytesInMemory(tensor.type()), tensor.data(), moved.mutableData(), 1);
    return addConstant(std::move(moved), orderText(order));
}

SlotId CpuBuilder::newSlot(ValueId value, const Order& order) {
    if (isAdded(value)) {
        return partition_.addSlot(
            {.element = element(value), .dims = dims(value), .layout = orderText(order)});
    }
    if (isRowMajor(order, dims(value))) return partition_.slot(value);
    return partition_.addSlot(
        {.value = value, .element = element(value), .dims = dims(value), .layout = orderText(order)});
}

SlotId CpuBuilder::reorder(ValueId value, const Place& from, const Order& to) {
    const SlotId slot = newSlot(value, to);
    const Permutation permutation = permutationBetween(from.order, to, dims(value));
    const size_t size = bytesInMemory(element(value));
    const auto nameOf = [](const Order& order) {
        const std::string text = orderText(order);
        return text.empty() ? std::string("row-major") : text;
    };
    Step step{.kernel = "reorder " + nameOf(from.order) + " to " + nameOf(to),
              .nodes = std::move(viewNodes_[value]),
              .inputs = {from.slot},
              .outputs = {slot},
              .code = [permutation, size, threads = threads()](StepContext& context) {
                  permute(permutation, size, context.input<void>(0), context.output<void>(0), threads);
              }};
    viewNodes_.erase(value);
    partition_.addStep(std::move(step));
    return slot;
}

SlotId CpuBuilder::define(ValueId value, const Order& order) {
    const Order used = canonical(order, dims(value));
    const SlotId slot = newSlot(value, used);
    places_[value] = {Place{slot, used}};
    return slot;
}

void CpuBuilder::alias(ValueId value, const Order& order, ValueId source, const Order& sourceOrder,
                       NodeId node) {
    const SlotId slot = take(source, sourceOrder);
    const bool isPlain = isRowMajor(order, dims(value)) && isRowMajor(sourceOrder, dims(source));
    if (isPlain) {
        const SlotId view = partition_.slot(value);
        partition_.addView(view, slot, node);
        places_[value] = {Place{view, rowMajor(dims(value).size())}};
        return;
    }
    places_[value] = {Place{slot, canonical(order, dims(value))}};
    viewNodes_[value] = viewNodes_[source];
    viewNodes_[value].push_back(node);
    bringOutside(value);
}

SlotId CpuBuilder::addConstant(Tensor tensor, const std::string& layout) {
    Slot slot{.element = tensor.type(), .dims = tensor.dims(), .bytes = tensor.bytes(), .layout = layout};
    slot.constant = Datum(std::move(tensor));
    return partition_.addSlot(std::move(slot));
}

void CpuBuilder::bringOutside(ValueId value) {
    if (!isNeededOutside(value)) return;
    const Order plain = rowMajor(dims(value).size());
    const Place place = take(value);
    const SlotId outside = partition_.slot(value);
    if (place.slot == outside) return;
    places_[value].push_back({reorder(value, place, plain), plain});
}

void CpuBuilder::add(Step step) {
    std::vector<ValueId> made;
    for (const SlotId output : step.outputs) {
        if (!output.isValid()) continue;
        const ValueId value = partition_.slotInfo(output).value;
        if (value.isValid()) made.push_back(value);
    }
    // Views that cost nothing are shown with the step that reads them.
    for (const SlotId input : step.inputs) {
        for (auto view = viewNodes_.begin(); view != viewNodes_.end();) {
            const bool isRead = places_[view->first].front().slot == input;
            if (isRead) step.nodes.insert(step.nodes.end(), view->second.begin(), view->second.end());
            view = isRead ? viewNodes_.erase(view) : std::next(view);
        }
    }
    std::sort(step.nodes.begin(), step.nodes.end());
    step.nodes.erase(std::unique(step.nodes.begin(), step.nodes.end()), step.nodes.end());
    partition_.addStep(std::move(step));
    for (const ValueId value : made) bringOutside(value);
}

void CpuBuilder::addReference(NodeId id) { addWhole(id, "reference", view(id).op().reference); }

void CpuBuilder::addWhole(NodeId id, std::string kernel, std::function<void(KernelContext&)> code) {
    for (const ValueId input : node(id).inputs) {
        if (input.isValid()) takeRowMajor(input);
    }
    addKernelStep(partition_, id, std::move(kernel), std::move(code));
    for (const ValueId output : node(id).outputs) {
        if (output.isValid())
            places_[output] = {Place{partition_.slot(output), rowMajor(dims(output).size())}};
    }
}

void CpuBuilder::turnIsOver(NodeId node) { isOver_[node] = true; }

void CpuBuilder::emitPostponed(NodeId node) {
    if (const auto emit = absorbed_.at(node)) emit(*this);
}

void CpuBuilder::keepBack(ValueId value, Expression expression) {
    constexpr size_t deepest = 64;  // more than one step takes, and making them recurses that deep at most
    const auto depthOf = [&](ValueId input) {
        const Expression* kept = keptBack(input);
        return kept == nullptr ? 0 : kept->depth + 1;
    };
    for (const ValueId input : expression.inputs)
        expression.depth = std::max(expression.depth, depthOf(input));
    if (expression.depth > deepest) {
        for (const ValueId input : expression.inputs) {
            if (keptBack(input) != nullptr) take(input);
        }
        expression.depth = 0;
    }
    keptBack_[value] = std::move(expression);
}

const Expression* CpuBuilder::keptBack(ValueId value) const {
    const auto found = keptBack_.find(value);
    return found == keptBack_.end() || places_.contains(value) ? nullptr : &found->second;
}

void CpuBuilder::finish() {
    for (const NodeId id : partition_.nodes()) {
        for (const ValueId output : node(id).outputs) {
            if (output.isValid() && isNeededOutside(output)) takeRowMajor(output);
        }
    }
}

}  // namespace engine::cpu
