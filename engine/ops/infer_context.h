#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/ops/op.h"

namespace engine {

/// What is known of a value before any run: all of it, or (integers of rank 0 or 1) its elements as
/// expressions.
struct Known {
    std::optional<Tensor> data = {};
    std::optional<std::vector<Dim>> elements = {};

    bool isNothing() const { return !data && !elements; }
};

/// A node with its operator looked up and its attributes parsed.
struct ResolvedNode {
    const OpDef* op = nullptr;  ///< null: unknown operator
    ParsedAttributes attributes = {};
    std::string problem = {};  ///< why there is no op, or why inference failed
};

/// What OpDef::infer sees of a node, and where it puts the output types.
class InferContext {
public:
    /// How the inference engine answers an operator's questions; see engine/ops/inference.h.
    struct Source {
        const Node* node = nullptr;
        const ResolvedNode* resolved = nullptr;
        std::span<const Type* const> inputTypes;  ///< null: omitted
        std::function<const Known&(size_t input)> known;
        std::function<std::vector<Type>(const Graph& body, std::span<const Type> inputs,
                                        std::span<const Known> known)>
            inferBody;
    };
    explicit InferContext(Source source);

    const Node& node() const { return *source_.node; }
    template <class A>
    const A& attributes() const {
        return *static_cast<const A*>(source_.resolved->attributes.get());
    }

    size_t inputCount() const { return source_.inputTypes.size(); }
    bool hasInput(size_t index) const { return index < inputCount() && source_.inputTypes[index] != nullptr; }
    /// Throws Error if the input is omitted.
    const Type& inputType(size_t index) const;
    DataType inputElement(size_t index) const { return inputType(index).element; }
    /// Null if the rank is unknown.
    const Shape* inputShape(size_t index) const;
    std::optional<int64_t> inputRank(size_t index) const;
    /// Throws Error unless the rank is unknown or `rank`.
    void checkRank(size_t index, int64_t rank, const char* what) const;

    /// The input's value where it is known before the run, else null. Asking makes the answer part of what a
    /// plan is compiled for, so ask only for what decides shapes.
    const Tensor* inputData(size_t index) const;
    /// Elements of an integer input of rank 0 or 1, as expressions, where known.
    std::optional<std::vector<Dim>> inputElements(size_t index) const;

    size_t outputCount() const { return node().outputs.size(); }
    /// Sets the type of output `index`; does nothing if the node has no such output.
    void setOutput(size_t index, Type type);
    void setOutput(size_t index, DataType element, Shape shape) {
        setOutput(index, Type::tensor(element, std::move(shape)));
    }
    /// Element type known, rank unknown.
    void setOutput(size_t index, DataType element) { setOutput(index, Type::tensor(element)); }
    /// For shape arithmetic: the output's elements as expressions (rank 0 or 1 by its type).
    void setOutputElements(size_t index, std::vector<Dim> elements);

    /// Infers a body graph of the node with these types for its inputs, and gives the types of its outputs.
    std::vector<Type> inferBody(const Graph& body, std::span<const Type> inputs,
                                std::span<const Known> known = {}) const;

    const std::vector<Type>& outputTypes() const { return outputTypes_; }
    const std::vector<std::optional<std::vector<Dim>>>& outputElements() const { return outputElements_; }

private:
    Source source_;
    std::vector<Type> outputTypes_;
    std::vector<std::optional<std::vector<Dim>>> outputElements_;
};

/// Output 0 has the type and shape of input 0.
void inferSameAsInput(InferContext& context);

/// The shape that ONNX's (numpy's) multidirectional broadcasting gives; throws Error if two dims can never
/// agree.
Shape broadcast(const Shape& left, const Shape& right);

/// Output 0: element type of input 0, shape by broadcasting all inputs. Element type must agree among inputs.
void inferBroadcast(InferContext& context);

/// What OpDef::work sees: the types (dims may be expressions) of a node whose inference succeeded.
class WorkContext {
public:
    WorkContext(const ResolvedNode& resolved, std::vector<const Type*> inputs,
                std::vector<const Type*> outputs)
        : resolved_(resolved), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

    template <class A>
    const A& attributes() const {
        return *static_cast<const A*>(resolved_.attributes.get());
    }
    size_t inputCount() const { return inputs_.size(); }
    bool hasInput(size_t index) const { return index < inputs_.size() && inputs_[index] != nullptr; }
    const Type& inputType(size_t index) const { return *inputs_[index]; }  ///< only if hasInput(index)
    /// A dim of an input; unknown if the rank is unknown. Negative `axis` counts from the back.
    Dim inputDim(size_t index, int64_t axis) const;
    Dim outputDim(size_t index, int64_t axis) const;
    /// Unknown if the rank or any dim is.
    Dim inputElements(size_t index) const;
    Dim outputElements(size_t index) const;
    std::optional<int64_t> inputRank(size_t index) const;

private:
    const ResolvedNode& resolved_;
    std::vector<const Type*> inputs_;
    std::vector<const Type*> outputs_;
};

Work noWork(const WorkContext& context);            ///< moves data only
Work onePerOutput(const WorkContext& context);      ///< one FLOP per output element
Work onePerInput(const WorkContext& context);       ///< one FLOP per element of input 0
Work specialPerOutput(const WorkContext& context);  ///< one special function per output element

}  // namespace engine
