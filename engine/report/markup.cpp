#include "engine/report/markup.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "engine/core/utf.h"

namespace engine {
namespace {

/// Character by character where the whole is no UTF-8, so that the sound part stays readable.
std::u32string points(std::string_view text) {
    if (const std::optional<std::u32string> whole = utf32(text)) return *whole;
    std::u32string result;
    for (size_t i = 0; i < text.size();) {
        size_t length = 1;
        std::optional<std::u32string> one;
        for (; length <= 4 && i + length <= text.size(); ++length) {
            one = utf32(text.substr(i, length));
            if (one) break;
        }
        result += one ? *one : std::u32string(1, U'\uFFFD');
        i += one ? length : 1;
    }
    return result;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char32_t point : points(text)) {
        switch (point) {
            case U'&':
                result += "&amp;";
                break;
            case U'<':
                result += "&lt;";
                break;
            case U'>':
                result += "&gt;";
                break;
            case U'"':
                result += "&quot;";
                break;
            case U'\'':
                result += "&#39;";
                break;
            default: {
                const bool isControl = (point < 0x20 && point != U'\n' && point != U'\t') ||
                                       (point >= 0x7F && point < 0xA0) || (point & 0xFFFEU) == 0xFFFEU;
                result += utf8(std::u32string(1, isControl ? U'\uFFFD' : point));
            }
        }
    }
    return result;
}

std::string elided(const std::string& text, size_t most) {
    const std::u32string all = points(text);
    if (all.size() <= most) return text;
    const size_t head = most / 2;
    const size_t tail = most - head - 1;
    return utf8(all.substr(0, head) + U'…' + all.substr(all.size() - tail));
}

std::string coordinate(double number) {
    std::array<char, 64> buffer{};
    const double rounded = std::round(number * 100) / 100;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.2f", rounded == 0 ? 0.0 : rounded);
    std::string text(buffer.data(), static_cast<size_t>(length));
    for (char& letter : text) letter = letter == ',' ? '.' : letter;  // whatever the locale says
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string providerClass(const std::string& provider) {
    if (provider.empty()) return "p-none";
    if (provider == "cpu" || provider == "cuda" || provider == "reference") return "p-" + provider;
    return "p-other";
}

std::string providerLetter(const std::string& provider) {
    if (provider.empty()) return "!";
    if (provider == "cuda") return "G";
    return std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(provider[0]))));
}

}  // namespace engine
