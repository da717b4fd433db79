#include "views/format.h"

#include <array>
#include <cmath>
#include <utility>

namespace views {

namespace {

/// A prefix and what it stands for.
struct Scaled {
    double factor;
    QString unit;
};

Scaled scaleOf(double magnitude, Unit unit) {
    static constexpr std::array prefixes{std::pair{1e15, "P"}, std::pair{1e12, "T"}, std::pair{1e9, "G"},
                                         std::pair{1e6, "M"}, std::pair{1e3, "k"}};
    if (unit == Unit::nanoseconds) {
        if (magnitude >= 0.9995e9) return {1e9, "s"};
        if (magnitude >= 0.9995e6) return {1e6, "ms"};
        if (magnitude >= 0.9995e3) return {1e3, "µs"};
        return {1, "ns"};
    }
    if (unit == Unit::share) return {0.01, "%"};
    QString name;
    if (unit == Unit::bytes) name = "B";
    if (unit == Unit::flops) name = "FLOP";
    if (unit == Unit::flopsPerSecond) name = "FLOP/s";
    if (unit == Unit::bytesPerSecond) name = "B/s";
    if (unit != Unit::none) {
        for (const auto& [factor, prefix] : prefixes) {
            if (magnitude >= 0.9995 * factor) return {factor, prefix + name};
        }
    }
    return {1, name};
}

/// Decimals that leave three significant digits.
int decimalsFor(double value) {
    const double magnitude = std::abs(value);
    if (magnitude >= 99.95) return 0;
    return magnitude >= 9.995 ? 1 : 2;
}

bool isWhole(double number) { return number == std::floor(number) && std::abs(number) < 1000; }

}  // namespace

QString format(double number, Unit unit) {
    if (!std::isfinite(number) || (number < 0 && unit != Unit::none && unit != Unit::share)) return "n/a";
    if (unit == Unit::none) return plainNumber(number);
    const Scaled scaled = scaleOf(std::abs(number), unit);
    const double value = number / scaled.factor;
    const bool isCounted = unit != Unit::share && scaled.factor == 1;
    const QString digits = QString::number(value, 'f', isCounted && isWhole(number) ? 0 : decimalsFor(value));
    return scaled.unit.isEmpty() ? digits : digits + ' ' + scaled.unit;
}

QString format(const engine::Estimate& estimate, Unit unit) {
    const Scaled scaled = scaleOf(std::abs(estimate.median), unit);
    const double value = estimate.median / scaled.factor;
    const int decimals = decimalsFor(value);
    const double spread = estimate.halfInterval() / scaled.factor;
    QString digits = QString::number(value, 'f', decimals);
    if (!scaled.unit.isEmpty()) digits += ' ' + scaled.unit;
    return digits + " ± " +
           QString::number(spread, 'f', spread < 0.5 * std::pow(10, -decimals) ? decimals + 1 : decimals);
}

QString describe(const engine::Estimate& estimate, Unit unit) {
    QString text =
        QString("median %1, 95 % interval %2 … %3, range %4 … %5, n = %6")
            .arg(format(estimate.median, unit), format(estimate.low, unit), format(estimate.high, unit),
                 format(estimate.minimum, unit), format(estimate.maximum, unit))
            .arg(estimate.count);
    if (estimate.isUnstable) text += ", unstable: the samples depend on each other";
    return text;
}

QString plainNumber(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    if (number == std::floor(number) && std::abs(number) < 1e6) return QString::number(number, 'f', 0);
    const double magnitude = std::abs(number);
    if (magnitude >= 1e6 || magnitude < 1e-4) return QString::number(number, 'e', 2);
    const int digits = static_cast<int>(std::floor(std::log10(magnitude)));
    return QString::number(number, 'f', std::max(0, 2 - digits));
}

QString shapeLabel(const engine::Type& type) {
    if (!type.shape) return "?";
    if (type.shape->empty()) return "scalar";
    QStringList dims;
    for (const engine::Dim& dim : *type.shape) dims << qstring(dim.text());
    return dims.join("×");
}

QString shapeLabel(const engine::Dims& dims) {
    if (dims.empty()) return "scalar";
    QStringList parts;
    for (const int64_t dim : dims) parts << QString::number(dim);
    return parts.join("×");
}

QString typeLabel(const engine::Type& type) {
    using Kind = engine::Type::Kind;
    switch (type.kind) {
        case Kind::tensor:
            return qstring(engine::name(type.element)) + ' ' + shapeLabel(type);
        case Kind::sparseTensor:
            return "sparse " + qstring(engine::name(type.element)) + ' ' + shapeLabel(type);
        case Kind::sequence:
            return "seq(" + (type.inner ? typeLabel(*type.inner) : QString("?")) + ')';
        case Kind::optional:
            return "optional(" + (type.inner ? typeLabel(*type.inner) : QString("?")) + ')';
        case Kind::map:
            return "map(" + qstring(engine::name(type.key)) + ", " +
                   (type.inner ? typeLabel(*type.inner) : QString("?")) + ')';
        case Kind::unknown:
            break;
    }
    return "unknown type";
}

QString qstring(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace views
