#include "engine/profile/aggregate.h"

#include <algorithm>
#include <numeric>

#include "engine/core/text.h"

namespace engine {
namespace {

double sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double rate(double amountPerCall, double calls, double medianNs) {
    return amountPerCall < 0 || medianNs <= 0 ? -1 : amountPerCall * calls / (medianNs * 1e-9);
}

/// Bytes that one call reads and writes; negative: unknown.
double trafficOf(const StepInfo& info) {
    if (info.bytesRead < 0 || info.bytesWritten < 0) return -1;
    return info.bytesRead + info.bytesWritten + std::max(0.0, info.parameterBytes);
}

/// Shares follow the medians that stand beside them, so that a few slow runs do not contradict those.
void shareOut(std::vector<ProfileRow>& rows, double whole) {
    for (ProfileRow& row : rows) row.share = whole > 0 ? row.timeNs.median / whole : 0;
}

}  // namespace

size_t TraceAggregate::seriesOf(const StepInfo& info, uint32_t step, int parentSeries) {
    const std::string key = text(parentSeries, '/', step, '/', info.name, '/', info.kernel, '/',
                                 join(info.inputTypes, ","), '/', join(info.outputTypes, ","));
    const auto [entry, isNew] = index_.emplace(key, series_.size());
    if (isNew) {
        series_.push_back({.info = info, .totalNs = {}, .ownNs = {}});
        series_.back().info.parent = parentSeries;
    }
    return entry->second;
}

void TraceAggregate::add(const Trace& trace) {
    ++runs_;
    std::vector<size_t> seriesOfStep(trace.steps->size());
    for (size_t i = 0; i < trace.steps->size(); ++i) {
        const StepInfo& info = (*trace.steps)[i];
        const int parent =
            info.parent < 0 ? -1 : static_cast<int>(seriesOfStep[static_cast<size_t>(info.parent)]);
        seriesOfStep[i] = seriesOf(info, static_cast<uint32_t>(i), parent);
    }
    for (Series& series : series_) {
        series.totalNs.resize(runs_, 0);
        series.ownNs.resize(runs_, 0);
    }
    double topLevel = 0;
    for (const StepEvent& event : trace.events) {
        Series& series = series_[seriesOfStep[event.step]];
        const auto duration = static_cast<double>(event.endNs - event.startNs);
        series.totalNs.back() += duration;
        series.ownNs.back() += duration;
        ++series.calls;
        if (series.info.parent < 0) {
            topLevel += duration;
        } else {
            series_[static_cast<size_t>(series.info.parent)].ownNs.back() -= duration;
        }
    }
    elapsedNs_.push_back(static_cast<double>(trace.elapsedNs));
    topLevelNs_.push_back(topLevel);
}

std::vector<ProfileRow> TraceAggregate::steps() const {
    std::vector<ProfileRow> rows;
    double whole = 0;
    for (const Series& series : series_) {
        ProfileRow row{.info = series.info, .timeNs = estimate(series.totalNs)};
        if (series.info.parent < 0) whole += row.timeNs.median;
        row.calls = static_cast<double>(series.calls) / static_cast<double>(runs_);
        row.nodes = 1;
        row.flopsPerSecond = rate(series.info.flops, row.calls, row.timeNs.median);
        row.bytesPerSecond = rate(trafficOf(series.info), row.calls, row.timeNs.median);
        rows.push_back(std::move(row));
    }
    shareOut(rows, whole);
    return rows;
}

std::vector<ProfileRow> TraceAggregate::types() const {
    struct Group {
        std::vector<double> ownNs;
        double flops = 0;
        double traffic = 0;
        double calls = 0;
        size_t nodes = 0;
    };
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const Series& series : series_) {
        Group& group = groups[{series.info.operatorType, series.info.provider}];
        group.ownNs.resize(runs_, 0);
        for (size_t i = 0; i < series.ownNs.size(); ++i) group.ownNs[i] += series.ownNs[i];
        const double calls = static_cast<double>(series.calls) / static_cast<double>(runs_);
        group.calls += calls;
        group.flops = series.info.flops < 0 || group.flops < 0 ? -1 : group.flops + series.info.flops * calls;
        const double traffic = trafficOf(series.info);
        group.traffic = traffic < 0 || group.traffic < 0 ? -1 : group.traffic + traffic * calls;
        ++group.nodes;
    }
    double whole = 0;
    std::vector<ProfileRow> rows;
    for (const auto& [key, group] : groups) {
        ProfileRow row{.info = {.operatorType = key.first, .provider = key.second},
                       .timeNs = estimate(group.ownNs)};
        row.info.flops = group.flops;
        whole += row.timeNs.median;
        row.calls = group.calls;
        row.nodes = group.nodes;
        row.flopsPerSecond = rate(group.flops, 1, row.timeNs.median);
        row.bytesPerSecond = rate(group.traffic, 1, row.timeNs.median);
        rows.push_back(std::move(row));
    }
    shareOut(rows, whole);
    std::sort(rows.begin(), rows.end(),
              [](const ProfileRow& a, const ProfileRow& b) { return a.share > b.share; });
    return rows;
}

double TraceAggregate::unattributedShare() const {
    const double whole = sum(elapsedNs_);
    return whole > 0 ? std::max(0.0, 1 - sum(topLevelNs_) / whole) : 0;
}

}  // namespace engine
