#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/id.h"

namespace engine::cpu {

/// What an element-wise operator computes of its operands x (and y, z) and parameters p, q.
enum class Function : uint8_t {
    copy,
    affine,  ///< p x + q
    relu,
    clip,         ///< into [p, q]
    leakyRelu,    ///< p x below 0
    elu,          ///< p (e^x - 1) below 0
    selu,         ///< q (p (e^x - 1)) below 0, q x above
    celu,         ///< p (e^(x/p) - 1) below 0
    thresholded,  ///< x above p, else 0
    sigmoid,
    tanh,
    hardSigmoid,  ///< p x + q into [0, 1]
    hardSwish,    ///< x hardSigmoid(x)
    swish,        ///< x sigmoid(p x)
    gelu,         ///< with erf
    geluTanh,
    softplus,
    softsign,
    mish,
    erf,
    exp,
    log,
    sqrt,
    reciprocal,  ///< p / x
    square,
    cube,
    abs,
    neg,
    sign,
    floor,
    ceil,
    round,  ///< half to even
    sin,
    cos,
    logicalNot,
    isNan,
    // Of two operands.
    add,
    subtract,
    multiply,
    divide,
    maximum,
    minimum,
    power,
    prelu,
    equal,
    less,
    lessOrEqual,
    logicalAnd,
    logicalOr,
    logicalXor,
    // Of three.
    where,       ///< x != 0 ? y : z
    scaleShift,  ///< x y + z
};

/// A function of one operand with its parameters.
struct Unary {
    Function function = Function::copy;
    float p = 0;
    float q = 0;
};

/// An element-wise node (or several that amount to one), not yet run.
struct Expression {
    Function function = Function::copy;
    float p = 0;
    float q = 0;
    std::vector<ValueId> inputs = {};
    std::vector<NodeId> nodes = {};
    size_t depth = 0;  ///< how many expressions stand one behind the other in it; set by keepBack()
};

/// "relu", "hard swish": for kernel names.
const char* name(Function function);

class CpuBuilder;

/// The node as a function of `operand` alone (its other operands are single numbers), or nothing.
std::optional<Unary> unaryOf(const CpuBuilder& builder, NodeId node, ValueId operand);

/// A function of `operand` alone that the nodes reading it compute: one node, or several that nobody else
/// needs anything of (x * sigmoid(x), the five nodes of a GELU).
struct UnaryMatch {
    Unary unary;
    ValueId result;
    std::vector<NodeId> nodes;
};
std::optional<UnaryMatch> matchUnary(const CpuBuilder& builder, ValueId operand);

}  // namespace engine::cpu
