#include "engine/core/error.h"
#include "engine/ops/body.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/type_union.h"

namespace engine {
namespace {

struct Attributes {
    Body thenBody = {};
    Body elseBody = {};
};

Attributes parse(const AttributeReader& reader) {
    return {.thenBody = readBody(reader, "then_branch"), .elseBody = readBody(reader, "else_branch")};
}

// Where the branches give different types, the condition decides which holds, if it is known ahead.
void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const std::vector<Type> thenTypes = context.inferBody(*attributes.thenBody.graph, {});
    const std::vector<Type> elseTypes = context.inferBody(*attributes.elseBody.graph, {});
    for (size_t i = 0; i < context.outputCount(); ++i) {
        if (i >= thenTypes.size() || i >= elseTypes.size()) {
            fail("found ", thenTypes.size(), " and ", elseTypes.size(), " outputs of the branches, expected ",
                 context.outputCount());
        }
        if (sameType(thenTypes[i], elseTypes[i])) {
            context.setOutput(i, thenTypes[i]);
        } else if (const Tensor* condition = context.inputData(0)) {
            const bool isThen = onlyElement<bool>(*condition, "cond");
            context.setOutput(i, isThen ? thenTypes[i] : elseTypes[i]);
        } else {
            context.setOutput(i, typeUnion(thenTypes[i], elseTypes[i]));
        }
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const bool isThen = onlyElement<bool>(context.input(0), "cond");
    std::vector<Datum> results =
        context.runBody((isThen ? attributes.thenBody : attributes.elseBody).index, {});
    if (results.size() < context.outputCount()) {
        fail("found ", results.size(), " outputs of the branch, expected ", context.outputCount());
    }
    for (size_t i = 0; i < context.outputCount(); ++i) context.setOutput(i, std::move(results[i]));
}

const OpDef ifOperator{
    .name = "If",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,  // the nodes of the branches count
    .reference = reference,
};
const Register<OpDef> registered{ifOperator};

}  // namespace
}  // namespace engine
