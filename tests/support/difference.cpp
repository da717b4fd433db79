#include "tests/support/difference.h"

#include <cmath>
#include <complex>

#include "engine/core/dispatch.h"

namespace test {

using engine::DataType;
using engine::Datum;
using engine::Dims;
using engine::Tensor;
using engine::Tolerance;

namespace {

/// How far two right results of an element type may be apart: `relative` of the expected number, or of one if
/// that is more.
double allowedDifference(DataType type) {
    switch (type) {
        case DataType::float64:
        case DataType::complex128:
            return 1e-11;
        case DataType::float16:
            return 2e-3;
        case DataType::bfloat16:
            return 1.6e-2;
        default:
            return 4e-6;
    }
}

Dims indexOf(size_t position, const Dims& dims) {
    Dims index(dims.size());
    for (size_t axis = dims.size(); axis-- > 0;) {
        index[axis] = static_cast<int64_t>(position) % dims[axis];
        position /= static_cast<size_t>(dims[axis]);
    }
    return index;
}

/// Zero if the numbers count as equal; above one if they differ too much.
double excess(double found, double expected, double allowed) {
    if (std::isnan(found) || std::isnan(expected))
        return std::isnan(found) && std::isnan(expected) ? 0 : INFINITY;
    if (found == expected) return 0;
    if (allowed == 0 || std::isinf(found) || std::isinf(expected)) return INFINITY;
    return std::abs(found - expected) / (allowed * std::max(std::abs(expected), 1.0));
}

template <class T>
std::string print(const T& value) {
    if constexpr (std::is_same_v<T, engine::String>) return engine::text("'", value, "'");
    if constexpr (std::is_same_v<T, uint8_t> || std::is_same_v<T, int8_t>) return std::to_string(int{value});
    if constexpr (std::is_class_v<T> && !std::is_same_v<T, engine::String> &&
                  std::is_convertible_v<T, float>) {
        return engine::text(static_cast<float>(value));
    } else {
        return engine::text(value);
    }
}

template <class T>
double excessOf(const T& found, const T& expected, double allowed) {
    if constexpr (std::is_same_v<T, engine::String>) {
        return found == expected ? 0 : INFINITY;
    } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        return std::max(excess(found.real(), expected.real(), allowed),
                        excess(found.imag(), expected.imag(), allowed));
    } else if constexpr (std::is_integral_v<T>) {
        return found == expected ? 0 : INFINITY;
    } else {
        return excess(static_cast<double>(found), static_cast<double>(expected), allowed);
    }
}

template <class T>
std::string elementDifference(const Tensor& found, const Tensor& expected, double allowed) {
    double worst = 1;
    size_t place = found.values<T>().size();
    for (size_t i = 0; i < found.values<T>().size(); ++i) {
        const double here = excessOf<T>(found.values<T>()[i], expected.values<T>()[i], allowed);
        if (here <= worst) continue;
        worst = here;
        place = i;
    }
    if (place == found.values<T>().size()) return {};
    return engine::text("element ", engine::listText(indexOf(place, found.dims())), " is ",
                        print<T>(found.values<T>()[place]), ", expected ",
                        print<T>(expected.values<T>()[place]));
}

std::string tensorDifference(const Tensor& found, const Tensor& expected, Tolerance tolerance) {
    const std::string foundType = typeText(Datum(found).type());
    const std::string expectedType = typeText(Datum(expected).type());
    if (foundType != expectedType) return "found " + foundType + ", expected " + expectedType;
    if (tolerance == Tolerance::random) return {};
    const double allowed = tolerance == Tolerance::exact ? 0 : allowedDifference(found.type());
    std::string result;
    engine::dispatchAny(found.type(), [&]<typename T>(std::type_identity<T>) {
        result = elementDifference<T>(found, expected, allowed);
    });
    return result;
}

std::string sequenceDifference(const engine::Sequence& found, const engine::Sequence& expected,
                               Tolerance tolerance) {
    if (found.items.size() != expected.items.size()) {
        return engine::text("found ", found.items.size(), " items, expected ", expected.items.size());
    }
    for (size_t i = 0; i < found.items.size(); ++i) {
        const std::string item = difference(found.items[i], expected.items[i], tolerance);
        if (!item.empty()) return engine::text("item ", i, ": ", item);
    }
    return {};
}

}  // namespace

std::string difference(const Datum& found, const Datum& expected, Tolerance tolerance) {
    if (found.isEmpty() && expected.isEmpty()) return {};
    if (found.isTensor() && expected.isTensor()) {
        return tensorDifference(found.tensor(), expected.tensor(), tolerance);
    }
    if (found.isSequence() && expected.isSequence()) {
        return sequenceDifference(found.sequence(), expected.sequence(), tolerance);
    }
    if (found.isMap() && expected.isMap()) {
        const std::string keys = difference(found.map().keys, expected.map().keys, Tolerance::exact);
        return keys.empty() ? difference(found.map().values, expected.map().values, tolerance) : keys;
    }
    const auto kind = [](const Datum& datum) { return datum.isEmpty() ? "nothing" : typeText(datum.type()); };
    return "found " + kind(found) + ", expected " + kind(expected);
}

}  // namespace test
