#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// (x - offset) * scale along the last axis; either may be one number for all features, or missing.
struct Attributes {
    std::vector<float> offset = {};
    std::vector<float> scale = {};
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.offset = reader.numbers("offset"), .scale = reader.numbers("scale")};
    if (attributes.offset.empty()) attributes.offset = {0};
    if (attributes.scale.empty()) attributes.scale = {1};
    return attributes;
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = DataType::float32;
    context.setOutput(0, std::move(type));
}

void checkCount(const std::vector<float>& values, int64_t features, const char* what) {
    if (values.size() == 1 || static_cast<int64_t>(values.size()) == features) return;
    fail(what, ": found ", values.size(), " values, expected one or ", features);
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    checkRankAtLeast(input, 1, "X");
    checkCount(attributes.offset, input.dims().back(), "offset");
    checkCount(attributes.scale, input.dims().back(), "scale");
    const auto features = static_cast<size_t>(input.dims().back());
    const auto to = context.output(0, DataType::float32, input.dims()).mutableValues<float>();
    dispatchAmong<float, double, int64_t, int32_t>(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = input.values<T>();
        Pace pace(context);
        for (size_t i = 0; i < from.size(); ++i) {
            const size_t feature = i % features;
            const float offset = attributes.offset[attributes.offset.size() == 1 ? 0 : feature];
            const float scale = attributes.scale[attributes.scale.size() == 1 ? 0 : feature];
            to[i] = static_cast<float>((static_cast<double>(from[i]) - static_cast<double>(offset)) *
                                       static_cast<double>(scale));
            pace.spend(2);
        }
    });
}

const OpDef scaler{
    .name = "Scaler",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .domain = mlDomain,
};
const Register<OpDef> registered{scaler};

}  // namespace
}  // namespace engine
