#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    std::optional<Type> type;  ///< of what is absent
};

Attributes parse(const AttributeReader& reader) {
    const Attribute* attribute = reader.node().attribute("type");
    if (attribute == nullptr) return {};
    const Type* type = std::get_if<Type>(&attribute->value);
    if (type == nullptr)
        fail("attribute 'type' is of kind ", kindText(attribute->value), ", expected type_proto");
    return {*type};
}

void inferOptional(InferContext& context) {
    const std::optional<Type>& declared = context.attributes<Attributes>().type;
    if (!context.hasInput(0) && !declared)
        fail("without an input the attribute 'type' must say what is absent");
    context.setOutput(0, Type::optional(context.hasInput(0) ? context.inputType(0) : *declared));
}

void handOn(KernelContext& context) { context.setOutput(0, context.inputDatum(0)); }

const OpDef optional{
    .name = "Optional",
    .sinceVersion = 15,
    .attributes = parsed<parse>,
    .infer = inferOptional,
    .work = noWork,
    .reference = handOn,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{optional};

void inferHasElement(InferContext& context) { context.setOutput(0, DataType::boolean, {}); }

void runHasElement(KernelContext& context) { context.setOutput(0, Tensor::scalar(context.hasInput(0))); }

const OpDef optionalHasElement{
    .name = "OptionalHasElement",
    .sinceVersion = 15,
    .attributes = noAttributes,
    .infer = inferHasElement,
    .work = noWork,
    .reference = runHasElement,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredHasElement{optionalHasElement};

void inferGetElement(InferContext& context) {
    const Type& type = context.inputType(0);
    context.setOutput(0, type.kind == Type::Kind::optional && type.inner ? *type.inner : type);
}

void runGetElement(KernelContext& context) {
    if (!context.hasInput(0)) fail("the optional is empty");
    handOn(context);
}

const OpDef optionalGetElement{
    .name = "OptionalGetElement",
    .sinceVersion = 15,
    .attributes = noAttributes,
    .infer = inferGetElement,
    .work = noWork,
    .reference = runGetElement,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredGetElement{optionalGetElement};

}  // namespace
}  // namespace engine
