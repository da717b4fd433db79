#include "engine/core/dispatch.h"
#include "engine/ops/map.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    float threshold = 0;
};

Attributes parse(const AttributeReader& reader) { return {reader.number("threshold", 0)}; }

void reference(KernelContext& context) {
    const auto threshold = static_cast<double>(context.attributes<Attributes>().threshold);
    dispatchAmong<float, double, int64_t, int32_t>(
        context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
            mapElements<T>(context, [&](T x) { return static_cast<double>(x) > threshold ? T{1} : T{0}; });
        });
}

const OpDef binarizer{
    .name = "Binarizer",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = onePerOutput,
    .reference = reference,
    .domain = mlDomain,
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registered{binarizer};

}  // namespace
}  // namespace engine
