#include "engine/report/tensor_summary.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "engine/core/dispatch.h"
#include "engine/core/utf.h"

namespace engine {
namespace {

constexpr int64_t mostListed = 8;
constexpr size_t mostCharacters = 60;

std::vector<double> magnitudes(const Tensor& tensor) {
    if (tensor.type() != DataType::complex64 && tensor.type() != DataType::complex128)
        return tensor.toDouble();
    std::vector<double> result;
    dispatchAmong<std::complex<float>, std::complex<double>>(
        tensor.type(), [&]<typename T>(std::type_identity<T>) {
            for (const T& value : tensor.values<T>()) result.push_back(static_cast<double>(std::abs(value)));
        });
    return result;
}

std::string shortForm(const String& value) {
    std::u32string points = utf32(printable(std::string(value))).value_or(U"");
    if (points.size() > mostCharacters) points = points.substr(0, mostCharacters - 1) + U'…';
    return utf8(points);
}

std::string number(double value) {
    std::ostringstream stream;
    stream << std::setprecision(4) << value;
    return stream.str();
}

std::string listed(const Tensor& tensor) {
    std::ostringstream stream;
    stream << std::setprecision(4);
    const char* separator = "[";
    dispatchAny(tensor.type(), [&]<typename T>(std::type_identity<T>) {
        for (const T& value : tensor.values<T>()) {
            stream << separator;
            separator = ", ";
            if constexpr (std::is_same_v<T, String>) {
                stream << '"' << shortForm(value) << '"';
            } else if constexpr (std::is_same_v<T, bool>) {
                stream << (value ? "true" : "false");
            } else if constexpr (std::is_integral_v<T> || requires { value.value; }) {
                stream << +static_cast<int64_t>(value);
            } else if constexpr (requires { value.bits; }) {
                stream << static_cast<float>(value);
            } else {
                stream << value;
            }
        }
    });
    return stream.str() + "]";
}

std::string tensorText(const Tensor& tensor) {
    if (tensor.elements() == 0) return "no elements";
    if (tensor.elements() <= mostListed) return listed(tensor);
    if (tensor.type() == DataType::string) return text('"', shortForm(tensor.values<String>()[0]), "\", …");
    const TensorSummary summary = summarize(tensor);
    std::string result = summary.hasFigures ? number(summary.minimum) + " … " + number(summary.maximum) +
                                                  ", mean " + number(summary.mean)
                                            : "no finite number";
    if (summary.notANumber > 0) result += text(", ", summary.notANumber, " NaN");
    if (summary.infinite > 0) result += text(", ", summary.infinite, " infinite");
    return result;
}

Json tensorJson(const Tensor& tensor) {
    const TensorSummary summary = summarize(tensor);
    Json json = {{"elements", summary.elements}};
    if (summary.hasFigures) {
        json["minimum"] = summary.minimum;
        json["maximum"] = summary.maximum;
        json["mean"] = summary.mean;
    }
    if (tensor.type() != DataType::string) {
        json["not_a_number"] = summary.notANumber;
        json["infinite"] = summary.infinite;
    }
    return json;
}

}  // namespace

TensorSummary summarize(const Tensor& tensor) {
    TensorSummary summary{.elements = tensor.elements()};
    if (tensor.type() == DataType::string) return summary;
    double sum = 0;
    int64_t count = 0;
    for (const double value : magnitudes(tensor)) {
        if (std::isnan(value)) {
            ++summary.notANumber;
        } else if (std::isinf(value)) {
            ++summary.infinite;
        } else {
            summary.minimum = count == 0 ? value : std::min(summary.minimum, value);
            summary.maximum = count == 0 ? value : std::max(summary.maximum, value);
            sum += value;
            ++count;
        }
    }
    summary.hasFigures = count > 0;
    if (count > 0) summary.mean = sum / static_cast<double>(count);
    return summary;
}

std::string summaryText(const Datum& datum) {
    if (datum.isTensor()) return tensorText(datum.tensor());
    if (datum.isSequence()) return text(datum.sequence().items.size(), " items");
    if (datum.isMap()) return text(datum.map().keys.elements(), " entries");
    if (datum.isSparse()) return text(datum.sparse().values.elements(), " values");
    return "absent";
}

Json summaryJson(const Datum& datum) {
    if (datum.isTensor()) return tensorJson(datum.tensor());
    if (datum.isSequence()) {
        Json items = Json::array();
        for (const Datum& item : datum.sequence().items) items.push_back(summaryJson(item));
        return {{"items", std::move(items)}};
    }
    if (datum.isMap()) return {{"entries", datum.map().keys.elements()}};
    if (datum.isSparse()) return {{"values", tensorJson(datum.sparse().values)}};
    return nullptr;
}

}  // namespace engine
