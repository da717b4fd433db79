#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/indices.h"
#include "engine/ops/op.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
};

Attributes parse(const AttributeReader& reader) { return {.axis = reader.integer("axis", 0)}; }

void infer(InferContext& context) {
    const std::optional<int64_t> rank = context.inputRank(0);
    if (rank) {
        normalizedAxis(context.attributes<Attributes>().axis, *rank);
        context.checkRank(1, *rank, "indices");
    }
    Type type = context.inputType(1);
    type.element = context.inputElement(0);
    context.setOutput(0, std::move(type));
}

void reference(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const auto axis = static_cast<size_t>(normalizedAxis(context.attributes<Attributes>().axis, data.rank()));
    checkWithin(indices.dims(), data.dims(), axis, "indices");
    const std::vector<int64_t> positions = indices.toInt64();
    Dims strides = rowMajorStrides(data.dims());
    const int64_t stride = std::exchange(strides[axis], 0);
    Tensor& output = context.output(0, data.type(), indices.dims());
    dispatchStorage(data.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(data);
        const auto to = mutableElementsAs<T>(output);
        Walk<1>(indices.dims(), {strides}).forEach(context, [&](size_t i, const auto& at) {
            const int64_t index = countedIndex(positions[i], data.dims()[axis]);
            to[i] = from[static_cast<size_t>(at[0] + index * stride)];
        });
    });
}

const OpDef gatherElements{
    .name = "GatherElements",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{gatherElements};

}  // namespace
}  // namespace engine
