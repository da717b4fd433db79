#include "engine/report/chart.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/text.h"
#include "engine/report/format.h"
#include "engine/report/markup.h"

namespace engine {
namespace {

constexpr double width = 520;
constexpr double height = 190;
constexpr double left = 14;
constexpr double right = 506;
constexpr double top = 14;
constexpr double bottom = 158;

/// What part of the samples a chart shows: from the least to well beyond the bulk.
struct Range {
    double low = 0;
    double high = 1;
    size_t beyond = 0;

    explicit Range(std::span<const double> samples) {
        const double middle = quantile(samples, 0.5);
        const double spread = std::max(quantile(samples, 0.75) - quantile(samples, 0.25), middle * 0.002);
        low = *std::min_element(samples.begin(), samples.end());
        high =
            std::min(*std::max_element(samples.begin(), samples.end()), quantile(samples, 0.75) + 6 * spread);
        if (high <= low) high = low + std::max(low * 0.01, 1.0);
        for (const double sample : samples) beyond += sample > high ? 1 : 0;
        const double room = (high - low) * 0.04;
        low = std::max(low - room, 0.0);  // samples are times
        high += room;
    }
    double share(double value) const { return std::clamp((value - low) / (high - low), 0.0, 1.0); }
};

std::string head(const char* name) {
    return text("<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"", name,
                "\" viewBox=\"0 0 ", width, " ", height, "\">\n");
}

std::string line(const char* cssClass, double x1, double y1, double x2, double y2) {
    return text("<line class=\"", cssClass, "\" x1=\"", coordinate(x1), "\" y1=\"", coordinate(y1),
                "\" x2=\"", coordinate(x2), "\" y2=\"", coordinate(y2), "\"/>");
}

std::string words(const char* cssClass, double x, double y, const std::string& content) {
    return text("<text class=\"", cssClass, "\" x=\"", coordinate(x), "\" y=\"", coordinate(y), "\">",
                escaped(content), "</text>");
}

std::string box(const char* cssClass, double x, double y, double w, double h) {
    return text("<rect class=\"", cssClass, "\" x=\"", coordinate(x), "\" y=\"", coordinate(y), "\" width=\"",
                coordinate(w), "\" height=\"", coordinate(h), "\"/>");
}

/// Round values across a range: 1, 2 or 5 times a power of ten apart.
std::vector<double> ticks(const Range& range, int about) {
    const double raw = (range.high - range.low) / about;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw) {
            step = factor * power;
            break;
        }
    }
    std::vector<double> result;
    for (double at = std::ceil(range.low / step) * step; at <= range.high; at += step) result.push_back(at);
    return result;
}

std::string beyondText(const Range& range) {
    return range.beyond > 0 ? text(range.beyond, range.beyond == 1 ? " run beyond →" : " runs beyond →") : "";
}

}  // namespace

std::string histogramSvg(std::span<const double> samples, const Estimate& estimate) {
    const Range range(samples);
    const size_t bins = std::clamp(static_cast<size_t>(std::sqrt(static_cast<double>(samples.size())) * 1.5),
                                   size_t{8}, size_t{60});
    std::vector<size_t> counts(bins, 0);
    for (const double sample : samples) {
        if (sample > range.high) continue;
        const auto bin = static_cast<size_t>(range.share(sample) * static_cast<double>(bins));
        ++counts[std::min(bin, bins - 1)];
    }
    const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
    const auto x = [&](double share) { return left + share * (right - left); };
    std::string svg = head("How the latencies spread");
    for (const double tick : ticks(range, 5)) {
        svg += line("grid", x(range.share(tick)), top, x(range.share(tick)), bottom) +
               words("tick middle", x(range.share(tick)), bottom + 15, format(tick, Unit::nanoseconds));
    }
    svg += box("interval", x(range.share(estimate.low)), top,
               std::max(1.5, x(range.share(estimate.high)) - x(range.share(estimate.low))), bottom - top);
    for (size_t i = 0; i < bins; ++i) {
        if (counts[i] == 0) continue;
        const double from = x(static_cast<double>(i) / static_cast<double>(bins));
        const double to = x(static_cast<double>(i + 1) / static_cast<double>(bins));
        const double tall = (bottom - top - 6) * static_cast<double>(counts[i]) / std::max(1.0, most);
        svg += box("column", from + 0.5, bottom - tall, std::max(0.5, to - from - 1), tall);
    }
    svg += line("axis", left, bottom, right, bottom);
    svg += line("median", x(range.share(estimate.median)), top - 4, x(range.share(estimate.median)), bottom);
    svg += words("tick end", right, height - 4, beyondText(range));
    svg += words("tick", left, height - 4, "latency of a run");
    return svg + "</svg>\n";
}

std::string seriesSvg(std::span<const double> samples, const Estimate& estimate) {
    const Range range(samples);
    const auto y = [&](double value) { return bottom - range.share(value) * (bottom - top); };
    constexpr double axis = left + 56;
    constexpr size_t mostPoints = 1500;
    const size_t stride = std::max<size_t>(1, (samples.size() + mostPoints - 1) / mostPoints);
    std::string svg = head("The latencies in order");
    for (const double tick : ticks(range, 4)) {
        svg += line("grid", axis, y(tick), right, y(tick)) +
               words("tick end", axis - 6, y(tick) + 4, format(tick, Unit::nanoseconds));
    }
    svg += "<g class=\"dots\">";
    const double count = std::max(1.0, static_cast<double>(samples.size()) - 1);
    for (size_t i = 0; i < samples.size(); i += stride) {
        const double x = axis + 4 + (right - axis - 8) * static_cast<double>(i) / count;
        svg += text("<circle cx=\"", coordinate(x), "\" cy=\"", coordinate(y(samples[i])), "\" r=\"1.6\"/>");
    }
    svg += "</g>" + line("median", axis, y(estimate.median), right, y(estimate.median)) +
           line("axis", axis, top, axis, bottom);
    const std::string every = stride > 1 ? text(", every ", stride, "th shown") : "";
    svg += words("tick", axis, height - 4, text("run 1 … ", samples.size(), every));
    return svg + "</svg>\n";
}

}  // namespace engine
