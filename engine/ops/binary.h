#pragma once

#include "engine/core/dispatch.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/checks.h"
#include "engine/ops/elements.h"
#include "engine/ops/op.h"
#include "engine/ops/walk.h"

namespace engine {

/// How operators of two inputs broadcast: as numpy does, or, in the oldest opsets, the right input to the
/// left one's shape with its first dim standing at `axis`.
struct BinaryAttributes {
    std::optional<int64_t> axis = {};
};

/// For the forms without attributes.
BinaryAttributes readBinary(const AttributeReader& reader);

/// The right input's shape with ones appended as `axis` asks.
Shape alignedShape(const BinaryAttributes& attributes, const Shape& left, const Shape& right);

/// Output 0 has this element type and the inputs' shape broadcast.
void inferBinary(InferContext& context, DataType element);
/// Output 0 has the inputs' element type, which must be the same.
void inferArithmetic(InferContext& context);
/// Output 0 is boolean.
void inferComparison(InferContext& context);

/// Output 0, of element type To: function(left, right) of each pair.
template <class Left, class Right, class To, class Function>
void combineElements(KernelContext& context, Function function) {
    const auto& attributes = context.attributes<BinaryAttributes>();
    const auto left = checkedValues<Left>(context.input(0), "the left input");
    const auto right = checkedValues<Right>(context.input(1), "the right input");
    const Dims& leftDims = context.input(0).dims();
    const Dims rightDims =
        *numbers(alignedShape(attributes, shapeOf(leftDims), shapeOf(context.input(1).dims())));
    const Dims dims = broadcastDims(leftDims, rightDims);
    const auto to = context.output(0, dataTypeOf<To>, dims).template mutableValues<To>();
    const Walk<2> walk(dims, {broadcastStrides(leftDims, dims), broadcastStrides(rightDims, dims)});
    walk.forEach(context, [&](size_t i, const auto& at) {
        to[i] = function(left[static_cast<size_t>(at[0])], right[static_cast<size_t>(at[1])]);
    });
}

/// Rewrites an operator that has attributes `broadcast` and `axis` to the form that broadcasts as numpy does,
/// from version 7 on, or, where the shapes that this needs are unknown, to the operator of the same name in
/// the domain "opscope", which keeps `axis`.
void upgradeBroadcast(NodeRewriter& node);

}  // namespace engine
