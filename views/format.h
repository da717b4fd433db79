#pragma once

#include <QString>
#include <QStringList>

#include "engine/core/type.h"
#include "engine/profile/statistics.h"
#include "engine/report/format.h"

namespace views {

using engine::Unit;

/// engine::format as QString: "3.42 ms", "12.0 MB".
QString numberText(double number, Unit unit);

/// "3.42 ms ± 0.03": median and half the 95 % interval, in one unit.
QString estimateText(const engine::Estimate& estimate, Unit unit);

/// "97.1 %"; "n/a" where there is none.
QString shareText(double share);

/// Interval, range and count of an estimate, for tooltips.
QString describe(const engine::Estimate& estimate, Unit unit);

/// Three significant digits without prefix: "0.00312", "1.50e+09".
QString plainNumber(double number);

/// "1×64×h/4×w/4", "scalar", "?" for an unknown rank.
QString dimsText(const engine::Type& type);
QString dimsText(const engine::Dims& dims);

/// "float 1×64×56×56", "seq(int64 n)".
QString typeLabel(const engine::Type& type);

/// A symbol short enough for a label: "p2o.DynamicDimension.0" is "DD0"; short ones stay.
QString briefSymbol(const QString& symbol);

/// A label of the type with the long symbols of its dims cut short.
QString withBriefSymbols(QString label, const engine::Type& type);

/// The distance of at most `most` ticks over a span: 1, 2 or 5 times a power of ten.
double tickStep(double span, int most);

/// How many digits after the point tell such ticks apart.
int digitsFor(double step);

/// The text, or its beginning and its end with "…" between where it is too long to be shown: names in files
/// may have any length.
QString clipped(const QString& text, qsizetype longest = 300);

/// Text of the engine, which is UTF-8.
QString qstring(std::string_view text);

}  // namespace views
