#include "engine/core/utf.h"

#include <algorithm>

namespace engine {
namespace {

bool isCodePoint(char32_t point) { return point < 0xD800 || (point > 0xDFFF && point < 0x110000); }

}  // namespace

std::optional<std::u32string> utf32(std::string_view text) {
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    std::u32string points;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const int more = lead < 0x80       ? 0
                         : lead >> 5 == 6  ? 1
                         : lead >> 4 == 14 ? 2
                         : lead >> 3 == 30 ? 3
                                           : -1;
        if (more < 0 || text.size() - i <= static_cast<size_t>(more)) return std::nullopt;
        char32_t point = more == 0 ? lead : lead & (0x3FU >> more);
        for (int k = 0; k < more; ++k) {
            const auto next = static_cast<unsigned char>(text[++i]);
            if (next >> 6 != 2) return std::nullopt;
            point = point << 6U | (next & 0x3FU);
        }
        if (point < smallest[more] || !isCodePoint(point)) return std::nullopt;
        points += point;
    }
    return points;
}

std::string utf8(std::u32string_view points) {
    std::string text;
    for (char32_t point : points) {
        if (!isCodePoint(point)) point = 0xFFFD;
        if (point < 0x80) {
            text += static_cast<char>(point);
            continue;
        }
        const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        constexpr unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
        text += static_cast<char>(lead[more] | point >> (6U * static_cast<unsigned>(more)));
        for (int k = more - 1; k >= 0; --k) {
            text += static_cast<char>(0x80U | (point >> (6U * static_cast<unsigned>(k)) & 0x3FU));
        }
    }
    return text;
}

std::string printable(std::string_view text) {
    const auto isPlain = [](char byte) { return (byte >= 0x20 && byte < 0x7F) || byte == '\n'; };
    if (std::ranges::all_of(text, isPlain)) return std::string(text);
    std::u32string points;
    if (std::optional<std::u32string> decoded = utf32(text)) {
        points = *std::move(decoded);
    } else {
        for (const char byte : text) points += static_cast<unsigned char>(byte);
    }
    for (char32_t& point : points) {
        const bool isControl = (point < 0x20 && point != U'\n') || (point >= 0x7F && point < 0xA0);
        // What turns the direction of the text around it.
        const bool turns = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
        if (isControl || turns) point = U'?';
    }
    return utf8(points);
}

}  // namespace engine
