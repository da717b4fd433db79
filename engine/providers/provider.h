#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/provider_info.h"
#include "engine/core/registry.h"
#include "engine/core/text.h"
#include "engine/ops/inference.h"
#include "engine/ops/kernel_context.h"

namespace engine {

/// A node with all that is known of it, as a provider sees it when it is asked whether it takes the node, and
/// when it compiles it. While placing, dims may be expressions or unknown; while compiling, tensors that are
/// not made by a data-dependent node have numbers.
class NodeView {
public:
    NodeView(const TypedGraph& graph, NodeId id) : graph_(graph), id_(id) {}

    NodeId id() const { return id_; }
    const TypedGraph& graph() const { return graph_; }
    const Node& node() const { return graph_.graph->node(id_); }
    const OpDef& op() const { return *graph_.nodes[id_.index].op; }
    bool isKnownOperator() const { return graph_.nodes[id_.index].op != nullptr; }
    const ResolvedNode& resolved() const { return graph_.nodes[id_.index]; }
    /// A is the struct that the operator's own file parses into; share it through engine/ops/attributes.h.
    template <class A>
    const A& attributes() const {
        return *static_cast<const A*>(resolved().attributes.get());
    }
    AttributeReader read() const { return AttributeReader(node()); }

    size_t inputCount() const { return node().inputs.size(); }
    bool hasInput(size_t index) const { return index < inputCount() && node().inputs[index].isValid(); }
    /// The unknown type if the input is omitted; likewise for outputs.
    const Type& inputType(size_t index) const;
    DataType inputElement(size_t index) const { return inputType(index).element; }
    /// Nothing if the input is omitted, no tensor, or has a dim that is no number.
    std::optional<Dims> inputDims(size_t index) const;
    std::optional<int64_t> inputRank(size_t index) const;
    /// The input's value where it is an initializer or was folded, else null.
    const Tensor* constant(size_t index) const;

    size_t outputCount() const { return node().outputs.size(); }
    bool hasOutput(size_t index) const { return index < outputCount() && node().outputs[index].isValid(); }
    const Type& outputType(size_t index) const;
    std::optional<Dims> outputDims(size_t index) const;

private:
    const TypedGraph& graph_;
    NodeId id_;
};

/// Whether a provider takes a node: yes with a preference (higher wins), or no with a reason the user can
/// read.
struct Support {
    bool isYes = false;
    int preference = 0;
    std::string reason = {};

    static Support yes(int preference = 10) { return {.isYes = true, .preference = preference}; }
    template <class... Parts>
    static Support no(const Parts&... parts) {
        return {.reason = text(parts...)};
    }
};

/// What numbers a compiled partition computes in.
enum class Precision : uint8_t { float32, bfloat16, int8 };

struct CompileOptions {
    int threads = 1;
    Precision precision = Precision::float32;
    bool measureCandidates = true;  ///< time the kernels that fit and keep the fastest
};

/// A place for a value while a plan runs: a tensor buffer in one layout, or any other datum.
using SlotId = Id<struct SlotTag>;
struct Slot {
    ValueId value = {};  ///< the graph value it holds, if any
    DataType element = DataType::undefined;
    std::optional<Dims> dims = {};  ///< logical dims; nothing: known only at run time, or no tensor
    size_t bytes = 0;               ///< physical size; 0: elements times element size
    std::string layout = {};        ///< "" for row-major; else how it is laid out, e.g. "nhwc"
    std::optional<Datum> constant = {};
};

class StepContext;
using StepCode = std::function<void(StepContext&)>;

/// Prepared code on one provider, with the nodes it stands for and what it reads and writes.
struct Step {
    std::string kernel = {};           ///< "onednn conv jit:avx512_core nhwc +relu", "reference NonZero"
    std::vector<NodeId> nodes = {};    ///< empty for a copy or reorder
    std::vector<SlotId> inputs = {};   ///< invalid: omitted
    std::vector<SlotId> outputs = {};  ///< invalid: omitted
    StepCode code = {};                ///< thread-safe: several runs may call it at once
    size_t workspaceBytes = 0;         ///< scratch in the slab, uninitialised, 64-byte aligned
    /// (output, input): the output may take the input's buffer if nobody needs the input afterwards.
    std::vector<std::pair<size_t, size_t>> inPlace = {};
    std::string note = {};  ///< for people: candidates and their times, why this kernel
};

/// What a step's code sees of one run.
class StepContext {
public:
    struct Frame {
        std::vector<Datum> slots;
        std::vector<void*> pointers;  ///< of tensors that exist, else null
    };
    struct Source {
        const Step* step = nullptr;
        Frame* frame = nullptr;
        void* workspace = nullptr;
        Observer* observer = nullptr;
        const BodyRunner* runBody = nullptr;
        uint64_t seed = 0;
    };
    explicit StepContext(const Source& source) : source_(source) {}

    template <class T>
    const T* input(size_t index) const {
        return static_cast<const T*>(source_.frame->pointers[source_.step->inputs[index].index]);
    }
    template <class T>
    T* output(size_t index) const {
        return static_cast<T*>(source_.frame->pointers[source_.step->outputs[index].index]);
    }
    bool hasInput(size_t index) const {
        return index < source_.step->inputs.size() && source_.step->inputs[index].isValid();
    }
    bool hasOutput(size_t index) const {
        return index < source_.step->outputs.size() && source_.step->outputs[index].isValid();
    }
    const Datum& inputDatum(size_t index) const {
        return source_.frame->slots[source_.step->inputs[index].index];
    }
    Datum& outputDatum(size_t index) const {
        return source_.frame->slots[source_.step->outputs[index].index];
    }
    /// For outputs whose dims are known only now: puts the datum in place.
    void setOutput(size_t index, Datum datum) const;
    void* workspace() const { return source_.workspace; }
    Observer& observer() const { return *source_.observer; }
    const BodyRunner* bodyRunner() const { return source_.runBody; }
    uint64_t seed() const { return source_.seed; }

private:
    Source source_;
};

/// The nodes that one provider compiles together, and where it puts what it makes of them.
class PartitionBuilder {
public:
    virtual ~PartitionBuilder() = default;
    virtual const TypedGraph& graph() const = 0;
    virtual const std::vector<NodeId>& nodes() const = 0;  ///< in order
    /// The row-major slot of a value, made at first asking; a constant's slot holds it.
    virtual SlotId slot(ValueId value) = 0;
    /// Another slot, e.g. for a value in a layout of the provider's own.
    virtual SlotId addSlot(Slot slot) = 0;
    virtual const Slot& slotInfo(SlotId id) const = 0;
    /// `view` is the same memory as `source` (same bytes, other dims): nothing is run. Only for row-major
    /// slots.
    virtual void addView(SlotId view, SlotId source, NodeId node) = 0;
    virtual void addStep(Step step) = 0;
    /// Whether slot(value) must hold the value at the end: a graph output, or read outside of the partition.
    virtual bool isNeededOutside(ValueId value) const = 0;
    /// The partition's nodes that read the value, in order.
    virtual const std::vector<NodeId>& readers(ValueId value) const = 0;
};

/// A device, or a way to run on one. Rule for growth: a new virtual must have two providers that need it.
class Provider {
public:
    virtual ~Provider() = default;
    virtual ProviderInfo info() const = 0;
    virtual Support supports(const NodeView& node) const = 0;
    /// Whether it has code of its own for the operator in some form; of a given node supports() tells.
    virtual bool hasKernel(const std::string& domain, const std::string& operatorType) const = 0;
    /// Adds steps for all nodes of the partition. Called with every tensor's dims known, save outputs of
    /// data-dependent nodes and values that are no tensors.
    virtual void compile(PartitionBuilder& partition, const CompileOptions& options) const = 0;
};

/// How a provider makes itself known; `make` is called once, at first use.
struct ProviderEntry {
    const char* name;
    std::unique_ptr<Provider> (*make)();

    bool operator<(const ProviderEntry& other) const;
};

/// The provider of that name; throws Error listing those there are.
const Provider& provider(const std::string& name);
std::vector<std::string> providerNames();

/// A step that runs `code` for the node on whole data: its reference kernel, or another one like it.
void addKernelStep(PartitionBuilder& partition, NodeId node, std::string kernel,
                   std::function<void(KernelContext&)> code);

}  // namespace engine
