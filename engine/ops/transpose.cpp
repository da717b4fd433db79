#include "engine/core/error.h"
#include "engine/ops/op.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

struct Attributes {
    std::optional<std::vector<int64_t>> permutation;  ///< nothing: the axes reversed
};

Attributes parse(const AttributeReader& reader) { return {.permutation = reader.maybeIntegers("perm")}; }

/// For each axis of the result the input's axis that it is.
std::vector<size_t> sourceAxes(const Attributes& attributes, size_t rank) {
    std::vector<size_t> axes(rank);
    if (!attributes.permutation) {
        for (size_t i = 0; i < rank; ++i) axes[i] = rank - 1 - i;
        return axes;
    }
    const std::vector<int64_t>& permutation = *attributes.permutation;
    std::vector<bool> isUsed(rank, false);
    for (size_t i = 0; i < rank && permutation.size() == rank; ++i) {
        const int64_t axis = permutation[i];
        if (axis < 0 || axis >= static_cast<int64_t>(rank)) break;
        axes[i] = static_cast<size_t>(axis);
        isUsed[axes[i]] = true;
    }
    if (permutation.size() != rank || std::find(isUsed.begin(), isUsed.end(), false) != isUsed.end()) {
        fail("perm: found ", listText(permutation), ", expected each of the ", rank, " axes once");
    }
    return axes;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* input = context.inputShape(0);
    if (input == nullptr) {
        if (!attributes.permutation) return context.setOutput(0, context.inputElement(0));
        sourceAxes(attributes, attributes.permutation->size());
        return context.setOutput(0, context.inputElement(0), Shape(attributes.permutation->size()));
    }
    Shape output;
    for (const size_t axis : sourceAxes(attributes, input->size())) output.push_back((*input)[axis]);
    context.setOutput(0, context.inputElement(0), std::move(output));
}

void reference(KernelContext& context) {
    const Dims& input = context.input(0).dims();
    const Dims strides = rowMajorStrides(input);
    Dims outputDims;
    Dims outputStrides;
    for (const size_t axis : sourceAxes(context.attributes<Attributes>(), input.size())) {
        outputDims.push_back(input[axis]);
        outputStrides.push_back(strides[axis]);
    }
    copyStrided(context, outputDims, outputStrides);
}

const OpDef transpose{
    .name = "Transpose",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{transpose};

}  // namespace
}  // namespace engine
