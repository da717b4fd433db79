#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/ml_scores.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    std::map<int64_t, size_t> integers = {};
    std::map<String, size_t> strings = {};
    size_t count = 0;
    bool mayBeUnknown = true;  ///< then none of the categories is hot
};

Attributes parse(const AttributeReader& reader) {
    const std::vector<int64_t> integers = reader.integers("cats_int64s");
    const std::vector<std::string> strings = reader.strings("cats_strings");
    if (integers.empty() == strings.empty()) {
        fail("found ", integers.empty() ? "neither" : "both",
             " of cats_int64s and cats_strings, expected one of them");
    }
    Attributes attributes{.count = std::max(integers.size(), strings.size()),
                          .mayBeUnknown = reader.integer("zeros", 1) != 0};
    for (size_t i = 0; i < integers.size(); ++i) attributes.integers[integers[i]] = i;
    for (size_t i = 0; i < strings.size(); ++i) attributes.strings[String(strings[i])] = i;
    return attributes;
}

void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, DataType::float32);
    Shape output = *input;
    output.emplace_back(static_cast<int64_t>(context.attributes<Attributes>().count));
    context.setOutput(0, DataType::float32, std::move(output));
}

template <class Values, class Places>
void encode(KernelContext& context, const Values& values, const Places& places) {
    const auto& attributes = context.attributes<Attributes>();
    Dims dims = context.input(0).dims();
    dims.push_back(static_cast<int64_t>(attributes.count));
    const auto to = context.output(0, DataType::float32, dims).mutableValues<float>();
    std::fill(to.begin(), to.end(), 0.0F);
    Pace pace(context);
    size_t row = 0;
    for (const auto& value : values) {
        const auto found = places.find(value);
        if (found != places.end()) {
            to[row * attributes.count + found->second] = 1;
        } else if (!attributes.mayBeUnknown) {
            fail("X: found '", value, "', which is no category");
        }
        pace.spend(8);
        ++row;
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    if (input.type() == DataType::string) {
        if (attributes.strings.empty()) fail("X: found strings, the categories are integers");
        return encode(context, input.values<String>(), attributes.strings);
    }
    if (attributes.integers.empty()) fail("X: found ", input.type(), ", the categories are strings");
    if (isInteger(input.type())) return encode(context, input.toInt64(), attributes.integers);
    std::vector<int64_t> whole;
    for (const double value : input.toDouble()) {
        if (!(std::abs(value) < 9e18)) fail("X: found ", value, ", which is no category");
        whole.push_back(static_cast<int64_t>(value));
    }
    encode(context, whole, attributes.integers);
}

const OpDef oneHotEncoder{
    .name = "OneHotEncoder",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .domain = mlDomain,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{oneHotEncoder};

}  // namespace
}  // namespace engine
