#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis = 0;
    bool keepsAxis = true;  ///< only where every slice becomes an item of its own
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", 0), .keepsAxis = reader.integer("keepdims", 1) != 0};
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* input = context.inputShape(0);
    if (input == nullptr) {
        return context.setOutput(0, Type::sequence(Type::tensor(context.inputElement(0))));
    }
    Shape item = *input;
    const int64_t axis = normalizedAxis(attributes.axis, static_cast<int64_t>(item.size()));
    Dim& length = item[static_cast<size_t>(axis)];
    if (!context.hasInput(1)) {
        length = 1;
        if (!attributes.keepsAxis) item.erase(item.begin() + axis);
    } else {
        const auto parts = context.inputElements(1);
        const bool areEqual = parts && !parts->empty() &&
                              std::all_of(parts->begin(), parts->end(),
                                          [&](const Dim& part) { return part == parts->front(); });
        const bool isEvenlySplit = areEqual && context.inputRank(1) == 1;
        length = isEvenlySplit ? parts->front() : Dim();
    }
    context.setOutput(0, Type::sequence(Type::tensor(context.inputElement(0), std::move(item))));
}

/// The lengths that the input `split` asks for: a list, or one length for all parts but perhaps the last.
std::vector<int64_t> lengths(const Tensor& split, int64_t total) {
    const std::vector<int64_t> given = split.toInt64();
    if (split.rank() == 1) {
        int64_t sum = 0;
        for (const int64_t length : given) {
            if (length < 0 || length > total - sum) {
                fail("split: found ", listText(given), ", expected lengths that add up to ", total);
            }
            sum += length;
        }
        if (sum != total) fail("split: found ", listText(given), ", expected lengths that add up to ", total);
        return given;
    }
    if (split.rank() != 0 || given[0] < 1) {
        fail("split: found rank ", split.rank(), ", expected a list of lengths or one of at least 1");
    }
    std::vector<int64_t> result;
    for (int64_t start = 0; start < total; start += std::min(given[0], total - start)) {
        result.push_back(std::min(given[0], total - start));
    }
    return result;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const int64_t axis = normalizedAxis(attributes.axis, input.rank());
    const int64_t total = input.dims()[static_cast<size_t>(axis)];
    const std::vector<int64_t> parts = context.hasInput(1)
                                           ? lengths(context.input(1), total)
                                           : std::vector<int64_t>(static_cast<size_t>(total), 1);
    const bool dropsAxis = !context.hasInput(1) && !attributes.keepsAxis;
    const int64_t outer = elementCount(Dims(input.dims().begin(), input.dims().begin() + axis));
    const int64_t inner = elementCount(Dims(input.dims().begin() + axis + 1, input.dims().end()));
    Sequence sequence{Type::tensor(input.type()), {}};
    Pace pace(context);
    int64_t start = 0;
    for (const int64_t part : parts) {
        Dims dims = input.dims();
        dims[static_cast<size_t>(axis)] = part;
        if (dropsAxis) dims.erase(dims.begin() + axis);
        Tensor item = Tensor::allocate(input.type(), dims);
        dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
            const auto from = elementsAs<T>(input).begin() + start * inner;
            auto to = mutableElementsAs<T>(item).begin();
            for (int64_t block = 0; block < outer; ++block) {
                to = std::copy_n(from + block * total * inner, part * inner, to);
                pace.spend(part * inner);
            }
        });
        sequence.items.emplace_back(std::move(item));
        start += part;
    }
    context.setOutput(0, std::move(sequence));
}

const OpDef splitToSequence{
    .name = "SplitToSequence",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{splitToSequence};

}  // namespace
}  // namespace engine
