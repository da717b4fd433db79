#include <algorithm>

#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    int64_t start;
    std::optional<int64_t> end;
};

Attributes parse(const AttributeReader& reader) {
    return {.start = reader.integer("start", 0), .end = reader.maybeInteger("end")};
}

/// The axes [first, last) that are asked for; bounds outside of the rank are drawn in.
std::pair<size_t, size_t> range(const Attributes& attributes, int64_t rank) {
    const auto drawnIn = [rank](int64_t axis) {
        return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
    };
    const int64_t first = drawnIn(attributes.start);
    const int64_t last = std::max(first, attributes.end ? drawnIn(*attributes.end) : rank);
    return {static_cast<size_t>(first), static_cast<size_t>(last)};
}

void infer(InferContext& context) {
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return context.setOutput(0, DataType::int64, {Dim()});
    const auto [first, last] = range(context.attributes<Attributes>(), static_cast<int64_t>(shape->size()));
    context.setOutput(0, DataType::int64, {static_cast<int64_t>(last - first)});
    context.setOutputElements(
        0, {shape->begin() + static_cast<ptrdiff_t>(first), shape->begin() + static_cast<ptrdiff_t>(last)});
}

void reference(KernelContext& context) {
    const Dims& dims = context.input(0).dims();
    const auto [first, last] = range(context.attributes<Attributes>(), static_cast<int64_t>(dims.size()));
    Tensor& output = context.output(0, DataType::int64, {static_cast<int64_t>(last - first)});
    std::copy(dims.begin() + static_cast<ptrdiff_t>(first), dims.begin() + static_cast<ptrdiff_t>(last),
              output.mutableValues<int64_t>().begin());
}

const OpDef shapeOp{
    .name = "Shape",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{shapeOp};

void inferSize(InferContext& context) {
    context.setOutput(0, DataType::int64, {});
    if (const Shape* shape = context.inputShape(0)) context.setOutputElements(0, {elementCount(*shape)});
}

void referenceSize(KernelContext& context) {
    context.output(0, DataType::int64, {}).mutableValues<int64_t>()[0] = context.input(0).elements();
}

const OpDef sizeOp{
    .name = "Size",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = inferSize,
    .work = noWork,
    .reference = referenceSize,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredSize{sizeOp};

}  // namespace
}  // namespace engine
