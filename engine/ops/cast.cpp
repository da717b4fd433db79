#include <charconv>
#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    DataType to;
    Overflow overflow;
    std::string roundMode;
};

Attributes parseOptions(const AttributeReader& reader, DataType to) {
    return {.to = to,
            .overflow = reader.integer("saturate", 1) != 0 ? Overflow::saturate : Overflow::toInfinityOrNan,
            .roundMode = reader.choice("round_mode", "up", {"up", "down", "nearest"})};
}

Attributes parse(const AttributeReader& reader) {
    const Attribute* to = reader.node().attribute("to");
    if (to != nullptr && std::holds_alternative<std::string>(to->value)) {
        // Before opset 6 the type was named.
        std::string name = std::get<std::string>(to->value);
        for (char& letter : name)
            letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        const std::optional<DataType> type = dataTypeNamed(name);
        if (!type) fail("attribute 'to' is '", name, "', which is no element type of ONNX");
        return parseOptions(reader, *type);
    }
    reader.integer("to");
    return parseOptions(reader, reader.dataType("to", DataType::undefined));
}

Attributes parseLike(const AttributeReader& reader) { return parseOptions(reader, DataType::undefined); }

template <class T>
constexpr bool isSmallInteger = requires(T number) {
    number.value;
};
template <class T>
constexpr bool isMiniFloat = !std::is_arithmetic_v<T> && !isSmallInteger<T> && sizeof(T) == 1;

/// A number in the widest type of its kind: double, int64_t or uint64_t.
template <class From>
auto widened(From value) {
    if constexpr (isSmallInteger<From>) {
        return static_cast<int64_t>(value.value);
    } else if constexpr (std::is_floating_point_v<From>) {
        return static_cast<double>(value);
    } else if constexpr (std::is_same_v<From, uint64_t>) {
        return value;
    } else if constexpr (std::is_integral_v<From>) {
        return static_cast<int64_t>(value);
    } else {
        return static_cast<double>(static_cast<float>(value));
    }
}

/// Truncates towards zero; beyond the range the low bits of the nearest int64 remain, NaN gives the smallest
/// number: what conversions of x86-64 processors make of it.
template <class To>
To toInteger(double value) {
    if (std::isnan(value)) return static_cast<To>(std::numeric_limits<int64_t>::min());
    if constexpr (std::is_same_v<To, uint64_t>) {
        if (value >= 9223372036854775808.0)
            return value >= 18446744073709551616.0 ? UINT64_MAX : static_cast<To>(value);
    }
    if (value >= 9223372036854775808.0) return static_cast<To>(std::numeric_limits<int64_t>::max());
    if (value <= -9223372036854775808.0) return static_cast<To>(std::numeric_limits<int64_t>::min());
    return static_cast<To>(static_cast<int64_t>(value));
}

template <class To, class Wide>
To converted(Wide value, Overflow overflow) {
    if constexpr (std::is_same_v<To, bool>) {
        return value != Wide{};
    } else if constexpr (std::is_integral_v<To>) {
        if constexpr (std::is_same_v<Wide, double>) {
            return toInteger<To>(value);
        } else {
            return static_cast<To>(value);
        }
    } else if constexpr (isSmallInteger<To>) {
        if constexpr (std::is_same_v<Wide, double>) {
            // Beyond the range ONNX leaves it open; its own implementation says 0.
            const double whole = std::trunc(value);
            const To result(std::abs(whole) < 128 ? static_cast<int64_t>(whole) : 0);
            return static_cast<double>(result.value) == whole ? result : To(0);
        } else {
            return To(static_cast<int64_t>(value));
        }
    } else if constexpr (isMiniFloat<To>) {
        return To(static_cast<float>(value), overflow);
    } else if constexpr (std::is_floating_point_v<To>) {
        return static_cast<To>(value);
    } else {
        return To(static_cast<float>(value));
    }
}

/// float8e8m0 holds powers of two only; `round_mode` says which of the two next to a number.
Float8E8M0 toPowerOfTwo(double value, const Attributes& attributes) {
    const auto number = static_cast<float>(value);
    if (!std::isfinite(number) || number <= 0) return Float8E8M0(number, attributes.overflow);
    int exponent = 0;
    const float fraction =
        std::frexp(number, &exponent);  // number = fraction * 2^exponent, 0.5 <= fraction < 1
    float power = std::ldexp(1.0F, exponent - 1);
    const bool isBetween = fraction != 0.5F;
    const bool goesUp =
        attributes.roundMode == "up" || (attributes.roundMode == "nearest" && fraction >= 0.75F);
    if (isBetween && goesUp) power *= 2;
    return Float8E8M0(power, attributes.overflow);
}

template <class From, class To>
void convert(KernelContext& context, const Tensor& input, Tensor& output, const Attributes& attributes) {
    const auto from = input.values<From>();
    const auto to = output.mutableValues<To>();
    Pace pace(context);
    for (size_t i = 0; i < from.size(); ++i) {
        if constexpr (std::is_same_v<To, Float8E8M0>) {
            to[i] = toPowerOfTwo(static_cast<double>(widened(from[i])), attributes);
        } else {
            to[i] = converted<To>(widened(from[i]), attributes.overflow);
        }
        pace.spend(1);
    }
}

/// As C's printf("%.8g") and "%.17g" would, with NaN, INF and -INF, and a trailing ".0" left out.
template <class From>
std::string textOf(From value) {
    const auto wide = widened(value);
    if constexpr (std::is_same_v<From, bool>) {
        return value ? "1" : "0";
    } else if constexpr (std::is_same_v<decltype(wide), const double>) {
        if (std::isnan(wide)) return "NaN";
        if (std::isinf(wide)) return wide > 0 ? "INF" : "-INF";
        char buffer[64];
        const auto end = std::is_same_v<From, double>
                             ? std::to_chars(buffer, std::end(buffer), static_cast<double>(wide))
                             : std::to_chars(buffer, std::end(buffer), static_cast<float>(wide));
        return {buffer, end.ptr};
    } else {
        return std::to_string(wide);
    }
}

double numberIn(const String& word) {
    const char* start = word.c_str();
    char* end = nullptr;
    const double value = std::strtod(start, &end);
    while (end != start && std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
    if (end == start || *end != '\0') fail("'", word, "' is no number");
    return value;
}

template <class To>
To parsedAs(const String& word, const Attributes& attributes) {
    if constexpr (std::is_integral_v<To> && !std::is_same_v<To, bool>) {
        To integer{};
        const auto end = std::from_chars(word.data(), word.data() + word.size(), integer);
        if (end.ec == std::errc() && end.ptr == word.data() + word.size()) return integer;
    }
    return converted<To>(numberIn(word), attributes.overflow);
}

void toStrings(const Tensor& input, Tensor& output) {
    const auto to = output.mutableValues<String>();
    dispatchReal(input.type(), [&]<typename From>(std::type_identity<From>) {
        const auto from = input.values<From>();
        for (size_t i = 0; i < from.size(); ++i) to[i] = textOf(from[i]);
    });
}

void fromStrings(const Tensor& input, Tensor& output, const Attributes& attributes) {
    const auto from = input.values<String>();
    dispatchReal(output.type(), [&]<typename To>(std::type_identity<To>) {
        const auto to = output.mutableValues<To>();
        for (size_t i = 0; i < from.size(); ++i) to[i] = parsedAs<To>(from[i], attributes);
    });
}

void castTo(KernelContext& context, DataType type) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    Tensor& output = context.output(0, type, input.dims());
    if (input.type() == type) {
        dispatchStorage(type, [&]<typename T>(std::type_identity<T>) {
            const auto from = elementsAs<T>(input);
            std::copy(from.begin(), from.end(), mutableElementsAs<T>(output).begin());
        });
    } else if (type == DataType::string) {
        toStrings(input, output);
    } else if (input.type() == DataType::string) {
        fromStrings(input, output, attributes);
    } else {
        dispatchReal(input.type(), [&]<typename From>(std::type_identity<From>) {
            dispatchReal(type, [&]<typename To>(std::type_identity<To>) {
                convert<From, To>(context, input, output, attributes);
            });
        });
    }
}

/// Shape arithmetic stays what it is through integers, and through floating point while nobody divides.
void inferTo(InferContext& context, DataType type) {
    Type result = context.inputType(0);
    result.element = type;
    context.setOutput(0, std::move(result));
    const DataType from = context.inputElement(0);
    const bool isShapeArithmetic = isInteger(from) && (type == DataType::int64 || type == DataType::int32);
    if (!isShapeArithmetic) return;
    if (auto elements = context.inputElements(0)) context.setOutputElements(0, std::move(*elements));
}

void infer(InferContext& context) { inferTo(context, context.attributes<Attributes>().to); }
void reference(KernelContext& context) { castTo(context, context.attributes<Attributes>().to); }

const OpDef cast{
    .name = "Cast",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .elementwise = true,
};
const Register<OpDef> registered{cast};

void inferLike(InferContext& context) { inferTo(context, context.inputElement(1)); }
void referenceLike(KernelContext& context) { castTo(context, context.input(1).type()); }

const OpDef castLike{
    .name = "CastLike",
    .sinceVersion = 15,
    .attributes = parsed<parseLike>,
    .infer = inferLike,
    .work = noWork,
    .reference = referenceLike,
};
const Register<OpDef> registeredLike{castLike};

}  // namespace
}  // namespace engine
