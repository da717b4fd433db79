#include "engine/core/error.h"
#include "engine/ops/body.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

Body parse(const AttributeReader& reader) { return readBody(reader, "body"); }

// A sequence goes into the body item by item, any other input as it is.
Type itemType(const Type& type) {
    if (type.kind != Type::Kind::sequence) return type;
    return type.inner != nullptr ? *type.inner : Type{};
}

void infer(InferContext& context) {
    std::vector<Type> inputs;
    for (size_t i = 0; i < context.inputCount(); ++i) inputs.push_back(itemType(context.inputType(i)));
    const std::vector<Type> outputs = context.inferBody(*context.attributes<Body>().graph, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) context.setOutput(i, Type::sequence(outputs[i]));
}

void reference(KernelContext& context) {
    const auto& body = context.attributes<Body>();
    const size_t length = context.inputDatum(0).sequence().items.size();
    std::vector<Sequence> results(context.outputCount());
    for (size_t i = 0; i < results.size(); ++i) {
        const ValueId id = i < body.graph->outputs.size() ? body.graph->outputs[i] : ValueId();
        if (id.isValid()) results[i].element = body.graph->value(id).type;
    }
    for (size_t turn = 0; turn < length; ++turn) {
        context.checkpoint();
        std::vector<Datum> inputs;
        for (size_t i = 0; i < context.inputCount(); ++i) {
            const Datum& datum = context.inputDatum(i);
            if (datum.isSequence() && datum.sequence().items.size() != length) {
                fail("input ", i, ": found a sequence of ", datum.sequence().items.size(), ", expected ",
                     length);
            }
            inputs.push_back(datum.isSequence() ? datum.sequence().items[turn] : datum);
        }
        std::vector<Datum> outputs = context.runBody(body.index, std::move(inputs));
        if (outputs.size() < results.size()) {
            fail("found ", outputs.size(), " outputs of the body, expected ", results.size());
        }
        for (size_t i = 0; i < results.size(); ++i) results[i].items.push_back(std::move(outputs[i]));
    }
    for (size_t i = 0; i < results.size(); ++i) context.setOutput(i, std::move(results[i]));
}

const OpDef sequenceMap{
    .name = "SequenceMap",
    .sinceVersion = 17,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,  // the body's nodes count, as often as they run
    .reference = reference,
};
const Register<OpDef> registered{sequenceMap};

}  // namespace
}  // namespace engine
