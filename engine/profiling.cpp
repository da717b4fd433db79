#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/core/processor.h"
#include "engine/profile/aggregate.h"
#include "engine/profile/steadiness.h"
#include "engine/session.h"

namespace engine {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One profile being measured.
class Profiler {
public:
    Profiler(Session& session, const std::vector<NamedDatum>& inputs, const ProfileOptions& options,
             Observer& observer, const std::function<void(double)>& onLatency)
        : session_(session), inputs_(inputs), options_(options), observer_(observer), onLatency_(onLatency) {}

    ProfileResult run() {
        measureColdStart();
        warmUp();
        measure();
        summarize();
        return std::move(result_);
    }

private:
    double runOnce(bool isTraced) {
        RunResult run = session_.run(inputs_, {.limits = options_.limits, .trace = isTraced}, observer_);
        if (isTraced) {
            tracedNs_.push_back(static_cast<double>(run.elapsedNs));
            aggregate_.add(*run.trace);
            traces_.push_back(std::move(*run.trace));
            if (traces_.size() > mostTracesKept) traces_.erase(traces_.begin());
        }
        return static_cast<double>(run.elapsedNs);
    }

    void measureColdStart() {
        observer_.checkpoint(0, "compiling for these shapes");
        result_.cold.openNs = session_.model().openNs;
        result_.cold.optimizeNs = session_.optimizeNs();
        result_.cold.compileNs = session_.prepare(inputs_, options_.limits, observer_);
        result_.cold.firstRunNs = static_cast<int64_t>(runOnce(false));
    }

    /// Runs until two windows of runs agree to 1 %, at least 3 runs, at most 2 s.
    void warmUp() {
        const auto start = Clock::now();
        std::vector<double> samples;
        while (samples.size() < 3 || (secondsSince(start) < 2 && !isSteady(samples, 20, 0.01))) {
            observer_.checkpoint(0.05, "warming up");
            samples.push_back(runOnce(false));
            if (samples.size() >= 3 && secondsSince(start) > 2) break;
        }
    }

    bool isDone(double elapsed) {
        const size_t count = result_.latenciesNs.size();
        if (options_.runs > 0 || options_.seconds > 0) {
            const bool enoughRuns = options_.runs > 0 && count >= options_.runs;
            const bool enoughTime = options_.seconds > 0 && elapsed >= options_.seconds && count >= 3;
            if (enoughRuns) result_.stopReason = text("after the ", options_.runs, " runs asked for");
            if (enoughTime) result_.stopReason = text("after the ", options_.seconds, " s asked for");
            return enoughRuns || enoughTime;
        }
        if (elapsed >= mostSeconds && count >= 3) {
            result_.stopReason = text("after ", mostSeconds, " s, before the median was sure to 0.5 %");
            return true;
        }
        if (count >= mostRuns) {
            result_.stopReason = text("after ", mostRuns, " runs, before the median was sure to 0.5 %");
            return true;
        }
        if (count < nextTest_ || elapsed < 0.5) return false;
        nextTest_ = nextTestCount(count);
        const Estimate latency = estimate(result_.latenciesNs);
        if (latency.halfInterval() > 0.005 * latency.median) return false;
        result_.stopReason = "once the median was sure to 0.5 %";
        return true;
    }

    /// Untraced runs give the latency; every fourth block is one traced run, so that both see the same drift.
    void measure() {
        const auto start = Clock::now();
        size_t sinceTraced = 0;
        do {
            const double elapsed = secondsSince(start);
            const double fraction =
                options_.runs > 0
                    ? static_cast<double>(result_.latenciesNs.size()) / static_cast<double>(options_.runs)
                    : elapsed / (options_.seconds > 0 ? options_.seconds : mostSeconds);
            observer_.checkpoint(0.1 + 0.9 * std::min(1.0, fraction), "measuring");
            if (sinceTraced == 0) runOnce(true);
            const double latency = runOnce(false);
            result_.latenciesNs.push_back(latency);
            if (onLatency_) onLatency_(latency);
            sinceTraced = (sinceTraced + 1) % 3;
        } while (!isDone(secondsSince(start)));
    }

    void summarize() {
        result_.latencyNs = estimate(result_.latenciesNs);
        result_.steps = aggregate_.steps();
        result_.types = aggregate_.types();
        result_.unattributedShare = aggregate_.unattributedShare();
        result_.tracedToUntraced = quantile(tracedNs_, 0.5) / result_.latencyNs.median;
        const double middle = quantile(tracedNs_, 0.5);
        const auto nearest =
            std::min_element(traces_.begin(), traces_.end(), [&](const Trace& a, const Trace& b) {
                return std::abs(static_cast<double>(a.elapsedNs) - middle) <
                       std::abs(static_cast<double>(b.elapsedNs) - middle);
            });
        result_.trace = *nearest;
        result_.memory = session_.memory();
        result_.environment = text(processorText(), "; ", session_.options().threads,
                                   session_.options().threads == 1 ? " thread" : " threads");
    }

    static constexpr double mostSeconds = 10;
    static constexpr size_t mostRuns = 20000;
    static constexpr size_t mostTracesKept = 32;

    Session& session_;
    const std::vector<NamedDatum>& inputs_;
    const ProfileOptions& options_;
    Observer& observer_;
    const std::function<void(double)>& onLatency_;
    ProfileResult result_;
    TraceAggregate aggregate_;
    std::vector<Trace> traces_;
    std::vector<double> tracedNs_;
    size_t nextTest_ = 64;
};

}  // namespace

ProfileResult profile(Session& session, const std::vector<NamedDatum>& inputs, const ProfileOptions& options,
                      Observer& observer, const std::function<void(double latencyNs)>& onLatency) {
    return Profiler(session, inputs, options, observer, onLatency).run();
}

}  // namespace engine
