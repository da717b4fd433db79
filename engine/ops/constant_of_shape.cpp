#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/view.h"

namespace engine {
namespace {

struct Attributes {
    Tensor value;
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{reader.maybeTensor("value").value_or(Tensor::scalar(0.0F))};
    if (attributes.value.elements() != 1) {
        fail("attribute 'value' has dims ", listText(attributes.value.dims()), ", expected a single element");
    }
    return attributes;
}

void infer(InferContext& context) {
    const DataType element = context.attributes<Attributes>().value.type();
    context.checkRank(0, 1, "the shape");
    if (const auto dims = context.inputElements(0)) {
        context.setOutput(0, element, Shape(dims->begin(), dims->end()));
    } else if (const Shape* shape = context.inputShape(0);
               shape != nullptr && shape->size() == 1 && (*shape)[0].isNumber()) {
        context.setOutput(0, element, openShape((*shape)[0].number()));
    } else {
        context.setOutput(0, element);
    }
}

void reference(KernelContext& context) {
    const Tensor& value = context.attributes<Attributes>().value;
    Tensor& output = context.output(0, value.type(), context.input(0).toInt64());
    dispatchStorage(value.type(), [&]<typename T>(std::type_identity<T>) {
        const std::span<T> to = mutableElementsAs<T>(output);
        std::fill(to.begin(), to.end(), elementsAs<T>(value)[0]);
    });
}

const OpDef constantOfShape{
    .name = "ConstantOfShape",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{constantOfShape};

}  // namespace
}  // namespace engine
