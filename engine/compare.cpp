#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "engine/session.h"

namespace engine {
namespace {

Dims indexOf(size_t position, const Dims& dims) {
    Dims index(dims.size());
    for (size_t axis = dims.size(); axis-- > 0;) {
        index[axis] = static_cast<int64_t>(position) % dims[axis];
        position /= static_cast<size_t>(dims[axis]);
    }
    return index;
}

Difference compareStrings(const Tensor& found, const Tensor& expected) {
    Difference difference{.isWithin = true};
    const auto left = found.values<String>();
    const auto right = expected.values<String>();
    for (size_t i = 0; i < left.size(); ++i) {
        if (left[i] == right[i]) continue;
        difference.index = indexOf(i, found.dims());
        difference.problem = text("'", left[i], "' instead of '", right[i], "'");
        difference.isWithin = false;
        return difference;
    }
    return difference;
}

struct Numbers {
    std::vector<double> values;
    size_t perElement = 1;
};

Numbers numbersOf(const Tensor& tensor) {
    if (tensor.type() != DataType::complex64 && tensor.type() != DataType::complex128)
        return {tensor.toDouble(), 1};
    Numbers numbers{{}, 2};
    dispatchAmong<std::complex<float>, std::complex<double>>(
        tensor.type(), [&]<typename T>(std::type_identity<T>) {
            for (const T& value : tensor.values<T>()) {
                numbers.values.push_back(static_cast<double>(value.real()));
                numbers.values.push_back(static_cast<double>(value.imag()));
            }
        });
    return numbers;
}

/// Whether integers too wide for a double differ: both 64-bit integers of the same type.
bool differsExactly(const Tensor& found, const Tensor& expected, size_t i) {
    if (found.type() == DataType::int64) return found.values<int64_t>()[i] != expected.values<int64_t>()[i];
    if (found.type() == DataType::uint64)
        return found.values<uint64_t>()[i] != expected.values<uint64_t>()[i];
    return false;
}

Difference compareTensors(const Tensor& found, const Tensor& expected, double relative, double absolute) {
    if (found.type() != expected.type() || found.dims() != expected.dims()) {
        return {.problem = text("it is ", found.type(), listText(found.dims()), ", expected ",
                                expected.type(), listText(expected.dims()))};
    }
    if (found.type() == DataType::string) return compareStrings(found, expected);
    const Numbers left = numbersOf(found);
    const Numbers right = numbersOf(expected);
    Difference difference{.isWithin = true};
    double worst = -1;
    bool isWorstWithin = true;
    for (size_t i = 0; i < left.values.size(); ++i) {
        const double a = left.values[i];
        const double b = right.values[i];
        if (std::isfinite(b))
            difference.largestMagnitude = std::max(difference.largestMagnitude, std::abs(b));
        if ((a == b && !differsExactly(found, expected, i)) || (std::isnan(a) && std::isnan(b))) continue;
        const double distance = std::isfinite(a) && std::isfinite(b)
                                    ? (a == b ? 1.0 : std::abs(a - b))
                                    : std::numeric_limits<double>::infinity();
        const double excess = distance - (absolute + relative * (std::isfinite(b) ? std::abs(b) : 0));
        const bool isWithin = excess <= 0;
        difference.isWithin = difference.isWithin && isWithin;
        const bool isWorse = isWithin == isWorstWithin ? distance > worst : isWorstWithin;
        if (!isWorse) continue;
        worst = distance;
        isWorstWithin = isWithin;
        difference.largest = distance;
        difference.found = a;
        difference.expected = b;
        difference.index = indexOf(i / left.perElement, found.dims());
    }
    return difference;
}

Difference compareSequences(const Sequence& found, const Sequence& expected, double relative,
                            double absolute) {
    if (found.items.size() != expected.items.size()) {
        return {.problem = text("it has ", found.items.size(), " items, expected ", expected.items.size())};
    }
    Difference worst{.isWithin = true};
    for (size_t i = 0; i < found.items.size(); ++i) {
        Difference item = compare(found.items[i], expected.items[i], relative, absolute);
        const bool isWorse = (worst.isWithin && !item.isWithin) ||
                             (worst.isWithin == item.isWithin && item.largest > worst.largest);
        if (!isWorse) continue;
        worst = std::move(item);
        worst.index.insert(worst.index.begin(), static_cast<int64_t>(i));
    }
    return worst;
}

}  // namespace

Difference compare(const Datum& found, const Datum& expected, double relative, double absolute) {
    if (found.isTensor() && expected.isTensor()) {
        return compareTensors(found.tensor(), expected.tensor(), relative, absolute);
    }
    if (found.isSequence() && expected.isSequence()) {
        return compareSequences(found.sequence(), expected.sequence(), relative, absolute);
    }
    if (found.isEmpty() && expected.isEmpty()) return {.isWithin = true};
    if (found.isMap() && expected.isMap()) {
        Difference keys = compareTensors(found.map().keys, expected.map().keys, 0, 0);
        if (!keys.isWithin) return keys;
        return compareTensors(found.map().values, expected.map().values, relative, absolute);
    }
    if (found.isSparse() && expected.isSparse()) {
        Difference places = compareTensors(found.sparse().indices, expected.sparse().indices, 0, 0);
        if (!places.isWithin) return places;
        return compareTensors(found.sparse().values, expected.sparse().values, relative, absolute);
    }
    const auto kind = [](const Datum& datum) {
        return datum.isEmpty() ? std::string("nothing") : typeText(datum.type());
    };
    return {.problem = text("it is ", kind(found), ", expected ", kind(expected))};
}

}  // namespace engine
