#include "engine/run/trace_recorder.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace engine {

void TraceRecorder::begin(const Infos& infos, size_t step) {
    if (kept_.empty() || kept_.back() != infos) {
        if (std::find(kept_.begin(), kept_.end(), infos) == kept_.end()) kept_.push_back(infos);
    }
    raw_.push_back({infos.get(), static_cast<uint32_t>(step), open_.empty() ? -1 : open_.back(), 0, 0});
    open_.push_back(static_cast<int>(raw_.size()) - 1);
    raw_.back().start = now();
}

void TraceRecorder::end() {
    raw_[static_cast<size_t>(open_.back())].end = now();
    open_.pop_back();
}

Trace TraceRecorder::finish(int64_t elapsedNs) {
    // A step is told apart by where it stands and by the step whose body it is in.
    std::map<std::tuple<const std::vector<StepInfo>*, uint32_t, int>, int> numbers;
    auto steps = std::make_shared<std::vector<StepInfo>>();
    std::vector<int> stepOfRaw(raw_.size());
    Trace trace;
    for (size_t i = 0; i < raw_.size(); ++i) {
        const Raw& raw = raw_[i];
        const int parent = raw.parent < 0 ? -1 : stepOfRaw[static_cast<size_t>(raw.parent)];
        const auto [entry, isNew] =
            numbers.emplace(std::tuple(raw.infos, raw.step, parent), static_cast<int>(steps->size()));
        if (isNew) {
            steps->push_back((*raw.infos)[raw.step]);
            steps->back().parent = parent;
        }
        stepOfRaw[i] = entry->second;
        trace.events.push_back({static_cast<uint32_t>(entry->second), 0, raw.start, raw.end});
    }
    trace.steps = std::move(steps);
    trace.elapsedNs = elapsedNs;
    return trace;
}

}  // namespace engine
