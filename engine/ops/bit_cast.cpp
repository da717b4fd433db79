#include <algorithm>
#include <cstring>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    DataType to = DataType::undefined;
};

Attributes parse(const AttributeReader& reader) {
    reader.integer("to");
    return {reader.dataType("to", DataType::undefined)};
}

void checkWidths(DataType from, DataType to) {
    if (bitsInFile(from) != 0 && bitsInFile(from) == bitsInFile(to)) return;
    fail("found ", from, " of ", bitsInFile(from), " bits to become ", to, " of ", bitsInFile(to),
         ", expected types of the same width");
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    const DataType to = context.attributes<Attributes>().to;
    checkWidths(type.element, to);
    type.element = to;
    context.setOutput(0, std::move(type));
}

/// Elements narrower than a byte lie in its low bits, those of signed types with their sign spread above.
uint8_t spread(uint8_t byte, DataType type) {
    const auto width = bitsInFile(type);
    const auto low = static_cast<uint8_t>(byte & ((1U << width) - 1));
    const bool isNegative = (type == DataType::int4 || type == DataType::int2) && (low >> (width - 1)) != 0;
    return isNegative ? static_cast<uint8_t>(low | (0xFFU << width)) : low;
}

void reference(KernelContext& context) {
    const DataType to = context.attributes<Attributes>().to;
    const Tensor& input = context.input(0);
    checkWidths(input.type(), to);
    Tensor& output = context.output(0, to, input.dims());
    if (bitsInFile(to) >= 8 && to != DataType::boolean) {
        std::memcpy(output.mutableData(), input.data(), input.bytes());
        return;
    }
    const auto* from = static_cast<const uint8_t*>(input.data());
    std::transform(from, from + input.elements(), static_cast<uint8_t*>(output.mutableData()),
                   [to](uint8_t byte) {
                       if (to == DataType::boolean) return static_cast<uint8_t>(byte != 0 ? 1 : 0);
                       return spread(byte, to);
                   });
}

const OpDef bitCast{
    .name = "BitCast",
    .sinceVersion = 26,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{bitCast};

}  // namespace
}  // namespace engine
