#include <algorithm>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/function.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/whole.h"

namespace engine::cpu {
namespace {

/// Operators of two or more operands.
struct Row {
    const char* operatorType;
    Function function;
    bool isSwapped = false;  ///< Greater is Less the other way round
};
constexpr Row rows[] = {
    {"Add", Function::add},
    {"Sub", Function::subtract},
    {"Mul", Function::multiply},
    {"Div", Function::divide},
    {"Pow", Function::power},
    {"PRelu", Function::prelu},
    {"Equal", Function::equal},
    {"Less", Function::less},
    {"LessOrEqual", Function::lessOrEqual},
    {"Greater", Function::less, true},
    {"GreaterOrEqual", Function::lessOrEqual, true},
    {"And", Function::logicalAnd},
    {"Or", Function::logicalOr},
    {"Xor", Function::logicalXor},
    {"Max", Function::maximum},
    {"Min", Function::minimum},
    {"Sum", Function::add},
    {"Where", Function::where},
    {"Not", Function::logicalNot},
    {"IsNaN", Function::isNan},
    {"Clip", Function::clip},
};

bool isLogical(const std::string& type) {
    return type == "And" || type == "Or" || type == "Xor" || type == "Not";
}

bool isNumberOrTruth(DataType type) { return type == DataType::float32 || type == DataType::boolean; }

Support accepts(const NodeView& node) {
    if (acceptsWhole(node).isYes) return Support::yes();
    const std::string& type = node.node().operatorType;
    for (size_t index = 0; index < node.inputCount(); ++index) {
        if (!node.hasInput(index)) continue;
        const bool isTruth = node.inputElement(index) == DataType::boolean;
        const bool mayBeTruth = isLogical(type) || type == "Equal" || type == "Where";
        if (isTruth != isLogical(type) && !(isTruth && mayBeTruth)) {
            return Support::no("input ", index, " is ", node.inputElement(index), ", not what ", type,
                               " takes");
        }
        if (!isNumberOrTruth(node.inputElement(index))) {
            return Support::no("input ", index, " is ", node.inputElement(index),
                               ", the vector kernels take float32 (and bool for conditions)");
        }
    }
    if (!isNumberOrTruth(node.outputType(0).element)) {
        return Support::no("output is ", node.outputType(0).element, ", the vector kernels give float32");
    }
    return Support::yes();
}

/// Whether a chain is being made that the node can be part of: truths may come from comparisons of floats.
bool readsKeptBack(const CpuBuilder& builder, const NodeView& node) {
    const auto& inputs = node.node().inputs;
    return isLogical(node.node().operatorType) &&
           std::any_of(inputs.begin(), inputs.end(),
                       [&](ValueId input) { return builder.keptBack(input) != nullptr; });
}

/// Clip with bounds that are known only at run time, or NaN: max, then min.
Expression clipBetween(const NodeView& node) {
    Expression expression{.function = Function::clip, .nodes = {node.id()}};
    for (size_t index = 0; index < node.inputCount(); ++index) {
        expression.inputs.push_back(node.node().inputs[index]);
    }
    return expression;
}

/// Whether every input can be walked beside the output; the bounds of Clip are single numbers.
bool allBroadcast(const CpuBuilder& builder, const NodeView& node) {
    const Dims& dims = builder.dims(node.node().outputs[0]);
    for (size_t index = 0; index < node.inputCount(); ++index) {
        if (!node.hasInput(index)) continue;
        const Dims& own = builder.dims(node.node().inputs[index]);
        if (own.size() > dims.size()) return false;
        for (size_t axis = 0; axis < own.size(); ++axis) {
            if (own[axis] != 1 && own[axis] != dims[axis + dims.size() - own.size()]) return false;
        }
        if (index > 0 && node.node().operatorType == "Clip" && elementCount(own) != 1) return false;
    }
    return true;
}

/// Leaves the last of many operands beside what the ones before come to: a chain has room for so many only.
void foldFirst(CpuBuilder& builder, ValueId output, Expression& expression) {
    constexpr size_t most = 16;
    const std::vector<ValueId> operands = std::move(expression.inputs);
    expression.inputs.clear();
    for (const ValueId operand : operands) {
        if (expression.inputs.size() == most) {
            const ValueId partial = builder.addValue(builder.element(output), builder.dims(output));
            builder.keepBack(partial, expression);
            expression.inputs = {partial};
        }
        expression.inputs.push_back(operand);
    }
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const std::string& type = node.node().operatorType;
    const ValueId output = node.node().outputs[0];
    if (!allBroadcast(builder, node)) return builder.addReference(node.id());
    if (acceptsWhole(node).isYes && !readsKeptBack(builder, node)) return addWholeStep(builder, node);
    const ValueId operand = node.node().inputs[0];
    for (const ValueId input : node.node().inputs) {
        if (!input.isValid()) continue;
        const auto unary = unaryOf(builder, node.id(), input);
        if (!unary) continue;
        return builder.keepBack(output, {unary->function, unary->p, unary->q, {input}, {node.id()}});
    }
    if (type == "Clip") return builder.keepBack(output, clipBetween(node));
    for (const Row& row : rows) {
        if (type != row.operatorType) continue;
        Expression expression{.function = row.function, .inputs = node.node().inputs, .nodes = {node.id()}};
        if (row.isSwapped) std::swap(expression.inputs[0], expression.inputs[1]);
        foldFirst(builder, output, expression);
        if (expression.inputs.size() == 1 && (type == "Max" || type == "Min" || type == "Sum")) {
            expression = {.function = Function::copy, .inputs = {operand}, .nodes = {node.id()}};
        }
        return builder.keepBack(output, std::move(expression));
    }
    fail("element-wise operator ", type, " has no vector form");
}

/// x * sigmoid(x) and the like become one function before the chain is made.
bool matchFunction(CpuBuilder& builder, const NodeView& first) {
    for (const ValueId input : first.node().inputs) {
        if (!input.isValid() || builder.element(input) != DataType::float32 ||
            builder.constant(input) != nullptr) {
            continue;
        }
        const auto match = matchUnary(builder, input);
        if (!match || match->nodes.size() < 2 || match->nodes.front() != first.id()) continue;
        builder.keepBack(match->result,
                         {match->unary.function, match->unary.p, match->unary.q, {input}, match->nodes});
        for (const NodeId id : match->nodes) builder.absorb(id);
        return true;
    }
    return false;
}

const CpuPattern functionOfSeveral{"function of several nodes", matchFunction};
const Register<CpuPattern> registeredPattern{functionOfSeveral};

/// Registers one kernel per operator, all alike.
struct All {
    static constexpr const char* operators[] = {"Relu",        "Sigmoid",     "Tanh",    "Softplus",
                                                "Softsign",    "Mish",        "Erf",     "Exp",
                                                "Log",         "Sqrt",        "Abs",     "Neg",
                                                "Sign",        "Floor",       "Ceil",    "Round",
                                                "Sin",         "Cos",         "Clip",    "LeakyRelu",
                                                "Elu",         "Celu",        "Selu",    "ThresholdedRelu",
                                                "HardSigmoid", "HardSwish",   "Swish",   "Reciprocal",
                                                "Gelu",        "Add",         "Sub",     "Mul",
                                                "Div",         "Pow",         "PRelu",   "Equal",
                                                "Less",        "LessOrEqual", "Greater", "GreaterOrEqual",
                                                "And",         "Or",          "Xor",     "Max",
                                                "Min",         "Sum",         "Where",   "Not",
                                                "IsNaN"};
    CpuKernel kernels[std::size(operators) + 1];
    All() {
        for (size_t index = 0; index < std::size(operators); ++index) {
            kernels[index] = {operators[index], "", accepts, prepare};
            Registry<CpuKernel>::instance().add(kernels[index]);
        }
        kernels[std::size(operators)] = {"Gelu", "com.microsoft", accepts, prepare};
        Registry<CpuKernel>::instance().add(kernels[std::size(operators)]);
    }
};
const All all;

}  // namespace
}  // namespace engine::cpu
