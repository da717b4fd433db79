#include "engine/ops/binary.h"

namespace engine {
namespace {

struct Attributes : BinaryAttributes {
    bool toTheLeft = false;
};

Attributes parse(const AttributeReader& reader) {
    reader.string("direction");
    Attributes attributes;
    attributes.toTheLeft = reader.choice("direction", "", {"LEFT", "RIGHT"}) == "LEFT";
    return attributes;
}

/// Shifts by all bits or more leave nothing (or, of a negative number to the right, its sign).
template <class T>
T shifted(T value, T by, bool toTheLeft) {
    using Bits = std::make_unsigned_t<T>;
    constexpr int width = std::numeric_limits<Bits>::digits;
    const bool isWhole = by < T{} || static_cast<Bits>(by) >= static_cast<Bits>(width);
    if (toTheLeft) return isWhole ? T{} : static_cast<T>(static_cast<uint64_t>(value) << by);
    if (isWhole) return value < T{} ? static_cast<T>(-1) : T{};
    return static_cast<T>(value >> by);
}

void reference(KernelContext& context) {
    const bool toTheLeft = context.attributes<Attributes>().toTheLeft;
    dispatchInteger(context.input(0).type(), [&]<typename T>(std::type_identity<T>) {
        combineElements<T, T, T>(context, [&](T value, T by) { return shifted(value, by, toTheLeft); });
    });
}

const OpDef bitShift{
    .name = "BitShift",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = inferArithmetic,
    .work = onePerOutput,
    .reference = reference,
    .tolerance = Tolerance::exact,
    .elementwise = true,
};
const Register<OpDef> registered{bitShift};

}  // namespace
}  // namespace engine
