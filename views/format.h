#pragma once

#include <QString>
#include <QStringList>

#include "engine/core/type.h"
#include "engine/profile/statistics.h"

namespace views {

/// What a number measures, and so how it is written.
enum class Unit : uint8_t { none, nanoseconds, bytes, count, flops, flopsPerSecond, bytesPerSecond, share };

/// Three significant digits with an SI prefix: "3.42 ms", "12.0 MB" (10^6), "2.71 M", "97.1 %". NaN and
/// negative where that makes no sense: "n/a".
QString format(double number, Unit unit);

/// "3.42 ms ± 0.03": median and half the 95 % interval, in one unit.
QString format(const engine::Estimate& estimate, Unit unit);

/// Scope, count, interval and spread of an estimate, for tooltips.
QString describe(const engine::Estimate& estimate, Unit unit);

/// Three significant digits without prefix: "0.00312", "1.50e+09".
QString plainNumber(double number);

/// "1×64×h/4×w/4", "scalar", "?" for an unknown rank.
QString shapeLabel(const engine::Type& type);
QString shapeLabel(const engine::Dims& dims);

/// "float 1×64×56×56", "seq(int64 n)".
QString typeLabel(const engine::Type& type);

/// Text of the engine, which is UTF-8.
QString qstring(std::string_view text);

}  // namespace views
