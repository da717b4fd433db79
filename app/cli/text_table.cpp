#include "app/cli/text_table.h"

#include <algorithm>
#include <cmath>

#include "engine/core/text.h"
#include "engine/core/utf.h"

namespace cli {

size_t characters(const std::string& text) {
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string TextTable::text(const std::string& indent) const {
    std::vector<size_t> widths(columns_.size(), 0);
    for (const auto& row : rows_) {
        for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
    }
    std::string result;
    const auto addLine = [&](const auto& cellOf) {
        std::string line = indent;
        for (size_t i = 0; i < columns_.size(); ++i) {
            if (widths[i] == 0) continue;
            const std::string& cell = cellOf(i);
            const size_t width = std::max(widths[i], characters(columns_[i].title));
            const std::string padding(width - characters(cell), ' ');
            if (line.size() > indent.size()) line += "  ";
            line += columns_[i].align == Align::left ? cell + padding : padding + cell;
        }
        result += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    };
    const bool hasTitles = std::any_of(columns_.begin(), columns_.end(),
                                       [](const Column& column) { return !column.title.empty(); });
    if (hasTitles) addLine([&](size_t i) -> const std::string& { return columns_[i].title; });
    for (const auto& row : rows_) {
        static const std::string nothing;
        addLine([&](size_t i) -> const std::string& { return i < row.size() ? row[i] : nothing; });
    }
    if (more_ > 0) result += engine::text(indent, "… and ", more_, " more; --json lists all\n");
    return result;
}

std::string shareBar(double share, int cells) {
    static const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!(share > 0)) return "";
    const int steps = static_cast<int>(std::lround(std::min(share, 1.0) * cells * 8));
    std::string bar;
    for (int i = 0; i < steps / 8; ++i) bar += "█";
    return bar + eighths[steps % 8];
}

namespace {

std::string cut(const std::u32string& points, size_t most) {
    if (points.size() <= most) return engine::utf8(points);
    const size_t head = most / 2;
    const size_t tail = most - head - 1;
    return engine::utf8(points.substr(0, head) + U'…' + points.substr(points.size() - tail));
}

}  // namespace

std::string shortened(const std::string& text, size_t most) {
    std::u32string points = engine::utf32(engine::printable(text)).value_or(U"");
    std::replace(points.begin(), points.end(), U'\n', U'?');
    return cut(points, most);
}

std::string messageText(const std::string& message) {
    constexpr size_t most = 4000;
    return cut(engine::utf32(engine::printable(message)).value_or(U""), most);
}

}  // namespace cli
