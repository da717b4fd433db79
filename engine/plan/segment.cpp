#include "engine/plan/segment.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/core/error.h"
#include "engine/plan/describe_steps.h"
#include "engine/plan/segment_selection.h"

namespace engine {
namespace {

/// Collects what the providers make of their partitions, then decides where every slot lives.
class SegmentBuilder {
public:
    SegmentBuilder(const SegmentRequest& request, SegmentSelection selection)
        : request_(request), selection_(std::move(selection)), uses_(*request.graph) {
        segment_.typed = selection_.typed;
        segment_.deferred = selection_.deferred;
        for (const auto& [value, type] : request.liveIn) liveIn_.insert(value);
        for (const NodeId id : selection_.deferred) deferred_.insert(id);
    }

    std::shared_ptr<const Segment> build() {
        const TypedGraph& typed = *selection_.typed;
        std::vector<const Provider*> chosen;
        for (const NodeId id : selection_.run) {
            const Choice choice = chooseFor(NodeView(typed, id));
            if (choice.provider == nullptr) {
                fail(describe(*typed.graph, id), ": no provider can run it: ", refusalText(choice));
            }
            chosen.push_back(choice.provider);
        }
        for (const Partition& part : partition(*typed.graph, selection_.run, chosen)) compile(part);
        addBorder();
        planSlots();
        segment_.infos = std::make_shared<const std::vector<StepInfo>>(describeSteps(segment_, providers_));
        return std::make_shared<const Segment>(std::move(segment_));
    }

private:
    /// Kernels are compiled for dims. Where those of a result are learnt only by running the node, it is for
    /// the last provider, the reference, if that can do it.
    Choice chooseFor(const NodeView& node) const {
        const std::vector<ValueId>& outputs = node.node().outputs;
        const bool isOpen = std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
            return output.isValid() && !selection_.typed->types[output.index].hasStaticShape();
        });
        if (isOpen) {
            Choice choice = choose(node, {request_.providers.back()});
            if (choice.provider != nullptr) return choice;
        }
        return choose(node, request_.providers);
    }

    /// The view of the builder that one provider gets for one partition.
    class Builder final : public PartitionBuilder {
    public:
        Builder(SegmentBuilder& owner, const Partition& partition) : owner_(owner), partition_(partition) {
            for (const NodeId id : partition.nodes) members_.insert(id);
        }
        const TypedGraph& graph() const override { return *owner_.selection_.typed; }
        const std::vector<NodeId>& nodes() const override { return partition_.nodes; }
        SlotId slot(ValueId value) override { return owner_.slotOf(value); }
        SlotId addSlot(Slot slot) override { return owner_.addSlot(std::move(slot)); }
        const Slot& slotInfo(SlotId id) const override { return owner_.segment_.slots[id.index].slot; }
        void addView(SlotId view, SlotId source, NodeId) override { owner_.addView(view, source); }
        void addStep(Step step) override {
            owner_.segment_.steps.push_back(std::move(step));
            owner_.providers_.push_back(partition_.provider->info().name);
        }
        bool isNeededOutside(ValueId value) const override {
            return owner_.uses_.isOutput[value.index] || readersOf(value).areOutside;
        }
        const std::vector<NodeId>& readers(ValueId value) const override { return readersOf(value).inside; }

    private:
        struct Readers {
            std::vector<NodeId> inside = {};
            bool areOutside = false;  ///< some of them
        };

        /// Found once: each of very many nodes may ask who else reads its input.
        const Readers& readersOf(ValueId value) const {
            const auto [found, isNew] = readers_.try_emplace(value);
            if (!isNew) return found->second;
            for (const NodeId id : owner_.uses_.consumers[value.index]) {
                if (members_.contains(id)) {
                    found->second.inside.push_back(id);
                } else if (owner_.isRunOrDeferred(id)) {
                    found->second.areOutside = true;
                }
            }
            return found->second;
        }

        SegmentBuilder& owner_;
        mutable std::unordered_map<ValueId, Readers> readers_;
        const Partition& partition_;
        std::set<NodeId> members_;
    };

    static std::string refusalText(const Choice& choice) {
        std::vector<std::string> parts;
        for (const Refusal& refusal : choice.refusals)
            parts.push_back(refusal.provider + ": " + refusal.reason);
        return join(parts, "; ");
    }

    /// Nodes whose results are known ahead are read by nobody.
    bool isRunOrDeferred(NodeId id) {
        if (runs_.empty()) {
            for (const NodeId run : selection_.run) runs_.insert(run);
            runs_.insert(deferred_.begin(), deferred_.end());
        }
        return runs_.contains(id);
    }

    void compile(const Partition& part) {
        Builder builder(*this, part);
        try {
            part.provider->compile(builder, request_.options);
        } catch (Error&) {
            throw;
        } catch (const std::exception& error) {
            fail("provider ", part.provider->info().name, " could not compile its partition from ",
                 describe(*request_.graph, part.nodes.front()), " on: ", error.what());
        }
    }

    SlotId addSlot(Slot slot) {
        const SlotSource source = slot.constant ? SlotSource::constant : SlotSource::made;
        segment_.slots.push_back({.slot = std::move(slot), .source = source});
        return SlotId(segment_.slots.size() - 1);
    }

    SlotId slotOf(ValueId value) {
        if (const auto found = slotOfValue_.find(value); found != slotOfValue_.end()) return found->second;
        const Type& type = segment_.typed->types[value.index];
        Slot slot{.value = value};
        SlotSource source = SlotSource::made;
        const Known& known = segment_.typed->known[value.index];
        if (const auto& constant = request_.graph->value(value).constant) {
            slot.constant = *constant;
            source = SlotSource::constant;
        } else if (known.data && !liveIn_.contains(value)) {
            slot.constant = *known.data;
            source = SlotSource::constant;
        } else if (liveIn_.contains(value)) {
            source = SlotSource::liveIn;
        }
        if (type.isTensor()) {
            slot.element = type.element;
            if (type.shape) slot.dims = numbers(*type.shape);
        }
        const SlotId id = addSlot(std::move(slot));
        segment_.slots[id.index].source = source;
        if (source == SlotSource::liveIn) segment_.liveIn.push_back({value, id});
        return slotOfValue_[value] = id;
    }

    void addView(SlotId view, SlotId source) {
        PlannedSlot& viewing = segment_.slots[view.index];
        const PlannedSlot& viewed = segment_.slots[source.index];
        viewing.viewed = viewed.source == SlotSource::view ? viewed.viewed : source;
        viewing.source = SlotSource::view;
    }

    /// Values that outlive the segment: graph outputs and what deferred nodes read, if they exist by its end.
    void addBorder() {
        std::set<ValueId> needed;
        for (const ValueId output : request_.graph->outputs) {
            if (output.isValid()) needed.insert(output);
        }
        for (const NodeId id : selection_.deferred) {
            const std::vector<ValueId> inputs = reads(request_.graph->node(id));
            needed.insert(inputs.begin(), inputs.end());
        }
        std::set<ValueId> made(liveIn_);
        for (const NodeId id : selection_.run) {
            for (const ValueId output : request_.graph->node(id).outputs) made.insert(output);
        }
        for (const ValueId value : needed) {
            const bool isKnown = segment_.typed->known[value.index].data.has_value();
            const bool isConstant = request_.graph->value(value).constant.has_value();
            const bool isOutput = uses_.isOutput[value.index] != 0;
            if (isConstant && !isOutput) continue;
            if (!isConstant && !isKnown && !made.contains(value)) continue;
            segment_.liveOut.push_back({value, slotOf(value)});
        }
    }

    bool canLieInSlab(const Slot& slot) const {
        return (slot.dims || slot.bytes > 0) && slot.element != DataType::string &&
               slot.element != DataType::undefined;
    }

    size_t bytesOf(const Slot& slot) const {
        if (slot.bytes > 0) return slot.bytes;
        constexpr size_t most = size_t{1} << 46;  // so that sums of sizes cannot overflow
        const auto elements = static_cast<size_t>(elementCount(*slot.dims));
        if (elements > most / bytesInMemory(slot.element)) {
            fail("a value would be ", slot.element, listText(*slot.dims),
                 ", which is larger than memory can be");
        }
        return elements * bytesInMemory(slot.element);
    }

    SlotId root(SlotId id) const {
        const PlannedSlot& planned = segment_.slots[id.index];
        return planned.source == SlotSource::view ? planned.viewed : id;
    }

    struct Life {
        size_t first = SIZE_MAX;
        size_t last = 0;
    };

    std::vector<Life> lives() const {
        std::vector<Life> result(segment_.slots.size());
        const auto touch = [&](SlotId id, size_t step) {
            if (!id.isValid()) return;
            Life& life = result[root(id).index];
            life.first = std::min(life.first, step);
            life.last = std::max(life.last, step);
        };
        for (size_t i = 0; i < segment_.steps.size(); ++i) {
            for (const SlotId id : segment_.steps[i].inputs) touch(id, i);
            for (const SlotId id : segment_.steps[i].outputs) touch(id, i);
        }
        return result;
    }

    /// Its tensor outlives the step that makes it, whatever happens to the slab.
    void keepOutOfSlab(SlotId id) {
        PlannedSlot& planned = segment_.slots[root(id).index];
        if (planned.source != SlotSource::made || !planned.slot.dims) return;
        const bool isDense = planned.slot.bytes == 0;  // in another order perhaps, but without padding
        if (isDense) planned.source = SlotSource::fresh;
    }

    /// A step that makes a sequence, an optional or a tensor of unforeseen dims may pass its inputs on in it.
    bool mayKeepInputs(const Step& step) const {
        return std::any_of(step.outputs.begin(), step.outputs.end(), [&](SlotId id) {
            return id.isValid() && !canLieInSlab(segment_.slots[id.index].slot);
        });
    }

    void planSlots() {
        for (const BorderValue& border : segment_.liveOut) keepOutOfSlab(border.slot);
        for (const Step& step : segment_.steps) {
            if (!mayKeepInputs(step)) continue;
            for (const SlotId id : step.inputs) {
                if (id.isValid()) keepOutOfSlab(id);
            }
        }
        for (PlannedSlot& planned : segment_.slots) {
            if (planned.source != SlotSource::made) continue;
            if (canLieInSlab(planned.slot)) planned.source = SlotSource::slab;
        }
        const std::vector<Life> life = lives();
        std::vector<BufferLife> buffers;
        std::vector<size_t> bufferOfSlot(segment_.slots.size(), SIZE_MAX);
        for (size_t i = 0; i < segment_.slots.size(); ++i) {
            if (segment_.slots[i].source != SlotSource::slab || life[i].first == SIZE_MAX) continue;
            bufferOfSlot[i] = buffers.size();
            buffers.push_back({bytesOf(segment_.slots[i].slot), life[i].first, life[i].last});
        }
        shareInPlace(life, buffers, bufferOfSlot);
        const size_t workspaces = buffers.size();
        for (size_t i = 0; i < segment_.steps.size(); ++i)
            buffers.push_back({segment_.steps[i].workspaceBytes, i, i});
        const MemoryPlan plan = planMemory(buffers);
        for (size_t i = 0; i < segment_.slots.size(); ++i) {
            if (bufferOfSlot[i] != SIZE_MAX) segment_.slots[i].offset = plan.offsets[bufferOfSlot[i]];
        }
        segment_.workspaceOffsets.assign(plan.offsets.begin() + static_cast<ptrdiff_t>(workspaces),
                                         plan.offsets.end());
        segment_.slabBytes = plan.slabBytes;
        segment_.lowerBoundBytes = plan.lowerBoundBytes;
    }

    /// Lets outputs take the buffers of inputs that end there, where a step allows it.
    void shareInPlace(const std::vector<Life>& life, std::vector<BufferLife>& buffers,
                      std::vector<size_t>& bufferOfSlot) const {
        std::vector<size_t> last(buffers.size());
        for (size_t i = 0; i < buffers.size(); ++i) last[i] = buffers[i].last;
        for (size_t i = 0; i < segment_.steps.size(); ++i) {
            const Step& step = segment_.steps[i];
            std::set<SlotId> taken;
            for (const auto& [output, input] : step.inPlace) {
                if (!step.outputs[output].isValid() || !step.inputs[input].isValid()) continue;
                const SlotId to = root(step.outputs[output]);
                const SlotId from = root(step.inputs[input]);
                const size_t toBuffer = bufferOfSlot[to.index];
                const size_t fromBuffer = bufferOfSlot[from.index];
                if (toBuffer == SIZE_MAX || fromBuffer == SIZE_MAX || toBuffer == fromBuffer) continue;
                if (life[to.index].first != i || buffers[fromBuffer].last != i || life[from.index].last != i)
                    continue;
                if (buffers[toBuffer].bytes > buffers[fromBuffer].bytes || taken.contains(from) ||
                    taken.contains(to))
                    continue;
                buffers[fromBuffer].last = std::max(buffers[fromBuffer].last, buffers[toBuffer].last);
                buffers[toBuffer].bytes = 0;
                bufferOfSlot[to.index] = fromBuffer;
                taken.insert(from);
                taken.insert(to);
            }
        }
    }

    const SegmentRequest& request_;
    SegmentSelection selection_;
    Uses uses_;
    Segment segment_;
    std::vector<std::string> providers_;  ///< per step
    std::map<ValueId, SlotId> slotOfValue_;
    std::set<ValueId> liveIn_;
    std::set<NodeId> deferred_;
    std::set<NodeId> runs_;
};

}  // namespace

std::shared_ptr<const Segment> compileSegment(const SegmentRequest& request, Observer& observer) {
    return SegmentBuilder(request, selectSegment(request, observer)).build();
}

}  // namespace engine
