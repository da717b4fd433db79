#pragma once

#include "engine/core/registry.h"
#include "engine/providers/provider.h"

namespace engine::cpu {

class CpuBuilder;

/// A tuned kernel for one operator. `accepts` is asked while placing, when dims may still be symbols;
/// `prepare` when they are numbers. One .cpp per family registers its kernels; no header.
struct CpuKernel {
    const char* name;    ///< the operator
    const char* domain;  ///< "" for ai.onnx
    Support (*accepts)(const NodeView& node);
    /// Adds the steps for the node, and for nodes after it that it absorbs. Null for operators that a chain
    /// of element-wise operators takes up when its result is asked for.
    void (*prepare)(CpuBuilder& builder, const NodeView& node);

    bool operator<(const CpuKernel& other) const;
};

/// Several nodes done as one. Tried at each node, in order of `name`, before its kernel.
struct CpuPattern {
    const char* name;
    /// If `first` begins the pattern: adds its step (or postpones it), absorbs its nodes and returns true.
    bool (*match)(CpuBuilder& builder, const NodeView& first);

    bool operator<(const CpuPattern& other) const;
};

/// The kernel for that operator, or null.
const CpuKernel* findKernel(const std::string& domain, const std::string& name);

/// Whether the input's elements will be numbers when the node is compiled: constant, or shape arithmetic.
bool isKnownAhead(const NodeView& node, size_t index);

/// Yes if input and output 0 are tensors of one of these types, else no with a reason.
Support acceptTypes(const NodeView& node, std::initializer_list<DataType> types);
/// Yes if all inputs and outputs that are there hold float32.
Support acceptFloat(const NodeView& node);

/// Yes unless input 0 holds strings or input 1, its indices, other integers than of 32 and 64 bits.
Support acceptIndices(const NodeView& node);

}  // namespace engine::cpu
