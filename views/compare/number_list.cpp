#include "views/compare/number_list.h"

#include <QRegularExpression>
#include <QStringList>

namespace views {

namespace {

constexpr size_t most = 64;
constexpr qlonglong largest = 1LL << 31;

}  // namespace

std::optional<std::vector<int64_t>> parseNumberList(const QString& text) {
    static const QRegularExpression gap("[,;\\s]+");
    static const QRegularExpression part("^(\\d{1,10})(?:-(\\d{1,10}))?$");
    std::vector<int64_t> numbers;
    for (const QString& word : text.split(gap, Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch match = part.match(word);
        if (!match.hasMatch()) return std::nullopt;
        const qlonglong first = match.captured(1).toLongLong();
        const qlonglong last = match.captured(2).isEmpty() ? first : match.captured(2).toLongLong();
        if (first < 1 || last < first || last > largest || last - first >= static_cast<qlonglong>(most))
            return std::nullopt;
        for (qlonglong number = first; number <= last; ++number) numbers.push_back(number);
        if (numbers.size() > most) return std::nullopt;
    }
    if (numbers.empty()) return std::nullopt;
    return numbers;
}

QString numberListText(const std::vector<int64_t>& numbers) {
    QStringList parts;
    for (const int64_t number : numbers) parts << QString::number(number);
    return parts.join(", ");
}

}  // namespace views
