#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    std::optional<DataType> element;
    int64_t diagonal = 0;
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.element = std::nullopt, .diagonal = reader.integer("k", 0)};
    if (reader.has("dtype")) attributes.element = reader.dataType("dtype", DataType::float32);
    return attributes;
}

void infer(InferContext& context) {
    context.checkRank(0, 2, "input");
    Type type = context.inputType(0);
    type.element = context.attributes<Attributes>().element.value_or(type.element);
    context.setOutput(0, std::move(type));
}

template <class T>
void fill(std::span<T> matrix, int64_t columns, int64_t diagonal) {
    std::fill(matrix.begin(), matrix.end(), T{});
    const auto rows = columns == 0 ? 0 : static_cast<int64_t>(matrix.size()) / columns;
    if (diagonal <= -rows || diagonal >= columns) return;
    const T one(static_cast<T>(1.0F));
    for (int64_t row = std::max<int64_t>(0, -diagonal); row < rows && row + diagonal < columns; ++row) {
        matrix[static_cast<size_t>(row * columns + row + diagonal)] = one;
    }
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    checkRank(input, 2, "input");
    Tensor& output = context.output(0, attributes.element.value_or(input.type()), input.dims());
    dispatchAmong<float, double, Float16, BFloat16, bool, int64_t, int32_t, uint8_t, int8_t, uint16_t,
                  int16_t, uint32_t, uint64_t>(output.type(), [&]<typename T>(std::type_identity<T>) {
        fill(output.mutableValues<T>(), input.dims()[1], attributes.diagonal);
    });
}

const OpDef eyeLike{
    .name = "EyeLike",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{eyeLike};

}  // namespace
}  // namespace engine
