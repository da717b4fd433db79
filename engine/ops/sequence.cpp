#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

/// What both have in common: dims that differ become unknown.
Type common(const Type& a, const Type& b) {
    if (!a.isTensor() || !b.isTensor() || a.element != b.element) return a;
    if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return Type::tensor(a.element);
    Type result = a;
    for (size_t i = 0; i < a.shape->size(); ++i) {
        if (!((*a.shape)[i] == (*b.shape)[i])) (*result.shape)[i] = Dim();
    }
    return result;
}

const Type& elementType(const InferContext& context, size_t index) {
    const Type& type = context.inputType(index);
    if (type.kind != Type::Kind::sequence || !type.inner)
        fail("input ", index, " is ", typeText(type), ", expected a sequence");
    return *type.inner;
}

/// The position that input `index` names, counted from the back if negative; `last` is the largest allowed.
size_t position(const KernelContext& context, size_t index, int64_t count, int64_t last) {
    const std::vector<int64_t> found = context.input(index).toInt64();
    if (found.size() != 1) fail("the position has ", found.size(), " elements, expected one");
    const int64_t at = found[0] < 0 ? found[0] + count : found[0];
    if (at < 0 || at > last) fail("position ", found[0], " is out of range for a sequence of ", count);
    return static_cast<size_t>(at);
}

// --- SequenceEmpty, SequenceConstruct ---

struct EmptyAttributes {
    DataType element;
};

EmptyAttributes parseEmpty(const AttributeReader& reader) {
    return {reader.dataType("dtype", DataType::float32)};
}

void inferEmpty(InferContext& context) {
    context.setOutput(0, Type::sequence(Type::tensor(context.attributes<EmptyAttributes>().element)));
}

void runEmpty(KernelContext& context) {
    context.setOutput(0, Sequence{Type::tensor(context.attributes<EmptyAttributes>().element), {}});
}

const OpDef sequenceEmpty{
    .name = "SequenceEmpty",
    .sinceVersion = 11,
    .attributes = parsed<parseEmpty>,
    .infer = inferEmpty,
    .work = noWork,
    .reference = runEmpty,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredEmpty{sequenceEmpty};

void inferConstruct(InferContext& context) {
    Type element = context.inputType(0);
    for (size_t i = 1; i < context.inputCount(); ++i) {
        const Type& next = context.inputType(i);
        if (next.element != element.element)
            fail("input ", i, " is ", next.element, ", input 0 is ", element.element);
        element = common(element, next);
    }
    context.setOutput(0, Type::sequence(std::move(element)));
}

void runConstruct(KernelContext& context) {
    Sequence sequence{Type::tensor(context.input(0).type()), {}};
    for (size_t i = 0; i < context.inputCount(); ++i) sequence.items.push_back(context.inputDatum(i));
    context.setOutput(0, std::move(sequence));
}

const OpDef sequenceConstruct{
    .name = "SequenceConstruct",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = inferConstruct,
    .work = noWork,
    .reference = runConstruct,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredConstruct{sequenceConstruct};

// --- SequenceAt, SequenceInsert, SequenceErase, SequenceLength ---

void inferAt(InferContext& context) { context.setOutput(0, elementType(context, 0)); }

void runAt(KernelContext& context) {
    const std::vector<Datum>& items = context.inputDatum(0).sequence().items;
    const auto count = static_cast<int64_t>(items.size());
    context.setOutput(0, items[position(context, 1, count, count - 1)]);
}

const OpDef sequenceAt{
    .name = "SequenceAt",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = inferAt,
    .work = noWork,
    .reference = runAt,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredAt{sequenceAt};

void inferInsert(InferContext& context) {
    const Type& element = elementType(context, 0);
    const Type& tensor = context.inputType(1);
    if (element.element != tensor.element)
        fail("the tensor is ", tensor.element, ", the sequence holds ", element.element);
    context.setOutput(0, Type::sequence(common(element, tensor)));
}

void runInsert(KernelContext& context) {
    Sequence sequence = context.inputDatum(0).sequence();
    const auto count = static_cast<int64_t>(sequence.items.size());
    const size_t at = context.hasInput(2) ? position(context, 2, count, count) : sequence.items.size();
    sequence.items.insert(sequence.items.begin() + static_cast<ptrdiff_t>(at), context.inputDatum(1));
    context.setOutput(0, std::move(sequence));
}

const OpDef sequenceInsert{
    .name = "SequenceInsert",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = inferInsert,
    .work = noWork,
    .reference = runInsert,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredInsert{sequenceInsert};

void runErase(KernelContext& context) {
    Sequence sequence = context.inputDatum(0).sequence();
    const auto count = static_cast<int64_t>(sequence.items.size());
    if (count == 0) fail("there is nothing to erase in an empty sequence");
    const size_t at =
        context.hasInput(1) ? position(context, 1, count, count - 1) : sequence.items.size() - 1;
    sequence.items.erase(sequence.items.begin() + static_cast<ptrdiff_t>(at));
    context.setOutput(0, std::move(sequence));
}

const OpDef sequenceErase{
    .name = "SequenceErase",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = inferSameAsInput,
    .work = noWork,
    .reference = runErase,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredErase{sequenceErase};

void inferLength(InferContext& context) { context.setOutput(0, DataType::int64, {}); }

void runLength(KernelContext& context) {
    context.setOutput(0, Tensor::scalar(static_cast<int64_t>(context.inputDatum(0).sequence().items.size())));
}

const OpDef sequenceLength{
    .name = "SequenceLength",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = inferLength,
    .work = noWork,
    .reference = runLength,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredLength{sequenceLength};

}  // namespace
}  // namespace engine
