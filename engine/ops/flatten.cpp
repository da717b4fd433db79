#include "engine/core/error.h"
#include "engine/ops/view.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
};

Attributes parse(const AttributeReader& reader) { return {.axis = reader.integer("axis", 1)}; }

/// Where the dims are cut in two; the rank itself is allowed: then the second part is empty.
size_t cut(int64_t axis, int64_t rank) {
    if (axis < -rank || axis > rank) fail("axis ", axis, " is out of range for rank ", rank);
    return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

void infer(InferContext& context) {
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return context.setOutput(0, context.inputElement(0), {Dim(), Dim()});
    const auto middle = static_cast<ptrdiff_t>(
        cut(context.attributes<Attributes>().axis, static_cast<int64_t>(shape->size())));
    context.setOutput(0, context.inputElement(0),
                      {elementCount(Shape(shape->begin(), shape->begin() + middle)),
                       elementCount(Shape(shape->begin() + middle, shape->end()))});
}

void reference(KernelContext& context) {
    const Dims& dims = context.input(0).dims();
    const auto middle =
        static_cast<ptrdiff_t>(cut(context.attributes<Attributes>().axis, static_cast<int64_t>(dims.size())));
    copyUnderDims(context, {elementCount(Dims(dims.begin(), dims.begin() + middle)),
                            elementCount(Dims(dims.begin() + middle, dims.end()))});
}

const OpDef flatten{
    .name = "Flatten",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .isView = true,
};
const Register<OpDef> registered{flatten};

}  // namespace
}  // namespace engine
