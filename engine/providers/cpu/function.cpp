#include "engine/providers/cpu/function.h"

#include <algorithm>
#include <cmath>

#include "engine/providers/cpu/builder.h"

namespace engine::cpu {
namespace {

constexpr const char* names[] = {"copy",       "affine",        "relu",
                                 "clip",       "leaky relu",    "elu",
                                 "selu",       "celu",          "thresholded relu",
                                 "sigmoid",    "tanh",          "hard sigmoid",
                                 "hard swish", "swish",         "gelu",
                                 "gelu tanh",  "softplus",      "softsign",
                                 "mish",       "erf",           "exp",
                                 "log",        "sqrt",          "reciprocal",
                                 "square",     "cube",          "abs",
                                 "neg",        "sign",          "floor",
                                 "ceil",       "round",         "sin",
                                 "cos",        "not",           "is nan",
                                 "add",        "subtract",      "multiply",
                                 "divide",     "maximum",       "minimum",
                                 "power",      "prelu",         "equal",
                                 "less",       "less or equal", "and",
                                 "or",         "xor",           "where",
                                 "scale"};
static_assert(std::size(names) == static_cast<size_t>(Function::scaleShift) + 1);

/// Operators of one operand without parameters.
struct Plain {
    const char* operatorType;
    Function function;
};
constexpr Plain plain[] = {
    {"Relu", Function::relu},         {"Sigmoid", Function::sigmoid},   {"Tanh", Function::tanh},
    {"Softplus", Function::softplus}, {"Softsign", Function::softsign}, {"Mish", Function::mish},
    {"Erf", Function::erf},           {"Exp", Function::exp},           {"Log", Function::log},
    {"Sqrt", Function::sqrt},         {"Abs", Function::abs},           {"Neg", Function::neg},
    {"Sign", Function::sign},         {"Floor", Function::floor},       {"Ceil", Function::ceil},
    {"Round", Function::round},       {"Sin", Function::sin},           {"Cos", Function::cos},
};

constexpr float infinity = std::numeric_limits<float>::infinity();

bool near(float found, float wanted) { return std::abs(found - wanted) <= 1e-5F * std::abs(wanted); }

/// Clip's bounds: nothing if one is no constant.
std::optional<Unary> clipOf(const CpuBuilder& builder, const Node& node) {
    float bounds[2] = {-infinity, infinity};
    for (size_t index = 1; index < node.inputs.size(); ++index) {
        if (!node.inputs[index].isValid()) continue;
        const auto bound = builder.scalar(node.inputs[index]);
        if (!bound) return {};
        bounds[index - 1] = *bound;
    }
    return Unary{Function::clip, bounds[0], bounds[1]};
}

std::optional<Unary> powerOf(float exponent) {
    if (exponent == 1) return Unary{Function::copy};
    if (exponent == 2) return Unary{Function::square};
    if (exponent == 3) return Unary{Function::cube};
    if (exponent == 0.5F) return Unary{Function::sqrt};
    if (exponent == -1) return Unary{Function::reciprocal, 1};
    return {};
}

std::optional<Unary> binaryWithNumber(const std::string& type, float number, bool isNumberFirst) {
    if (type == "Add") return Unary{Function::affine, 1, number};
    if (type == "Mul") return Unary{Function::affine, number, 0};
    if (type == "Sub")
        return isNumberFirst ? Unary{Function::affine, -1, number} : Unary{Function::affine, 1, -number};
    if (type == "Div" && isNumberFirst) return Unary{Function::reciprocal, number};
    if (type == "Div" && std::isnormal(1 / number)) return Unary{Function::affine, 1 / number, 0};
    if (type == "Pow" && !isNumberFirst) return powerOf(number);
    if (type == "Max" && !std::isnan(number)) return Unary{Function::clip, number, infinity};
    if (type == "Min" && !std::isnan(number)) return Unary{Function::clip, -infinity, number};
    return {};
}

std::optional<Unary> withAttributes(const Node& node) {
    const AttributeReader read(node);
    const std::string& type = node.operatorType;
    if (type == "LeakyRelu") return Unary{Function::leakyRelu, read.number("alpha", 0.01F)};
    if (type == "Elu") return Unary{Function::elu, read.number("alpha", 1)};
    if (type == "Celu") return Unary{Function::celu, read.number("alpha", 1)};
    if (type == "ThresholdedRelu") return Unary{Function::thresholded, read.number("alpha", 1)};
    if (type == "Selu") {
        const bool isFirst = node.version < 6;  // its defaults had fewer digits
        return Unary{Function::selu, read.number("alpha", isFirst ? 1.6732F : 1.67326319217681884765625F),
                     read.number("gamma", isFirst ? 1.0507F : 1.05070102214813232421875F)};
    }
    if (type == "HardSigmoid")
        return Unary{Function::hardSigmoid, read.number("alpha", 0.2F), read.number("beta", 0.5F)};
    if (type == "HardSwish") return Unary{Function::hardSwish, 1.0F / 6, 0.5F};
    if (type == "Swish") return Unary{Function::swish, read.number("alpha", 1)};
    if (type == "Reciprocal") return Unary{Function::reciprocal, 1};
    if (type == "Gelu") {
        return Unary{read.string("approximate", "none") == "tanh" ? Function::geluTanh : Function::gelu};
    }
    return {};
}

/// The functions along the nodes from `operand` to where they meet `operand` again in a Mul.
struct SideChain {
    std::vector<Unary> functions;
    std::vector<NodeId> nodes;
    NodeId meeting;
};

bool readsBoth(const Node& node, ValueId a, ValueId b) {
    return node.operatorType == "Mul" && node.domain.empty() && node.inputs.size() == 2 &&
           ((node.inputs[0] == a && node.inputs[1] == b) || (node.inputs[0] == b && node.inputs[1] == a));
}

std::optional<SideChain> sideChain(const CpuBuilder& builder, ValueId operand, NodeId first, NodeId meeting) {
    SideChain chain{.functions = {}, .nodes = {}, .meeting = meeting};
    ValueId at = operand;
    NodeId next = first;
    while (chain.nodes.size() < 5) {
        const auto function = unaryOf(builder, next, at);
        if (!function) return {};
        chain.functions.push_back(*function);
        chain.nodes.push_back(next);
        at = builder.node(next).outputs[0];
        const auto reader = builder.soleReader(at);
        if (!reader) return {};
        if (*reader == meeting) return chain;
        next = *reader;
    }
    return {};
}

/// What x * chain(x) is, if it has a name, up to a factor that must follow.
struct Named {
    Unary unary;
    float factor = 1;  ///< what the product must still be multiplied by
};

std::optional<Named> productOf(const std::vector<Unary>& chain, float before) {
    const auto is = [&](size_t index, Function function) {
        return index < chain.size() && chain[index].function == function;
    };
    if (chain.size() == 1 && is(0, Function::sigmoid)) return Named{{Function::swish, 1}, before};
    if (chain.size() == 2 && is(0, Function::affine) && chain[0].q == 0 && is(1, Function::sigmoid)) {
        return Named{{Function::swish, chain[0].p}, before};
    }
    if (chain.size() == 1 && is(0, Function::hardSigmoid)) {
        return Named{{Function::hardSwish, chain[0].p, chain[0].q}, before};
    }
    // x clip(x + 3, 0, 6), with the division by 6 before or after the product.
    if (chain.size() >= 2 && is(0, Function::affine) && chain[0].p == 1 && is(1, Function::clip) &&
        chain[1].p == 0 && chain[1].q > 0) {
        const float top = chain[1].q;
        const bool isScaled = chain.size() == 3 && is(2, Function::affine) && chain[2].q == 0;
        if (chain.size() > 2 && !isScaled) return {};
        const float factor = (isScaled ? chain[2].p : 1) * top * before;
        return Named{{Function::hardSwish, 1 / top, chain[0].q / top}, factor};
    }
    // x (1 + erf(x / sqrt 2)), twice the GELU.
    if (chain.size() == 3 && is(0, Function::affine) && chain[0].q == 0 && near(chain[0].p, 0.70710678F) &&
        is(1, Function::erf) && is(2, Function::affine) && chain[2].p == 1 && chain[2].q == 1) {
        return Named{{Function::gelu}, 2 * before};
    }
    return {};
}

/// Appends the multiplication by `factor`'s inverse that follows, or fails if there is none and one is
/// needed.
bool absorbFactor(const CpuBuilder& builder, float factor, UnaryMatch& match) {
    if (near(factor, 1)) return true;
    const auto reader = builder.soleReader(match.result);
    if (!reader) return false;
    const auto scale = unaryOf(builder, *reader, match.result);
    if (!scale || scale->function != Function::affine || scale->q != 0 || !near(scale->p * factor, 1))
        return false;
    match.nodes.push_back(*reader);
    match.result = builder.node(*reader).outputs[0];
    return true;
}

std::optional<UnaryMatch> matchProduct(const CpuBuilder& builder, ValueId operand, NodeId side,
                                       NodeId other) {
    float before = 1;
    UnaryMatch match;
    // 0.5 x may be taken before the product.
    if (const auto scaled = unaryOf(builder, other, operand);
        scaled && scaled->function == Function::affine && scaled->q == 0) {
        const auto meeting = builder.soleReader(builder.node(other).outputs[0]);
        if (!meeting) return {};
        match.nodes.push_back(other);
        before = scaled->p;
        const ValueId scaledValue = builder.node(other).outputs[0];
        const auto chain = sideChain(builder, operand, side, *meeting);
        if (!chain ||
            !readsBoth(builder.node(*meeting), scaledValue, builder.node(chain->nodes.back()).outputs[0])) {
            return {};
        }
        const auto named = productOf(chain->functions, before);
        if (!named) return {};
        match.unary = named->unary;
        match.nodes.insert(match.nodes.end(), chain->nodes.begin(), chain->nodes.end());
        match.nodes.push_back(*meeting);
        match.result = builder.node(*meeting).outputs[0];
        return absorbFactor(builder, named->factor, match) ? std::optional(match) : std::nullopt;
    }
    const auto chain = sideChain(builder, operand, side, other);
    if (!chain || !readsBoth(builder.node(other), operand, builder.node(chain->nodes.back()).outputs[0]))
        return {};
    const auto named = productOf(chain->functions, before);
    if (!named) return {};
    match.unary = named->unary;
    match.nodes = chain->nodes;
    match.nodes.push_back(other);
    match.result = builder.node(other).outputs[0];
    return absorbFactor(builder, named->factor, match) ? std::optional(match) : std::nullopt;
}

}  // namespace

const char* name(Function function) { return names[static_cast<size_t>(function)]; }

std::optional<Unary> unaryOf(const CpuBuilder& builder, NodeId id, ValueId operand) {
    const Node& node = builder.node(id);
    if (!node.domain.empty() && !(node.domain == "com.microsoft" && node.operatorType == "Gelu")) return {};
    if (node.outputs.size() != 1 || builder.element(node.outputs[0]) != DataType::float32 ||
        builder.element(operand) != DataType::float32 ||
        builder.dims(node.outputs[0]) != builder.dims(operand)) {
        return {};
    }
    const std::string& type = node.operatorType;
    if (node.inputs.size() == 2 && type != "Clip") {
        if (node.inputs[0] == node.inputs[1])
            return type == "Mul" ? std::optional(Unary{Function::square}) : std::nullopt;
        const bool isFirst = node.inputs[0] == operand;
        if (!isFirst && node.inputs[1] != operand) return {};
        const auto number = builder.scalar(node.inputs[isFirst ? 1 : 0]);
        return number ? binaryWithNumber(type, *number, !isFirst) : std::nullopt;
    }
    if (node.inputs.empty() || node.inputs[0] != operand) return {};
    if (type == "Clip") return clipOf(builder, node);
    if (node.inputs.size() != 1) return {};
    for (const Plain& row : plain) {
        if (type == row.operatorType) return Unary{row.function};
    }
    return withAttributes(node);
}

std::optional<UnaryMatch> matchUnary(const CpuBuilder& builder, ValueId operand) {
    if (builder.isNeededOutside(operand)) return {};
    const std::vector<NodeId>& readers = builder.readers(operand);
    if (std::any_of(readers.begin(), readers.end(), [&](NodeId id) { return builder.isAbsorbed(id); }))
        return {};
    if (readers.size() == 1) {
        const auto unary = unaryOf(builder, readers[0], operand);
        if (!unary) return {};
        return UnaryMatch{*unary, builder.node(readers[0]).outputs[0], readers};
    }
    if (readers.size() != 2) return {};
    auto match = matchProduct(builder, operand, readers[0], readers[1]);
    return match ? match : matchProduct(builder, operand, readers[1], readers[0]);
}

}  // namespace engine::cpu
