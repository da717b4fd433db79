#include "views/graph/tensor_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "views/format.h"

namespace views {

namespace {

constexpr size_t block = 1 << 16;  // elements between two looks at the observer
constexpr int64_t mostRows = 8;
constexpr int64_t mostColumns = 6;

bool isReal(engine::DataType type) {
    return type == engine::DataType::boolean || engine::isFloatingPoint(type) || engine::isInteger(type);
}

/// Calls `visit(double)` on each element.
template <class Visit>
void visitAll(const engine::Tensor& tensor, engine::Observer& observer, const Visit& visit) {
    engine::dispatchReal(tensor.type(), [&]<typename T>(std::type_identity<T>) {
        const auto values = tensor.values<T>();
        for (size_t index = 0; index < values.size(); ++index) {
            if (index % block == 0) observer.checkpoint();
            if constexpr (std::is_convertible_v<T, double>) {
                visit(static_cast<double>(values[index]));
            } else {
                visit(static_cast<double>(static_cast<float>(values[index])));
            }
        }
    });
}

TensorStatistics statisticsOf(const engine::Tensor& tensor, engine::Observer& observer) {
    TensorStatistics result;
    result.minimum = std::numeric_limits<double>::infinity();
    result.maximum = -result.minimum;
    double squares = 0;
    visitAll(tensor, observer, [&](double value) {
        if (std::isnan(value)) {
            ++result.nans;
        } else if (std::isinf(value)) {
            ++result.infinities;
        } else {
            ++result.count;
            result.minimum = std::min(result.minimum, value);
            result.maximum = std::max(result.maximum, value);
            if (value == 0) ++result.zeros;
            // Welford's update keeps the digits of a large mean.
            const double offset = value - result.mean;
            result.mean += offset / static_cast<double>(result.count);
            squares += offset * (value - result.mean);
        }
    });
    if (result.count == 0) return result;
    result.deviation = std::sqrt(squares / static_cast<double>(result.count));
    const double range = result.maximum - result.minimum;
    const auto last = result.histogram.size() - 1;
    visitAll(tensor, observer, [&](double value) {
        if (!std::isfinite(value)) return;
        const double place = range > 0 ? (value - result.minimum) / range * static_cast<double>(last + 1) : 0;
        ++result.histogram[std::min(static_cast<size_t>(place), last)];
    });
    return result;
}

QString elementText(const engine::Tensor& tensor, int64_t index) {
    const auto at = static_cast<size_t>(index);
    if (tensor.type() == engine::DataType::string)
        return qstring(tensor.values<engine::String>()[at]).left(24);
    QString text;
    engine::dispatchAny(tensor.type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
            const T value = tensor.values<T>()[at];
            text = plainNumber(static_cast<double>(value.real())) + " + " +
                   plainNumber(static_cast<double>(value.imag())) + "i";
        } else if constexpr (std::is_same_v<T, bool>) {
            text = tensor.values<bool>()[at] ? "true" : "false";
        } else if constexpr (std::is_integral_v<T>) {
            text = QString::number(tensor.values<T>()[at]);
        } else if constexpr (!std::is_same_v<T, engine::String>) {
            text = plainNumber(static_cast<double>(tensor.values<T>()[at]));
        }
    });
    return text;
}

void fillPreview(const engine::Tensor& tensor, TensorSummary& summary) {
    if (tensor.elements() == 0) return;
    const engine::Dims& dims = tensor.dims();
    const int64_t columns = dims.empty() ? 1 : dims.back();
    const int64_t rows = dims.size() < 2 ? 1 : dims[dims.size() - 2];
    for (int64_t row = 0; row < std::min(rows, mostRows); ++row) {
        std::vector<QString> cells;
        for (int64_t column = 0; column < std::min(columns, mostColumns); ++column) {
            cells.push_back(elementText(tensor, row * columns + column));
        }
        summary.rows.push_back(std::move(cells));
    }
    summary.isCutRight = columns > mostColumns;
    summary.isCutBelow = tensor.elements() / columns > mostRows || rows > mostRows;
}

}  // namespace

TensorSummary summarizeTensor(const engine::Tensor& tensor, engine::Observer& observer) {
    TensorSummary summary{.type = tensor.type(), .dims = tensor.dims(), .bytes = tensor.bytes()};
    if (isReal(tensor.type())) summary.statistics = statisticsOf(tensor, observer);
    fillPreview(tensor, summary);
    return summary;
}

}  // namespace views
