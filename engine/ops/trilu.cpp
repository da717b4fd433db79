#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    bool isUpper;
};

Attributes parse(const AttributeReader& reader) { return {.isUpper = reader.integer("upper", 1) != 0}; }

void infer(InferContext& context) {
    const auto rank = context.inputRank(0);
    if (rank && *rank < 2) fail("input: found rank ", *rank, ", expected at least 2");
    inferSameAsInput(context);
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 2, "input");
    const int64_t diagonal = context.hasInput(1) ? onlyElement<int64_t>(context.input(1), "k") : 0;
    const bool isUpper = context.attributes<Attributes>().isUpper;
    const int64_t rows = input.dims()[input.dims().size() - 2];
    const int64_t columns = input.dims().back();
    Tensor& output = context.output(0, input.dims());
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input);
        const auto to = mutableElementsAs<T>(output);
        for (size_t i = 0; i < from.size(); ++i) {
            const auto position = static_cast<int64_t>(i);
            const int64_t row = position / columns % rows;
            const int64_t offset = position % columns - row;
            const bool isKept = isUpper ? offset >= diagonal : offset <= diagonal;
            to[i] = isKept ? from[i] : T{};
        }
    });
}

const OpDef trilu{
    .name = "Trilu",
    .sinceVersion = 14,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{trilu};

}  // namespace
}  // namespace engine
