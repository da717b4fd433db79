#include "views/format.h"

#include <algorithm>
#include <cmath>

namespace views {

QString numberText(double number, Unit unit) { return qstring(engine::format(number, unit)); }

QString estimateText(const engine::Estimate& estimate, Unit unit) {
    return qstring(engine::format(estimate, unit));
}

QString shareText(double share) {
    return std::isfinite(share) ? qstring(engine::formatShare(share)) : QString("n/a");
}

QString describe(const engine::Estimate& estimate, Unit unit) {
    QString text = QString("median %1, 95 % interval %2 … %3, range %4 … %5, n = %6")
                       .arg(numberText(estimate.median, unit), numberText(estimate.low, unit),
                            numberText(estimate.high, unit), numberText(estimate.minimum, unit),
                            numberText(estimate.maximum, unit))
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

QString dimsText(const engine::Type& type) { return qstring(engine::shapeLabel(type)); }

QString dimsText(const engine::Dims& dims) {
    return dimsText(engine::Type::tensor(engine::DataType::float32, engine::shapeOf(dims)));
}

QString typeLabel(const engine::Type& type) {
    using Kind = engine::Type::Kind;
    switch (type.kind) {
        case Kind::tensor:
            return qstring(engine::name(type.element)) + ' ' + dimsText(type);
        case Kind::sparseTensor:
            return "sparse " + qstring(engine::name(type.element)) + ' ' + dimsText(type);
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

QString briefSymbol(const QString& symbol) {
    constexpr qsizetype longest = 10;
    constexpr qsizetype mostRead = 200;
    if (symbol.size() <= longest) return symbol;
    QString brief;
    for (qsizetype index = 0; index < std::min(symbol.size(), mostRead); ++index) {
        const QChar letter = symbol[index];
        const bool startsWord = letter.isLetter() && (index == 0 || !symbol[index - 1].isLetterOrNumber());
        const bool isAtEnd = letter.isDigit() && index + 3 >= symbol.size();
        if (letter.isUpper() || startsWord || isAtEnd) brief += letter;
    }
    return brief.isEmpty() || brief.size() > longest ? symbol.left(longest - 1) + "…" : brief;
}

QString withBriefSymbols(QString label, const engine::Type& type) {
    if (type.inner) label = withBriefSymbols(std::move(label), *type.inner);
    if (!type.shape) return label;
    for (const engine::Dim& dim : *type.shape) {
        for (const std::string& symbol : dim.symbols()) {
            const QString whole = qstring(symbol);
            const QString brief = briefSymbol(whole);
            if (brief != whole) label.replace(whole, brief);
        }
    }
    return label;
}

double tickStep(double span, int most) {
    const double least = std::max(span, 1e-12) / most;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

int digitsFor(double step) { return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))); }

QString clipped(const QString& text, qsizetype longest) {
    return text.size() <= longest ? text : text.left(longest / 2) + "…" + text.right(longest / 2);
}

QString qstring(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace views
