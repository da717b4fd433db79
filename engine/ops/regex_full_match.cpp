#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/regular_expression.h"

namespace engine {
namespace {

struct Attributes {
    RegularExpression pattern;
};

Attributes parse(const AttributeReader& reader) { return {RegularExpression(reader.string("pattern", ""))}; }

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = DataType::boolean;
    context.setOutput(0, std::move(type));
}

void reference(KernelContext& context) {
    const RegularExpression& pattern = context.attributes<Attributes>().pattern;
    const Tensor& input = context.input(0);
    const auto texts = checkedValues<std::string>(input, "X");
    const auto matches = context.output(0, DataType::boolean, input.dims()).mutableValues<bool>();
    for (size_t i = 0; i < texts.size(); ++i) {
        matches[i] = pattern.matchesWhole(texts[i]);
        context.checkpoint();
    }
}

const OpDef regexFullMatch{
    .name = "RegexFullMatch",
    .sinceVersion = 20,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{regexFullMatch};

}  // namespace
}  // namespace engine
