#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Inputs: a cache [batch, …, longest, …], an update that is shorter along the axis, and where in the cache it
// goes, for each of the batch.
struct Attributes {
    int64_t axis = -2;
    bool isCircular = false;
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", -2),
            .isCircular = reader.choice("mode", "linear", {"linear", "circular"}) == "circular"};
}

int64_t checkedAxis(int64_t axis, int64_t rank) {
    const int64_t at = normalizedAxis(axis, rank);
    if (at == 0) fail("axis: found ", axis, ", which is the batch's; expected a later one");
    return at;
}

void infer(InferContext& context) {
    const Shape* cache = context.inputShape(0);
    const Shape* update = context.inputShape(1);
    if (cache != nullptr) {
        const auto rank = static_cast<int64_t>(cache->size());
        checkedAxis(context.attributes<Attributes>().axis, rank);
        context.checkRank(1, rank, "update");
    }
    if (context.hasInput(2)) context.checkRank(2, 1, "write_indices");
    Type type = context.inputType(0);
    if (cache != nullptr && update != nullptr) {
        const auto axis = static_cast<size_t>(
            checkedAxis(context.attributes<Attributes>().axis, static_cast<int64_t>(cache->size())));
        for (size_t i = 0; i < cache->size(); ++i) {
            if (i == axis) continue;
            (*type.shape)[i] = agreed((*cache)[i], (*update)[i], "dims of past_cache and update");
        }
    }
    context.setOutput(0, std::move(type));
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& cache = context.input(0);
    const Tensor& update = context.input(1);
    const auto axis = static_cast<size_t>(checkedAxis(attributes.axis, cache.rank()));
    Dims expected = cache.dims();
    if (update.dims().size() == expected.size()) expected[axis] = update.dims()[axis];
    checkDims(update, expected, "update");
    checkElement(update, cache.type(), "update");
    const int64_t batch = cache.dims()[0];
    const int64_t longest = cache.dims()[axis];
    const int64_t length = update.dims()[axis];
    std::vector<int64_t> starts(static_cast<size_t>(batch), 0);
    if (context.hasInput(2)) {
        checkDims(context.input(2), {batch}, "write_indices");
        starts = context.input(2).toInt64();
    }
    for (int64_t& start : starts) {
        const bool fits = start >= 0 && (attributes.isCircular || start <= longest - length);
        if (!fits || length > longest) {
            fail("write_indices: found ", start, " for an update of ", length, " in a cache of ", longest);
        }
        if (attributes.isCircular && longest > 0) start %= longest;
    }
    const int64_t perSample = elementCount(Dims(cache.dims().begin() + 1, cache.dims().begin() + axis));
    const int64_t inner = elementCount(Dims(cache.dims().begin() + axis + 1, cache.dims().end()));
    Tensor& output = context.output(0, cache.type(), cache.dims());
    dispatchStorage(cache.type(), [&]<typename T>(std::type_identity<T>) {
        const auto past = elementsAs<T>(cache);
        const auto to = mutableElementsAs<T>(output).begin();
        std::copy(past.begin(), past.end(), to);
        auto from = elementsAs<T>(update).begin();
        Pace pace(context);
        for (int64_t prefix = 0; prefix < batch * perSample; ++prefix) {
            for (int64_t step = 0; step < length; ++step, from += inner) {
                const int64_t at = (starts[static_cast<size_t>(prefix / perSample)] + step) % longest;
                std::copy_n(from, inner, to + (prefix * longest + at) * inner);
                pace.spend(inner);
            }
        }
    });
}

const OpDef tensorScatter{
    .name = "TensorScatter",
    .sinceVersion = 24,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{tensorScatter};

}  // namespace
}  // namespace engine
