#include <memory>

#include <re2/re2.h>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    std::shared_ptr<const RE2> pattern;
};

Attributes parse(const AttributeReader& reader) {
    const std::string pattern = reader.string("pattern", "");
    auto compiled = std::make_shared<const RE2>(pattern, RE2::Quiet);
    if (!compiled->ok()) {
        fail("attribute 'pattern': found '", pattern,
             "', expected a regular expression in RE2's syntax: ", compiled->error());
    }
    return {std::move(compiled)};
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = DataType::boolean;
    context.setOutput(0, std::move(type));
}

void reference(KernelContext& context) {
    const RE2& pattern = *context.attributes<Attributes>().pattern;
    const Tensor& input = context.input(0);
    const auto texts = checkedValues<String>(input, "X");
    const auto matches = context.output(0, DataType::boolean, input.dims()).mutableValues<bool>();
    for (size_t i = 0; i < texts.size(); ++i) {
        matches[i] = RE2::FullMatch(std::string_view(texts[i]), pattern);
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
