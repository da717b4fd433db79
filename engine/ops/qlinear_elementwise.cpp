// The operators of com.microsoft that compute with each element of 8-bit tensors: QLinearAdd, QLinearMul,
// QLinearSigmoid, QLinearLeakyRelu, QLinearSoftmax, QLinearWhere and QLinearConcat.

#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/qlinear.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

std::optional<Shape> shapeOfInput(const InferContext& context, size_t index) {
    const Shape* shape = context.inputShape(index);
    return shape == nullptr ? std::nullopt : std::optional(*shape);
}

// --- of two tensors: A, its scale and zero point, B and its, the result's ---

void inferBinary(InferContext& context) {
    const auto a = shapeOfInput(context, 0);
    const auto b = shapeOfInput(context, 3);
    inferQuantized(context, a && b ? std::optional(broadcast(*a, *b)) : std::nullopt, 7);
}

template <auto function>
void binary(KernelContext& context) {
    const Dims& aDims = context.input(0).dims();
    const Dims& bDims = context.input(3).dims();
    const std::vector<float> a = realNumbers(context, 0);
    const std::vector<float> b = realNumbers(context, 3);
    const Dims dims = broadcastDims(aDims, bDims);
    std::vector<float> result(static_cast<size_t>(elementCount(dims)));
    Walk<2>(dims, {broadcastStrides(aDims, dims), broadcastStrides(bDims, dims)})
        .forEach(context, [&](size_t i, const auto& at) {
            result[i] = function(a[static_cast<size_t>(at[0])], b[static_cast<size_t>(at[1])]);
        });
    setQuantized(context, dims, result, 6, context.input(0).type());
}

// --- of one: X, its scale and zero point, the result's ---

void inferUnary(InferContext& context) { inferQuantized(context, shapeOfInput(context, 0), 4); }

template <class Function>
void unary(KernelContext& context, Function function) {
    std::vector<float> values = realNumbers(context, 0);
    std::transform(values.begin(), values.end(), values.begin(), function);
    setQuantized(context, context.input(0).dims(), values, 3, context.input(0).type());
}

void sigmoid(KernelContext& context) {
    unary(context, [](float x) { return 1 / (1 + std::exp(-x)); });
}

struct LeakyAttributes {
    float alpha = 0.01F;
};
LeakyAttributes parseLeaky(const AttributeReader& reader) { return {reader.number("alpha", 0.01F)}; }

void leakyRelu(KernelContext& context) {
    const float alpha = context.attributes<LeakyAttributes>().alpha;
    unary(context, [alpha](float x) { return x >= 0 ? x : alpha * x; });
}

// --- QLinearSoftmax: along an axis, or for models below opset 13 over all axes from it on ---

struct SoftmaxAttributes {
    int64_t axis = -1;
    bool spansRest = false;
};

SoftmaxAttributes parseSoftmax(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", -1), .spansRest = reader.integer("opset") < 13};
}

void softmax(KernelContext& context) {
    const auto& attributes = context.attributes<SoftmaxAttributes>();
    const Dims& dims = context.input(0).dims();
    const int64_t axis = normalizedAxis(attributes.axis, context.input(0).rank());
    const int64_t outer = elementCount(Dims(dims.begin(), dims.begin() + axis));
    const int64_t inner = attributes.spansRest ? 1 : elementCount(Dims(dims.begin() + axis + 1, dims.end()));
    std::vector<float> values = realNumbers(context, 0);
    const int64_t length = values.empty() ? 0 : static_cast<int64_t>(values.size()) / outer / inner;
    for (int64_t line = 0; length > 0 && line < outer * inner; ++line) {
        context.checkpoint();
        const int64_t start = line / inner * length * inner + line % inner;
        const auto at = [&](int64_t k) -> float& { return values[static_cast<size_t>(start + k * inner)]; };
        float largest = at(0);
        for (int64_t k = 1; k < length; ++k) largest = std::max(largest, at(k));
        float sum = 0;
        for (int64_t k = 0; k < length; ++k) sum += at(k) = std::exp(at(k) - largest);
        for (int64_t k = 0; k < length; ++k) at(k) /= sum;
    }
    setQuantized(context, dims, values, 3, context.input(0).type());
}

// --- QLinearWhere: condition, X and Y with scale and zero point each, the result's ---

void inferWhere(InferContext& context) {
    const auto condition = shapeOfInput(context, 0);
    const auto x = shapeOfInput(context, 1);
    const auto y = shapeOfInput(context, 4);
    std::optional<Shape> shape;
    if (condition && x && y) shape = broadcast(broadcast(*condition, *x), *y);
    const DataType element = context.inputElement(context.hasInput(8) ? 8 : 1);
    if (shape) return context.setOutput(0, element, std::move(*shape));
    context.setOutput(0, element);
}

void where(KernelContext& context) {
    const Tensor& condition = context.input(0);
    const auto chooses = checkedValues<bool>(condition, "condition");
    const Dims& xDims = context.input(1).dims();
    const Dims& yDims = context.input(4).dims();
    const std::vector<float> x = realNumbers(context, 1);
    const std::vector<float> y = realNumbers(context, 4);
    const Dims dims = broadcastDims(broadcastDims(condition.dims(), xDims), yDims);
    std::vector<float> result(static_cast<size_t>(elementCount(dims)));
    Walk<3>(dims, {broadcastStrides(condition.dims(), dims), broadcastStrides(xDims, dims),
                   broadcastStrides(yDims, dims)})
        .forEach(context, [&](size_t i, const auto& at) {
            result[i] = chooses[static_cast<size_t>(at[0])] ? x[static_cast<size_t>(at[1])]
                                                            : y[static_cast<size_t>(at[2])];
        });
    setQuantized(context, dims, result, 7, context.input(1).type());
}

// --- QLinearConcat: the result's scale and zero point, then each tensor with its own ---

struct ConcatAttributes {
    int64_t axis = 0;
};
ConcatAttributes parseConcat(const AttributeReader& reader) { return {reader.integer("axis")}; }

void checkGroups(size_t inputs) {
    if (inputs < 5 || (inputs - 2) % 3 != 0) {
        fail("found ", inputs, " inputs, expected scale and zero point, and three for each tensor");
    }
}

void inferConcat(InferContext& context) {
    checkGroups(context.inputCount());
    const DataType element = context.inputElement(1);
    std::optional<Shape> joined = shapeOfInput(context, 2);
    for (size_t i = 5; i < context.inputCount() && joined; i += 3) {
        const Shape* next = context.inputShape(i);
        if (next == nullptr) return context.setOutput(0, element);
        context.checkRank(i, static_cast<int64_t>(joined->size()), "a tensor");
        const auto axis = static_cast<size_t>(normalizedAxis(context.attributes<ConcatAttributes>().axis,
                                                             static_cast<int64_t>(joined->size())));
        for (size_t k = 0; k < joined->size(); ++k) {
            Dim& dim = (*joined)[k];
            dim = k == axis ? dim + (*next)[k] : agreed(dim, (*next)[k], "dims beside the axis");
        }
    }
    inferQuantized(context, std::move(joined), 1);
}

void concat(KernelContext& context) {
    checkGroups(context.inputCount());
    Dims dims = context.input(2).dims();
    const auto axis = static_cast<size_t>(
        normalizedAxis(context.attributes<ConcatAttributes>().axis, context.input(2).rank()));
    for (size_t i = 5; i < context.inputCount(); i += 3) {
        Dims expected = dims;
        const Dims& found = context.input(i).dims();
        if (found.size() == dims.size()) expected[axis] = found[axis];
        checkDims(context.input(i), expected, "a tensor");
        dims[axis] += found[axis];
    }
    const int64_t outer = elementCount(Dims(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(axis)));
    std::vector<float> result(static_cast<size_t>(elementCount(dims)));
    auto start = result.begin();
    const auto row = outer == 0 ? 0 : static_cast<ptrdiff_t>(result.size()) / outer;
    for (size_t i = 2; i < context.inputCount(); i += 3) {
        context.checkpoint();
        const std::vector<float> values = realNumbers(context, i);
        const ptrdiff_t size = outer == 0 ? 0 : static_cast<ptrdiff_t>(values.size()) / outer;
        for (int64_t block = 0; block < outer; ++block) {
            std::copy_n(values.begin() + block * size, size, start + block * row);
        }
        start += size;
    }
    setQuantized(context, dims, result, 0, context.input(2).type());
}

constexpr OpDef row(const char* name, ParsedAttributes (*attributes)(const AttributeReader&),
                    void (*infer)(InferContext&), void (*reference)(KernelContext&)) {
    return {.name = name,
            .sinceVersion = 1,
            .attributes = attributes,
            .infer = infer,
            .work = onePerOutput,
            .reference = reference,
            .domain = "com.microsoft"};
}

const OpDef table[] = {
    row("QLinearAdd", noAttributes, inferBinary, binary<[](float a, float b) { return a + b; }>),
    row("QLinearMul", noAttributes, inferBinary, binary<[](float a, float b) { return a * b; }>),
    row("QLinearSigmoid", noAttributes, inferUnary, sigmoid),
    row("QLinearLeakyRelu", parsed<parseLeaky>, inferUnary, leakyRelu),
    row("QLinearSoftmax", parsed<parseSoftmax>, inferUnary, softmax),
    row("QLinearWhere", noAttributes, inferWhere, where),
    row("QLinearConcat", parsed<parseConcat>, inferConcat, concat),
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
