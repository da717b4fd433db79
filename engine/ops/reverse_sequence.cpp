#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    bool isBatchFirst = false;
};

Attributes parse(const AttributeReader& reader) {
    const int64_t batch = reader.integer("batch_axis", 1);
    const int64_t time = reader.integer("time_axis", 0);
    if (std::min(batch, time) != 0 || std::max(batch, time) != 1) {
        fail("found batch_axis ", batch, " and time_axis ", time, ", expected 0 and 1 in either order");
    }
    return {.isBatchFirst = batch == 0};
}

void infer(InferContext& context) {
    const auto rank = context.inputRank(0);
    if (rank && *rank < 2) fail("input: found rank ", *rank, ", expected at least 2");
    context.checkRank(1, 1, "sequence_lens");
    const Shape* input = context.inputShape(0);
    const Shape* lengths = context.inputShape(1);
    if (input != nullptr && lengths != nullptr) {
        const size_t batchAxis = context.attributes<Attributes>().isBatchFirst ? 0 : 1;
        agreed((*input)[batchAxis], (*lengths)[0], "batch size of input and number of sequence_lens");
    }
    inferSameAsInput(context);
}

void reference(KernelContext& context) {
    const bool isBatchFirst = context.attributes<Attributes>().isBatchFirst;
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 2, "input");
    const int64_t batch = input.dims()[isBatchFirst ? 0 : 1];
    const int64_t steps = input.dims()[isBatchFirst ? 1 : 0];
    checkDims(context.input(1), {batch}, "sequence_lens");
    const auto lengths = checkedValues<int64_t>(context.input(1), "sequence_lens");
    const int64_t inner = elementCount(Dims(input.dims().begin() + 2, input.dims().end()));
    Tensor& output = context.output(0, input.type(), input.dims());
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input).begin();
        const auto to = mutableElementsAs<T>(output).begin();
        Pace pace(context);
        for (int64_t b = 0; b < batch; ++b) {
            const int64_t length = lengths[static_cast<size_t>(b)];
            if (length < 0 || length > steps) {
                fail("sequence_lens: found ", length, ", expected 0 to ", steps);
            }
            const auto place = [&](int64_t step) {
                return (isBatchFirst ? b * steps + step : step * batch + b) * inner;
            };
            for (int64_t step = 0; step < steps; ++step) {
                const int64_t source = step < length ? length - 1 - step : step;
                std::copy_n(from + place(source), inner, to + place(step));
                pace.spend(inner);
            }
        }
    });
}

const OpDef reverseSequence{
    .name = "ReverseSequence",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{reverseSequence};

}  // namespace
}  // namespace engine
