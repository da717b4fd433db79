#pragma once

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/observer.h"
#include "engine/ops/infer_context.h"

namespace engine {

/// Runs a body graph of a node: `graphIndex` counts the node's subgraphs() in order; captured values are
/// supplied by the runner. Returns the body's outputs.
using BodyRunner = std::function<std::vector<Datum>(size_t graphIndex, std::vector<Datum> inputs)>;

/// What a kernel sees of one execution of a node.
class KernelContext {
public:
    struct Source {
        const Node* node = nullptr;
        const ResolvedNode* resolved = nullptr;
        std::span<const Datum* const> inputs;  ///< null: omitted
        std::span<Datum> outputs;              ///< one per node output; may hold a tensor to be written into
        std::span<const DataType> outputElements;  ///< as inferred; undefined where not a tensor
        const BodyRunner* runBody = nullptr;
        Observer* observer = nullptr;
        uint64_t seed = 0;  ///< for random operators; differs by node and by run
    };
    explicit KernelContext(Source source) : source_(source) {}

    const Node& node() const { return *source_.node; }
    template <class A>
    const A& attributes() const {
        return *static_cast<const A*>(source_.resolved->attributes.get());
    }

    size_t inputCount() const { return source_.inputs.size(); }
    bool hasInput(size_t index) const {
        return index < inputCount() && source_.inputs[index] != nullptr && !source_.inputs[index]->isEmpty();
    }
    /// Throws Error if the input is omitted or no tensor.
    const Tensor& input(size_t index) const;
    /// Any kind of datum; an omitted input is an empty one.
    const Datum& inputDatum(size_t index) const;

    size_t outputCount() const { return source_.outputs.size(); }
    bool hasOutput(size_t index) const;
    /// As inferred; undefined if that failed, or if the output is no tensor.
    DataType outputElement(size_t index) const;
    /// Output `index` as a tensor of these dims, of the inferred element type or of `element`: the buffer
    /// that the plan set aside if it fits, else a new one. Contents are unset. An output that the node does
    /// not have gets a scratch.
    Tensor& output(size_t index, const Dims& dims);
    Tensor& output(size_t index, DataType element, const Dims& dims);
    void setOutput(size_t index, Datum datum);

    std::vector<Datum> runBody(size_t graphIndex, std::vector<Datum> inputs) const;

    /// Throws Cancelled if the run is no longer wanted or out of time: once per outer loop turn of long
    /// kernels.
    void checkpoint() const {
        if (source_.observer != nullptr) source_.observer->checkpoint();
    }
    uint64_t seed() const { return source_.seed; }

private:
    Source source_;
    std::deque<Datum> scratch_;  // references into it stay valid while it grows
};

/// Runs a node's reference kernel on the heap: how constants are folded and how tests call a kernel.
std::vector<Datum> evaluate(const Node& node, const ResolvedNode& resolved,
                            std::span<const Datum* const> inputs, std::span<const DataType> outputElements,
                            Observer& observer);

}  // namespace engine
