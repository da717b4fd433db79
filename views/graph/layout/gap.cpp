#include "views/graph/layout/gap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace layout {
namespace {

constexpr double near = 60;
constexpr double clearance = 8;
constexpr double steepRun = 160;
constexpr double widening = 0.06;
constexpr double trackHeight = 14;
constexpr double mostHeight = 240;
constexpr double radius = 10;
constexpr size_t mostRuns = 200;

}  // namespace

bool Gap::Run::overlaps(const Run& other) const {
    return low - clearance < other.high && other.low - clearance < high;
}

void Gap::add(int value, double from, double to) {
    if (std::abs(to - from) <= near) return;
    const auto [at, isNew] = runs_.emplace(value, Run{.from = from, .low = from, .high = from});
    at->second.low = std::min(at->second.low, to);
    at->second.high = std::max(at->second.high, to);
}

void Gap::assign() {
    tracks_ = runs_.empty() ? 0 : 1;
    if (runs_.size() < 2 || runs_.size() > mostRuns) return;
    std::vector<Run*> order;
    for (auto& [value, run] : runs_) order.push_back(&run);
    // Of two lines to the same side, the one that starts behind the other passes below it.
    std::stable_sort(order.begin(), order.end(), [](const Run* a, const Run* b) {
        if (a->goesRight() != b->goesRight()) return a->goesRight();
        return a->goesRight() ? a->from > b->from : a->from < b->from;
    });
    std::vector<const Run*> placed;
    for (Run* run : order) {
        std::vector<bool> taken(order.size() + 1, false);
        for (const Run* other : placed) {
            if (!run->overlaps(*other)) continue;
            taken[other->track] = true;
            if (other->goesRight() == run->goesRight()) run->track = std::max(run->track, other->track + 1);
        }
        while (taken[run->track]) ++run->track;
        tracks_ = std::max(tracks_, run->track + 1);
        placed.push_back(run);
    }
}

double Gap::height(double least) const {
    double farthest = 0;
    for (const auto& [value, run] : runs_) {
        farthest = std::max({farthest, run.high - run.from, run.from - run.low});
    }
    const double wide = least + std::min(least, widening * std::max(0.0, farthest - steepRun));
    return std::max(wide, std::min(mostHeight, trackHeight * (tracks_ + 1)));
}

void Gap::cross(Path& path, int value, double x, double upper, double lower) const {
    const auto run = runs_.find(value);
    const double from = path.back().x;
    if (run != runs_.end() && std::abs(x - from) > near) {
        const double step = (lower - upper) / (tracks_ + 1);
        const double y = upper + step * (run->second.track + 1);
        const double bend = std::min(radius, step);
        extend(path, {.x = from, .y = y - bend});
        extend(path, {.x = x, .y = y + bend});
    } else {
        extend(path, {.x = from, .y = upper});
    }
    extend(path, {.x = x, .y = lower});
}

}  // namespace layout
