#include "engine/report/format.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "engine/core/text.h"

namespace engine {
namespace {

struct Scale {
    double factor;
    const char* prefix;
};

/// The largest prefix that leaves at least 1 before the point once three digits are kept.
Scale scaleFor(double number, Unit unit) {
    constexpr std::array<Scale, 6> up = {
        {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
    constexpr std::array<Scale, 4> time = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
    constexpr double rounding = 0.9995;  // 999.6 is written 1.00 k
    const double magnitude = std::abs(number);
    const auto pick = [&](const auto& scales) {
        for (const Scale& scale : scales) {
            if (magnitude >= scale.factor * rounding) return scale;
        }
        return scales.back();
    };
    return unit == Unit::nanoseconds ? pick(time) : pick(up);
}

const char* unitName(Unit unit) {
    switch (unit) {
        case Unit::bytes:
            return "B";
        case Unit::flops:
            return "FLOP";
        case Unit::flopsPerSecond:
            return "FLOP/s";
        case Unit::bytesPerSecond:
            return "B/s";
        default:
            return "";
    }
}

/// Digits behind the point that make three significant ones. Counts below a thousand are whole.
int decimalsFor(double scaled, const Scale& scale, Unit unit) {
    const bool isWhole = unit == Unit::count || unit == Unit::bytes || unit == Unit::flops;
    if (scaled == 0 || (isWhole && scale.factor == 1 && scaled == std::floor(scaled))) return 0;
    const double magnitude = std::abs(scaled);
    if (magnitude >= 99.95) return 0;
    if (magnitude >= 9.995) return 1;
    if (magnitude >= 0.9995) return 2;
    return std::min(9, 2 - static_cast<int>(std::floor(std::log10(magnitude))));
}

std::string fixed(double number, int decimals) {
    std::array<char, 64> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, number);
    std::string text(buffer.data(), static_cast<size_t>(length));
    for (char& letter : text) letter = letter == ',' ? '.' : letter;  // whatever the locale says
    return text;
}

std::string withUnit(const std::string& number, const Scale& scale, Unit unit) {
    const std::string name = std::string(scale.prefix) + unitName(unit);
    return name.empty() ? number : number + " " + name;
}

bool isWritable(double number, Unit unit) {
    return std::isfinite(number) && std::abs(number) < 1e18 && (number >= 0 || unit == Unit::none);
}

}  // namespace

std::string format(double number, Unit unit) {
    if (!isWritable(number, unit)) return "n/a";
    const Scale scale = scaleFor(number, unit);
    const double scaled = number / scale.factor;
    return withUnit(fixed(scaled, decimalsFor(scaled, scale, unit)), scale, unit);
}

std::string format(const Estimate& estimate, Unit unit) {
    if (!isWritable(estimate.median, unit)) return "n/a";
    const Scale scale = scaleFor(estimate.median, unit);
    const double scaled = estimate.median / scale.factor;
    const int decimals = decimalsFor(scaled, scale, Unit::none);
    if (estimate.count == 1) return withUnit(fixed(scaled, decimals), scale, unit);
    const double half = estimate.halfInterval() / scale.factor;
    const double step = std::pow(10, -decimals);
    const bool isTiny = half > 0 && half < step / 2;
    return withUnit(fixed(scaled, decimals), scale, unit) + " ± " +
           (isTiny ? "<" + fixed(step, decimals) : fixed(half, decimals));
}

std::string formatShare(double share) {
    if (!std::isfinite(share) || share < 0) return "n/a";
    if (share > 0 && share < 0.0005) return "<0.1 %";
    return fixed(share * 100, 1) + " %";
}

std::string shapeLabel(const Type& type) {
    if (!type.isTensor() || !type.shape) return "?";
    if (type.shape->empty()) return "scalar";
    std::string result;
    for (const Dim& dim : *type.shape) result += (result.empty() ? "" : "×") + dim.text();
    return result;
}

}  // namespace engine
