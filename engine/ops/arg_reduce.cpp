#include "engine/core/dispatch.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
    bool keepDims;
    bool takesLast;  ///< of several equal elements
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", 0),
            .keepDims = reader.integer("keepdims", 1) != 0,
            .takesLast = reader.integer("select_last_index", 0) != 0};
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return context.setOutput(0, DataType::int64);
    const int64_t axis = normalizedAxis(attributes.axis, static_cast<int64_t>(shape->size()));
    Shape result = *shape;
    if (attributes.keepDims) {
        result[static_cast<size_t>(axis)] = 1;
    } else {
        result.erase(result.begin() + axis);
    }
    context.setOutput(0, DataType::int64, std::move(result));
}

/// Whether `candidate` takes the place of `best`.
template <bool isMaximum, class T>
bool wins(T candidate, T best, bool takesLast) {
    if (candidate == best) return takesLast;
    return isMaximum ? candidate > best : candidate < best;
}

template <bool isMaximum, class T>
void search(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const auto axis = static_cast<size_t>(normalizedAxis(attributes.axis, input.rank()));
    Dims outputDims = input.dims();
    const int64_t length = outputDims[axis];
    int64_t inner = 1;
    for (size_t i = axis + 1; i < outputDims.size(); ++i) inner *= outputDims[i];
    if (attributes.keepDims) {
        outputDims[axis] = 1;
    } else {
        outputDims.erase(outputDims.begin() + static_cast<ptrdiff_t>(axis));
    }
    if (length == 0 && elementCount(outputDims) > 0)
        fail("axis ", axis, " of ", listText(input.dims()), " is empty");
    const auto to = context.output(0, DataType::int64, outputDims).template mutableValues<int64_t>();
    const auto from = input.values<T>();
    for (size_t i = 0; i < to.size(); ++i) {
        if (i % 4096 == 0) context.checkpoint();
        const int64_t start =
            static_cast<int64_t>(i) / inner * inner * length + static_cast<int64_t>(i) % inner;
        int64_t best = 0;
        for (int64_t k = 1; k < length; ++k) {
            const T candidate = from[static_cast<size_t>(start + k * inner)];
            if (wins<isMaximum>(candidate, from[static_cast<size_t>(start + best * inner)],
                                attributes.takesLast))
                best = k;
        }
        to[i] = best;
    }
}

template <bool isMaximum>
void reference(KernelContext& context) {
    dispatchNumeric(context.input(0).type(),
                    [&]<typename T>(std::type_identity<T>) { search<isMaximum, T>(context); });
}

const OpDef argMax{
    .name = "ArgMax",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerInput,
    .reference = reference<true>,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredMax{argMax};

const OpDef argMin{
    .name = "ArgMin",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerInput,
    .reference = reference<false>,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registeredMin{argMin};

}  // namespace
}  // namespace engine
