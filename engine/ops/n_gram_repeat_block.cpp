#include <algorithm>
#include <limits>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    int64_t size = 1;
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{reader.integer("ngram_size")};
    if (attributes.size < 1) fail("ngram_size: found ", attributes.size, ", expected at least 1");
    return attributes;
}

void infer(InferContext& context) {
    context.checkRank(0, 2, "input_ids");
    context.checkRank(1, 2, "scores");
    context.setOutput(0, context.inputType(1));
}

/// Minus infinity for each token that would complete an n-gram which the ids already hold.
void reference(KernelContext& context) {
    const int64_t size = context.attributes<Attributes>().size;
    const Tensor& ids = context.input(0);
    const Tensor& scores = context.input(1);
    checkRank(ids, 2, "input_ids");
    checkRank(scores, 2, "scores");
    if (ids.dims()[0] != scores.dims()[0])
        fail("scores: found ", scores.dims()[0], " rows, expected ", ids.dims()[0]);
    const std::vector<int64_t> tokens = ids.toInt64();
    const auto from = checkedValues<float>(scores, "scores");
    const auto to = context.output(0, scores.dims()).mutableValues<float>();
    std::copy(from.begin(), from.end(), to.begin());
    const int64_t length = ids.dims()[1];
    const int64_t vocabulary = scores.dims()[1];
    Pace pace(context);
    for (int64_t row = 0; row < ids.dims()[0] && size <= length; ++row) {
        const int64_t* line = tokens.data() + row * length;
        const int64_t* tail = line + length - size + 1;
        for (int64_t i = 0; i + size <= length; ++i) {
            pace.spend(size);
            if (!std::equal(tail, line + length, line + i)) continue;
            const int64_t token = line[i + size - 1];
            if (token < 0 || token >= vocabulary) {
                fail("input_ids: found token ", token, ", scores has ", vocabulary);
            }
            to[static_cast<size_t>(row * vocabulary + token)] = -std::numeric_limits<float>::infinity();
        }
    }
}

const OpDef nGramRepeatBlock{
    .name = "NGramRepeatBlock",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{nGramRepeatBlock};

}  // namespace
}  // namespace engine
