#include "engine/plan/segment_selection.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace engine {
namespace {

class Selector {
public:
    Selector(const SegmentRequest& request, Observer& observer)
        : request_(request),
          observer_(observer),
          inference_(request.graph, optionsFor(request)),
          isLate_(request.graph->values.size(), 0),
          isMadeHere_(request.graph->values.size(), 0) {
        inference_.runtimeData = request.data;
    }

    SegmentSelection run() {
        for (const NodeId id : request_.nodes) {
            observer_.checkpoint();
            try {
                consider(id);
            } catch (Error& error) {
                error.addContext(describe(*request_.graph, id));
                throw;
            }
        }
        selection_.typed = std::make_shared<const TypedGraph>(std::move(inference_.result()));
        return std::move(selection_);
    }

private:
    static InferOptions optionsFor(const SegmentRequest& request) {
        InferOptions options{.bindings = {}, .types = {}, .known = {}, .trustDeclared = false};
        for (const auto& [value, type] : request.liveIn) options.types[value] = type;
        return options;
    }

    void consider(NodeId id) {
        const Node& node = request_.graph->node(id);
        const std::vector<ValueId> inputs = reads(node);
        if (std::any_of(inputs.begin(), inputs.end(),
                        [&](ValueId input) { return isLate_[input.index] != 0; })) {
            return defer(id);
        }
        const Inference::Outcome outcome = inference_.inferNode(id, observer_);
        if (!outcome.problem.empty()) fail(outcome.problem);
        if (outcome.isKnown) return;
        const bool isStatic = std::all_of(node.outputs.begin(), node.outputs.end(), [&](ValueId output) {
            return !output.isValid() || inference_.result().types[output.index].hasStaticShape();
        });
        const bool canWait =
            std::any_of(outcome.missingData.begin(), outcome.missingData.end(),
                        [&](size_t input) { return isMadeHere_[node.inputs[input].index] != 0; });
        if (!isStatic && canWait) return defer(id);
        for (const ValueId output : node.outputs) {
            if (output.isValid()) checkSize(output);
        }
        selection_.run.push_back(id);
        for (const ValueId output : node.outputs) {
            if (!output.isValid()) continue;
            isMadeHere_[output.index] = 1;
            const Type& type = inference_.result().types[output.index];
            isLate_[output.index] = type.isTensor() && !type.hasStaticShape() ? 1 : 0;
            if (type.kind == Type::Kind::unknown) isLate_[output.index] = 1;
        }
    }

    /// Before a kernel is compiled for a size that there is no memory for.
    void checkSize(ValueId id) {
        const Type& type = inference_.result().types[id.index];
        if (!type.isTensor() || !type.hasStaticShape() || type.element == DataType::undefined) return;
        try {
            const auto elements = static_cast<size_t>(elementCount(*numbers(*type.shape)));
            const size_t each = bytesInMemory(type.element);
            if (elements > static_cast<size_t>(INT64_MAX) / each)
                fail(typeText(type), " is larger than memory can be");
            if (elements * each > memoryLeft_) {
                fail(typeText(type), " needs ", elements * each, " bytes, more than the ", memoryLeft_,
                     " bytes that the memory limit leaves (limit-memory)");
            }
        } catch (Error& error) {
            error.addContext("output '" + request_.graph->value(id).name + "'");
            throw;
        }
    }

    void defer(NodeId id) {
        selection_.deferred.push_back(id);
        for (const ValueId output : request_.graph->node(id).outputs) {
            if (output.isValid()) isLate_[output.index] = 1;
        }
    }

    const SegmentRequest& request_;
    Observer& observer_;
    Inference inference_;
    size_t memoryLeft_ = memoryLeft();
    std::vector<char> isLate_;      ///< per value: its type is known only after this segment
    std::vector<char> isMadeHere_;  ///< per value: a step of this segment makes it
    SegmentSelection selection_;
};

}  // namespace

SegmentSelection selectSegment(const SegmentRequest& request, Observer& observer) {
    return Selector(request, observer).run();
}

}  // namespace engine
