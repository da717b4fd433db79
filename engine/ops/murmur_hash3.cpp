#include <bit>
#include <cstring>

#include "engine/core/dispatch.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    uint32_t seed = 0;
    bool isPositive = true;
};

Attributes parse(const AttributeReader& reader) {
    return {.seed = static_cast<uint32_t>(reader.integer("seed", 0)),
            .isPositive = reader.integer("positive", 1) != 0};
}

void infer(InferContext& context) {
    Type type = context.inputType(0);
    type.element = context.attributes<Attributes>().isPositive ? DataType::uint32 : DataType::int32;
    context.setOutput(0, std::move(type));
}

uint32_t stirred(uint32_t word) { return std::rotl(word * 0xCC9E2D51U, 15) * 0x1B873593U; }

/// The 32-bit MurmurHash3 of some bytes, read as little-endian words.
uint32_t hash(const uint8_t* bytes, size_t count, uint32_t seed) {
    uint32_t state = seed;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        uint32_t word = 0;
        std::memcpy(&word, bytes + i, 4);
        state = std::rotl(state ^ stirred(word), 13) * 5 + 0xE6546B64U;
    }
    uint32_t rest = 0;
    for (size_t shift = 0; i < count; ++i, shift += 8) rest |= static_cast<uint32_t>(bytes[i]) << shift;
    state ^= stirred(rest) ^ static_cast<uint32_t>(count);
    state = (state ^ (state >> 16)) * 0x85EBCA6BU;
    state = (state ^ (state >> 13)) * 0xC2B2AE35U;
    return state ^ (state >> 16);
}

void reference(KernelContext& context) {
    const uint32_t seed = context.attributes<Attributes>().seed;
    const Tensor& input = context.input(0);
    Tensor& output = context.output(0, input.dims());
    const auto to = mutableElementsAs<uint32_t>(output);
    Pace pace(context);
    if (input.type() == DataType::string) {
        const auto words = input.values<String>();
        for (size_t i = 0; i < words.size(); ++i) {
            to[i] = hash(reinterpret_cast<const uint8_t*>(words[i].data()), words[i].size(), seed);
            pace.spend(static_cast<int64_t>(words[i].size()));
        }
        return;
    }
    dispatchAmong<int32_t, uint32_t, int64_t, uint64_t, float, double>(
        input.type(), [&]<typename T>(std::type_identity<T>) {
            const auto* bytes = static_cast<const uint8_t*>(input.data());
            for (size_t i = 0; i < to.size(); ++i) {
                to[i] = hash(bytes + i * sizeof(T), sizeof(T), seed);
                pace.spend(4);
            }
        });
}

const OpDef murmurHash3{
    .name = "MurmurHash3",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
    .domain = "com.microsoft",
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{murmurHash3};

}  // namespace
}  // namespace engine
