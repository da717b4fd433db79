#include "engine/run/program.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "engine/core/error.h"
#include "engine/run/frame.h"
#include "engine/run/node_limits.h"

namespace engine {
namespace {

/// What is captured is a constant of the graph around.
bool isConstant(const Graph& outer, const Capture& capture) {
    return outer.value(capture.outer).constant.has_value();
}

/// The body with the constants that it captures as constants of its own: kernels lay them out once, as they
/// do with any other.
std::shared_ptr<const Graph> withConstants(const std::shared_ptr<const Graph>& body, const Graph& outer) {
    const auto isCaptured = [&](const Capture& capture) { return isConstant(outer, capture); };
    if (std::none_of(body->captures.begin(), body->captures.end(), isCaptured)) return body;
    auto result = std::make_shared<Graph>(*body);
    for (const Capture& capture : body->captures) {
        if (!isCaptured(capture)) continue;
        result->value(capture.inner).constant = outer.value(capture.outer).constant;
        result->value(capture.inner).type = outer.value(capture.outer).constant->type();
    }
    std::erase_if(result->captures, isCaptured);
    return result;
}

}  // namespace

namespace {

constexpr size_t mostSegmentsKept = 16;
constexpr int64_t largestShapeData = 65536;

bool sameBytes(const Tensor& a, const Tensor& b) {
    if (a.type() != b.type() || a.dims() != b.dims()) return false;
    if (a.type() == DataType::string) {
        return std::equal(a.values<String>().begin(), a.values<String>().end(), b.values<String>().begin());
    }
    const auto* left = static_cast<const char*>(a.data());
    return std::equal(left, left + a.bytes(), static_cast<const char*>(b.data()));
}

/// What a live-in value must be like for a compiled segment to fit.
struct Expectation {
    ValueId value;
    DataType element = DataType::undefined;  ///< undefined: no tensor, anything goes
    Dims dims = {};
    std::optional<Tensor> data = {};  ///< a shape depends on it

    bool isMetBy(const Datum& datum) const {
        if (element == DataType::undefined) return !datum.isTensor();
        if (!datum.isTensor() || datum.tensor().type() != element || datum.tensor().dims() != dims)
            return false;
        return !data || sameBytes(*data, datum.tensor());
    }
};

}  // namespace

/// Values that exist between segments.
struct Program::Live {
    std::vector<ValueId> ids;
    std::vector<Datum> data;

    const Datum* find(ValueId id) const {
        const auto found = std::find(ids.begin(), ids.end(), id);
        return found == ids.end() ? nullptr : &data[static_cast<size_t>(found - ids.begin())];
    }
    void set(ValueId id, Datum datum) {
        const auto found = std::find(ids.begin(), ids.end(), id);
        if (found == ids.end()) {
            ids.push_back(id);
            data.push_back(std::move(datum));
        } else {
            data[static_cast<size_t>(found - ids.begin())] = std::move(datum);
        }
    }
};

/// A segment with the shapes it fits, the frames it runs in, the bodies its steps run, and what comes after
/// it.
struct Program::Compiled {
    std::vector<Expectation> expectations;
    std::shared_ptr<const Segment> segment;
    FramePool frames;
    std::vector<std::vector<std::unique_ptr<Program>>> bodies;  ///< per step
    std::unique_ptr<Stage> next;                                ///< null: the segment is the last

    bool fits(const Live& live) const {
        return std::all_of(expectations.begin(), expectations.end(), [&](const Expectation& expectation) {
            const Datum* datum = live.find(expectation.value);
            return datum != nullptr && expectation.isMetBy(*datum);
        });
    }
};

/// The nodes that are left at one point of a run, and the segments compiled to go on from there.
class Program::Stage {
public:
    Stage(Program& program, std::vector<NodeId> nodes) : program_(program), nodes_(std::move(nodes)) {
        std::vector<char> isNeeded(program.graph_->values.size(), 0);
        for (const NodeId id : nodes_) {
            for (const ValueId input : reads(program.graph_->node(id))) isNeeded[input.index] = 1;
        }
        for (size_t i = 0; i < isNeeded.size(); ++i) {
            if (isNeeded[i]) needed_.emplace_back(i);
        }
    }

    /// The segment for what lives now, compiled if it is not there yet.
    std::shared_ptr<Compiled> lookUp(const Live& live, Observer& observer, bool* hadToCompile = nullptr) {
        const std::lock_guard lock(mutex_);
        for (auto candidate = cache_.begin(); candidate != cache_.end(); ++candidate) {
            if (!(*candidate)->fits(live)) continue;
            if (candidate != cache_.begin()) cache_.splice(cache_.begin(), cache_, candidate);
            return cache_.front();
        }
        if (hadToCompile != nullptr) *hadToCompile = true;
        cache_.push_front(compile(live, observer));
        if (cache_.size() > mostSegmentsKept) cache_.pop_back();
        return cache_.front();
    }

    std::shared_ptr<Compiled> mostRecent() const {
        const std::lock_guard lock(mutex_);
        return cache_.empty() ? nullptr : cache_.front();
    }

private:
    std::shared_ptr<Compiled> compile(const Live& live, Observer& observer) {
        auto compiled = std::make_shared<Compiled>();
        std::vector<ValueId> asked;
        SegmentRequest request{.graph = program_.graph_,
                               .nodes = nodes_,
                               .liveIn = {},
                               .data = [&](ValueId value) -> const Tensor* {
                                   const Datum* datum = live.find(value);
                                   if (datum == nullptr || !datum->isTensor()) return nullptr;
                                   if (datum->tensor().elements() > largestShapeData) return nullptr;
                                   asked.push_back(value);
                                   return &datum->tensor();
                               },
                               .providers = program_.providers_,
                               .options = program_.options_};
        for (size_t i = 0; i < live.ids.size(); ++i) {
            request.liveIn.emplace_back(live.ids[i], typeOf(live, i));
        }
        compiled->segment = compileSegment(request, observer);
        for (const ValueId value : needed_) {
            const Datum* datum = live.find(value);
            if (datum == nullptr) continue;
            checkPresent(value, *datum);
            Expectation expectation{.value = value};
            if (datum->isTensor()) {
                expectation.element = datum->tensor().type();
                expectation.dims = datum->tensor().dims();
                if (std::find(asked.begin(), asked.end(), value) != asked.end())
                    expectation.data = datum->tensor();
            }
            compiled->expectations.push_back(std::move(expectation));
        }
        addBodies(*compiled);
        if (!compiled->segment->deferred.empty()) {
            compiled->next = std::make_unique<Stage>(program_, compiled->segment->deferred);
        }
        return compiled;
    }

    /// Steps read tensors without asking whether they are there.
    void checkPresent(ValueId id, const Datum& datum) const {
        const Value& value = program_.graph_->value(id);
        if (!datum.isEmpty() || !value.type.isTensor()) return;
        fail("value '", value.name, "' is absent, expected ", typeText(value.type));
    }

    /// What lives is of the type it was declared or inferred as; an absent optional has no type of its own.
    Type typeOf(const Live& live, size_t index) const {
        if (!live.data[index].isEmpty()) return live.data[index].type();
        return program_.graph_->value(live.ids[index]).type;
    }

    void addBodies(Compiled& compiled) const {
        compiled.bodies.resize(compiled.segment->steps.size());
        for (size_t i = 0; i < compiled.segment->steps.size(); ++i) {
            const Step& step = compiled.segment->steps[i];
            if (step.nodes.size() != 1) continue;
            for (const auto& [name, body] : subgraphs(program_.graph_->node(step.nodes.front()))) {
                compiled.bodies[i].push_back(std::make_unique<Program>(
                    withConstants(body, *program_.graph_), program_.providers_, program_.options_));
            }
        }
    }

    Program& program_;
    std::vector<NodeId> nodes_;
    std::vector<ValueId> needed_;  ///< what the nodes read
    mutable std::mutex mutex_;
    std::list<std::shared_ptr<Compiled>> cache_;
};

namespace {

/// Seeds that differ wherever `seed` or `number` does.
uint64_t stirred(uint64_t seed, uint64_t number) {
    uint64_t mixed = seed + (number + 1) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
}

/// Runs the steps of one segment in one frame.
class SegmentRun {
public:
    using Bodies = std::vector<std::vector<std::unique_ptr<Program>>>;

    SegmentRun(const Segment& segment, const Bodies& bodies, Frame& frame, const RunScope& scope)
        : segment_(segment), bodies_(bodies), frame_(frame), scope_(scope) {}

    void run() {
        for (size_t i = 0; i < segment_.steps.size(); ++i) {
            scope_.observer.checkpoint();
            if (scope_.recorder != nullptr) scope_.recorder->begin(segment_.infos, i);
            runStep(i);
            if (scope_.recorder != nullptr) scope_.recorder->end();
        }
    }

private:
    void runStep(size_t index) {
        const Step& step = segment_.steps[index];
        NodeLimits limits(scope_.limits, scope_.observer);
        BodyRunner runBody;
        if (!bodies_[index].empty()) {
            runBody = [&](size_t graphIndex, std::vector<Datum> inputs) {
                return this->runBody(index, graphIndex, std::move(inputs), limits.observer());
            };
        }
        StepContext context(
            {.step = &step,
             .frame = &frame_.slots,
             .workspace = step.workspaceBytes > 0 ? frame_.workspace(segment_, index) : nullptr,
             .observer = &limits.observer(),
             .runBody = runBody ? &runBody : nullptr,
             .seed = seedOf(step)});
        try {
            step.code(context);
            limits.checkDone(segment_, step, frame_.slots);
        } catch (Error& error) {
            if (!step.nodes.empty()) error.addContext(describe(*segment_.typed->graph, step.nodes.front()));
            throw;
        } catch (const std::exception& error) {
            const std::string place =
                step.nodes.empty() ? step.kernel : describe(*segment_.typed->graph, step.nodes.front());
            fail(place, ": ", step.kernel, " failed: ", error.what());
        }
    }

    /// Of a random operator: told apart by what the file says of the node, not by where a plan puts it.
    uint64_t seedOf(const Step& step) const {
        if (step.nodes.empty()) return 0;
        const TypedGraph& typed = *segment_.typed;
        const OpDef* op = typed.nodes[step.nodes.front().index].op;
        if (op == nullptr || op->tolerance != Tolerance::random) return 0;
        const Node& node = typed.graph->node(step.nodes.front());
        uint64_t seed = scope_.seed;
        for (const OriginId origin : node.origins) seed = stirred(seed, origin.index);
        const ValueId output = node.outputs.empty() ? ValueId() : node.outputs.front();
        if (!output.isValid()) return seed;
        for (const char letter : typed.graph->value(output).name) {
            seed = stirred(seed, static_cast<unsigned char>(letter));
        }
        return seed;
    }

    std::vector<Datum> runBody(size_t index, size_t graphIndex, std::vector<Datum> inputs,
                               Observer& observer) {
        const Step& step = segment_.steps[index];
        const Node& node = segment_.typed->graph->node(step.nodes.front());
        size_t position = node.inputs.size();
        const auto graphs = subgraphs(node);
        for (size_t i = 0; i < graphIndex; ++i) position += graphs[i].second->captures.size();
        for (const Capture& capture : graphs[graphIndex].second->captures) {
            const SlotId slot = step.inputs[position++];
            if (isConstant(*segment_.typed->graph, capture)) continue;
            inputs.push_back(frame_.slots.slots[slot.index]);
        }
        try {
            const RunScope turn{.observer = observer,
                                .recorder = scope_.recorder,
                                .seed = stirred(scope_.seed, ++bodyRuns_),
                                .limits = scope_.limits};
            return bodies_[index][graphIndex]->run(inputs, turn);
        } catch (Error& error) {
            error.addContext(graphs[graphIndex].first);
            throw;
        }
    }

    const Segment& segment_;
    const Bodies& bodies_;
    Frame& frame_;
    const RunScope& scope_;
    uint64_t bodyRuns_ = 0;
};

}  // namespace

Program::Program(std::shared_ptr<const Graph> graph, std::vector<const Provider*> providers,
                 CompileOptions options)
    : graph_(std::move(graph)), providers_(std::move(providers)), options_(options) {
    first_ = std::make_unique<Stage>(*this, topologicalOrder(*graph_).nodes);
}

Program::~Program() = default;

namespace {

std::vector<ValueId> entryValues(const Graph& graph) {
    std::vector<ValueId> ids = graph.inputs;
    for (const Capture& capture : graph.captures) ids.push_back(capture.inner);
    return ids;
}

}  // namespace

std::vector<Datum> Program::run(std::span<const Datum> inputs, const RunScope& scope) {
    Live live{.ids = entryValues(*graph_), .data = {inputs.begin(), inputs.end()}};
    if (live.ids.size() != inputs.size())
        fail("a graph of ", live.ids.size(), " inputs was given ", inputs.size());
    for (Stage* stage = first_.get(); stage != nullptr;) {
        const std::shared_ptr<Compiled> compiled = stage->lookUp(live, scope.observer);
        const Segment& segment = *compiled->segment;
        checkPlanned(segment, scope.limits);
        std::unique_ptr<Frame> frame = compiled->frames.take(segment);
        std::vector<const Datum*> liveIn;
        for (const BorderValue& border : segment.liveIn) liveIn.push_back(live.find(border.value));
        frame->bind(segment, liveIn);
        SegmentRun(segment, compiled->bodies, *frame, scope).run();
        for (const BorderValue& border : segment.liveOut)
            live.set(border.value, frame->take(segment, border.slot));
        frame->release(segment);
        compiled->frames.giveBack(std::move(frame));
        stage = compiled->next.get();
    }
    std::vector<Datum> outputs;
    for (const ValueId id : graph_->outputs) {
        const Datum* datum = id.isValid() ? live.find(id) : nullptr;
        if (datum != nullptr) {
            outputs.push_back(*datum);
        } else {
            outputs.push_back(id.isValid() && graph_->value(id).constant ? *graph_->value(id).constant
                                                                         : Datum());
        }
    }
    return outputs;
}

bool Program::prepare(std::span<const Datum> inputs, Observer& observer) {
    const Live live{.ids = entryValues(*graph_), .data = {inputs.begin(), inputs.end()}};
    bool hadToCompile = false;
    first_->lookUp(live, observer, &hadToCompile);
    return hadToCompile;
}

Program::Memory Program::memory() const {
    Memory result;
    for (const Stage* stage = first_.get(); stage != nullptr;) {
        const std::shared_ptr<Compiled> compiled = stage->mostRecent();
        if (!compiled) break;
        result.slabBytes += compiled->segment->slabBytes;
        result.lowerBoundBytes = std::max(result.lowerBoundBytes, compiled->segment->lowerBoundBytes);
        for (const PlannedSlot& planned : compiled->segment->slots) {
            // A constant that holds no value of the graph is one that a kernel made of others.
            const Slot& slot = planned.slot;
            const bool isPacked = slot.constant && slot.constant->isTensor() && !slot.value.isValid();
            if (isPacked) result.packedBytes += slot.constant->tensor().bytes();
        }
        stage = compiled->next.get();
    }
    return result;
}

}  // namespace engine
