#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/profile/statistics.h"
#include "engine/profile/trace.h"

namespace engine {

/// Time and work of one step (or of all steps of an operator type) over the traced runs of a profile.
struct ProfileRow {
    StepInfo info;  ///< of a type's row: only operatorType, provider and sums are set
    Estimate timeNs =
        {};  ///< per run, all its calls together. A step's: inner time included; a type's: without it
    double share = 0;  ///< of the medians' sum: of all top-level steps, or of all types
    double calls = 0;  ///< per run
    size_t nodes = 0;  ///< of a type's row: steps of that type
    double flopsPerSecond = -1;
    double bytesPerSecond = -1;
};

/// Sums traces of the same program, run by run: add() each, then ask for rows.
class TraceAggregate {
public:
    void add(const Trace& trace);

    size_t runs() const { return runs_; }
    /// One row a step, in order of first appearance; steps of bodies after their parent (StepInfo::parent =
    /// row index).
    std::vector<ProfileRow> steps() const;
    /// One row per operator type and provider, most time first. The time is the steps' own, without that of
    /// bodies, so that the rows add up to the whole.
    std::vector<ProfileRow> types() const;
    /// The part of the traced latency that lies in no step: binding inputs, output buffers, dispatch.
    double unattributedShare() const;

private:
    struct Series {
        StepInfo info;
        std::vector<double> totalNs;  ///< per run, inclusive
        std::vector<double> ownNs;    ///< per run, exclusive
        size_t calls = 0;
    };
    size_t seriesOf(const StepInfo& info, uint32_t step, int parentSeries);

    std::map<std::string, size_t> index_;
    std::vector<Series> series_;
    std::vector<double> elapsedNs_;
    std::vector<double> topLevelNs_;
    size_t runs_ = 0;
};

}  // namespace engine
