#include "engine/core/error.h"
#include "engine/ops/concat.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis = 0;
    bool makesAxis = false;
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.integer("axis"), .makesAxis = reader.integer("new_axis", 0) != 0};
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Type& type = context.inputType(0);
    if (type.kind != Type::Kind::sequence || !type.inner) {
        fail("input_sequence: found ", typeText(type), ", expected a sequence");
    }
    if (!type.inner->shape) return context.setOutput(0, type.inner->element);
    Shape output = *type.inner->shape;
    const auto rank = static_cast<int64_t>(output.size());
    if (attributes.makesAxis) {
        output.insert(output.begin() + normalizedAxis(attributes.axis, rank + 1), Dim());
    } else {
        output[static_cast<size_t>(normalizedAxis(attributes.axis, rank))] = Dim();
    }
    context.setOutput(0, type.inner->element, std::move(output));
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const std::vector<Datum>& items = context.inputDatum(0).sequence().items;
    if (items.empty()) fail("input_sequence: found no items, expected at least one");
    std::vector<Tensor> tensors;
    for (const Datum& item : items) {
        tensors.push_back(item.tensor());
        if (!attributes.makesAxis) continue;
        Dims dims = item.tensor().dims();
        dims.insert(dims.begin() + normalizedAxis(attributes.axis, item.tensor().rank() + 1), 1);
        tensors.back() = item.tensor().reshaped(dims);
    }
    std::vector<const Tensor*> parts;
    for (const Tensor& tensor : tensors) parts.push_back(&tensor);
    joinTensors(context, parts, attributes.axis);
}

const OpDef concatFromSequence{
    .name = "ConcatFromSequence",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{concatFromSequence};

}  // namespace
}  // namespace engine
