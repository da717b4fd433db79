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
    std::optional<int64_t> axis;  ///< nothing: of the flattened input
};

Attributes parse(const AttributeReader& reader) { return {reader.maybeInteger("axis")}; }

/// The slices that the condition keeps: it may be shorter than the axis, and what lies beyond is ignored.
std::vector<int64_t> keptSlices(const Tensor& condition, int64_t length) {
    const auto values = checkedValues<bool>(condition, "condition");
    std::vector<int64_t> kept;
    for (int64_t i = 0; i < std::min<int64_t>(length, condition.elements()); ++i) {
        if (values[static_cast<size_t>(i)]) kept.push_back(i);
    }
    return kept;
}

void infer(InferContext& context) {
    context.checkRank(1, 1, "condition");
    const auto& axis = context.attributes<Attributes>().axis;
    const Shape* input = context.inputShape(0);
    if (!axis) return context.setOutput(0, context.inputElement(0), Shape{Dim()});
    if (input == nullptr) return context.setOutput(0, context.inputElement(0));
    Shape output = *input;
    output[static_cast<size_t>(normalizedAxis(*axis, static_cast<int64_t>(output.size())))] = Dim();
    context.setOutput(0, context.inputElement(0), std::move(output));
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    checkRank(context.input(1), 1, "condition");
    const auto& attribute = context.attributes<Attributes>().axis;
    Dims dims = attribute ? input.dims() : Dims{input.elements()};
    const int64_t axis = attribute ? normalizedAxis(*attribute, input.rank()) : 0;
    const int64_t length = dims[static_cast<size_t>(axis)];
    const std::vector<int64_t> kept = keptSlices(context.input(1), length);
    const int64_t outer = elementCount(Dims(dims.begin(), dims.begin() + axis));
    const int64_t inner = elementCount(Dims(dims.begin() + axis + 1, dims.end()));
    dims[static_cast<size_t>(axis)] = static_cast<int64_t>(kept.size());
    Tensor& output = context.output(0, input.type(), dims);
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(input).begin();
        auto to = mutableElementsAs<T>(output).begin();
        Pace pace(context);
        for (int64_t block = 0; block < outer; ++block) {
            for (const int64_t slice : kept) {
                to = std::copy_n(from + (block * length + slice) * inner, inner, to);
                pace.spend(inner);
            }
        }
    });
}

const OpDef compress{
    .name = "Compress",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{compress};

}  // namespace
}  // namespace engine
