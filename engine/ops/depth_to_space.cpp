// DepthToSpace and SpaceToDepth: blocks of pixels become channels and back. Both read the input with channels
// and spatial axes split in two, and its axes permuted.

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

struct Attributes {
    int64_t block = 1;
    bool isDepthFirst = true;  ///< channels count block by block (DCR), not blocks channel by channel (CRD)
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.block = reader.integer("blocksize"),
                                .isDepthFirst = reader.choice("mode", "DCR", {"DCR", "CRD"}) == "DCR"};
    if (attributes.block < 1 || attributes.block > (int64_t{1} << 20)) {
        fail("blocksize: found ", attributes.block, ", expected at least 1");
    }
    return attributes;
}

/// `dim` divided by `divisor`; throws Error if it does not go.
Dim divided(const Dim& dim, int64_t divisor, const char* what) {
    if (dim.isNumber() && dim.number() % divisor != 0) {
        fail(what, ": found ", dim.number(), ", expected a multiple of ", divisor);
    }
    return floorDiv(dim, Dim(divisor));
}

void inferDepthToSpace(InferContext& context) {
    const int64_t block = context.attributes<Attributes>().block;
    context.checkRank(0, 4, "input");
    Shape output(4);
    if (const Shape* input = context.inputShape(0)) {
        output = {(*input)[0], divided((*input)[1], block * block, "channels"), (*input)[2] * Dim(block),
                  (*input)[3] * Dim(block)};
    }
    context.setOutput(0, context.inputElement(0), std::move(output));
}

void inferSpaceToDepth(InferContext& context) {
    const int64_t block = context.attributes<Attributes>().block;
    context.checkRank(0, 4, "input");
    Shape output(4);
    if (const Shape* input = context.inputShape(0)) {
        output = {(*input)[0], (*input)[1] * Dim(block * block), divided((*input)[2], block, "height"),
                  divided((*input)[3], block, "width")};
    }
    context.setOutput(0, context.inputElement(0), std::move(output));
}

/// Fills output 0 with the input's elements as they come when it is seen as of dims `split`, permuted.
void permute(KernelContext& context, const Dims& outputDims, const Dims& split,
             const std::vector<size_t>& order) {
    const Tensor& input = context.input(0);
    Tensor& output = context.output(0, input.type(), outputDims);
    const Dims splitStrides = rowMajorStrides(split);
    Dims dims;
    Dims strides;
    for (const size_t axis : order) {
        dims.push_back(split[axis]);
        strides.push_back(splitStrides[axis]);
    }
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input);
        const auto to = mutableElementsAs<T>(output);
        Walk<1>(dims, {strides}).forEach(context, [&](size_t i, const auto& at) {
            to[i] = from[static_cast<size_t>(at[0])];
        });
    });
}

void depthToSpace(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRank(context.input(0), 4, "input");
    const Dims& x = context.input(0).dims();
    const int64_t b = attributes.block;
    const int64_t channels = divided(x[1], b * b, "channels").number();
    const Dims output{x[0], channels, x[2] * b, x[3] * b};
    if (attributes.isDepthFirst) {
        permute(context, output, {x[0], b, b, channels, x[2], x[3]}, {0, 3, 4, 1, 5, 2});
    } else {
        permute(context, output, {x[0], channels, b, b, x[2], x[3]}, {0, 1, 4, 2, 5, 3});
    }
}

void spaceToDepth(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRank(context.input(0), 4, "input");
    const Dims& x = context.input(0).dims();
    const int64_t b = attributes.block;
    const int64_t height = divided(x[2], b, "height").number();
    const int64_t width = divided(x[3], b, "width").number();
    const std::vector<size_t> order = attributes.isDepthFirst ? std::vector<size_t>{0, 3, 5, 1, 2, 4}
                                                              : std::vector<size_t>{0, 1, 3, 5, 2, 4};
    permute(context, {x[0], x[1] * b * b, height, width}, {x[0], x[1], height, b, width, b}, order);
}

const OpDef table[] = {
    {.name = "DepthToSpace",
     .sinceVersion = 1,
     .attributes = parsed<parse>,
     .infer = inferDepthToSpace,
     .work = noWork,
     .reference = depthToSpace,
     .tolerance = Tolerance::exact},
    {.name = "SpaceToDepth",
     .sinceVersion = 1,
     .attributes = parsed<parse>,
     .infer = inferSpaceToDepth,
     .work = noWork,
     .reference = spaceToDepth,
     .tolerance = Tolerance::exact},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
