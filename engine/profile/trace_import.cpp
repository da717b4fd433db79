#include "engine/profile/trace_import.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/profile/trace_events.h"

namespace engine {
namespace {

bool isRun(const TraceFileEvent& event, ImportedTrace::Source source) {
    if (source == ImportedTrace::Source::onnxRuntime) return event.name == "model_run";
    return source == ImportedTrace::Source::opscope && event.category == "run";
}

bool isStep(const TraceFileEvent& event, ImportedTrace::Source source) {
    if (source == ImportedTrace::Source::onnxRuntime) return event.isKernel;
    return !isRun(event, source);
}

/// Whether steps of a body may run inside that step. Times in microseconds do not tell: a step of no length
/// at the end of another one would seem to lie within it.
bool mayHaveBody(const std::string& operatorType, ImportedTrace::Source source) {
    static const std::set<std::string> withBodies{"If", "Loop", "Scan", "SequenceMap"};
    return source == ImportedTrace::Source::other || withBodies.contains(operatorType);
}

/// Puts the events of a file into runs.
class TraceBuilder {
public:
    explicit TraceBuilder(TraceFile file) : file_(std::move(file)) {}

    ImportedTrace build(Observer& observer) {
        ImportedTrace result{.source = file_.source,
                             .facts = std::move(file_.facts),
                             .diagnostics = std::move(file_.diagnostics)};
        // By start, and those around others before them.
        std::stable_sort(file_.events.begin(), file_.events.end(), [](const auto& a, const auto& b) {
            return a.startNs != b.startNs ? a.startNs < b.startNs : a.endNs > b.endNs;
        });
        makeRuns();
        for (const TraceFileEvent& event : file_.events) {
            observer.checkpoint();
            if (isStep(event, file_.source)) addStep(event);
        }
        for (Run& run : runs_) {
            if (run.trace.events.empty()) continue;
            run.trace.steps = steps_;
            result.runs.push_back(std::move(run.trace));
        }
        if (result.runs.empty()) fail("it holds no step of a run");
        result.originNames = std::move(originNames_);
        return result;
    }

private:
    struct Open {
        uint32_t step;
        int64_t endNs;
        bool mayHaveBody;
    };
    struct Run {
        int64_t startNs;
        int64_t endNs;
        int64_t thread;
        Trace trace = {};
        std::map<int64_t, uint32_t> threads = {};
        std::map<int64_t, std::vector<Open>> open = {};  ///< by thread, outermost first
    };

    void makeRuns() {
        for (const TraceFileEvent& event : file_.events) {
            if (isRun(event, file_.source)) runs_.push_back({event.startNs, event.endNs, event.thread});
        }
        if (runs_.empty() && !file_.events.empty()) {
            int64_t end = 0;
            for (const TraceFileEvent& event : file_.events) end = std::max(end, event.endNs);
            runs_.push_back({file_.events.front().startNs, end, file_.events.front().thread});
        }
        for (Run& run : runs_) {
            run.threads[run.thread] = 0;
            run.trace.elapsedNs = run.endNs - run.startNs;
        }
    }

    /// The run that the event is part of: of those around it one of its own thread, else the last begun.
    /// Null: none.
    Run* runOf(const TraceFileEvent& event) {
        auto next = std::upper_bound(runs_.begin(), runs_.end(), event.startNs,
                                     [](int64_t start, const Run& run) { return start < run.startNs; });
        Run* found = nullptr;
        for (int looked = 0; next != runs_.begin() && looked < mostOverlapping; ++looked) {
            Run& run = *--next;
            if (event.endNs > run.endNs + file_.resolutionNs) continue;
            if (run.thread == event.thread) return &run;
            if (found == nullptr) found = &run;
        }
        return found;
    }

    void addStep(const TraceFileEvent& event) {
        Run* run = runOf(event);
        if (run == nullptr) return;
        const uint32_t thread =
            run->threads.try_emplace(event.thread, static_cast<uint32_t>(run->threads.size())).first->second;
        std::vector<Open>& open = run->open[event.thread];
        while (!open.empty() && !contains(open.back(), event)) open.pop_back();
        const int parent = parentOf(*run, event);
        const uint32_t step = stepOf(event, parent);
        run->trace.events.push_back({step, thread, event.startNs - run->startNs, event.endNs - run->startNs});
        open.push_back({step, event.endNs, mayHaveBody(event.step.operatorType, file_.source)});
    }

    static bool contains(const Open& open, const TraceFileEvent& event) {
        return event.startNs < open.endNs && event.endNs <= open.endNs;
    }

    /// The innermost step that is open around the event: on its thread, else, where bodies are known, on
    /// another one.
    int parentOf(const Run& run, const TraceFileEvent& event) const {
        int parent = -1;
        for (const Open& around : run.open.at(event.thread)) {
            if (around.mayHaveBody) parent = static_cast<int>(around.step);
        }
        if (parent >= 0 || file_.source == ImportedTrace::Source::other) return parent;
        for (const auto& [thread, open] : run.open) {
            for (const Open& around : open) {
                if (around.mayHaveBody && contains(around, event)) parent = static_cast<int>(around.step);
            }
        }
        return parent;
    }

    uint32_t stepOf(const TraceFileEvent& event, int parent) {
        const StepInfo& info = event.step;
        const std::string key =
            text(parent, '\n', info.name, '\n', info.operatorType, '\n', info.provider, '\n', info.kernel,
                 '\n', join(event.nodes, "\n"), '\n', join(info.inputTypes, "\n"));
        const auto [known, isNew] = stepNumbers_.try_emplace(key, static_cast<uint32_t>(steps_->size()));
        if (isNew) {
            steps_->push_back(info);
            steps_->back().parent = parent;
            for (const std::string& node : event.nodes) steps_->back().origins.push_back(originOf(node));
        }
        return known->second;
    }

    OriginId originOf(const std::string& node) {
        const auto [known, isNew] = origins_.try_emplace(node, originNames_.size());
        if (isNew) originNames_.push_back(node);
        return OriginId(known->second);
    }

    static constexpr int mostOverlapping = 256;  ///< runs at once that an event is looked for in

    TraceFile file_;
    std::vector<Run> runs_;
    std::shared_ptr<std::vector<StepInfo>> steps_ = std::make_shared<std::vector<StepInfo>>();
    std::map<std::string, uint32_t> stepNumbers_;
    std::vector<std::string> originNames_;
    std::map<std::string, size_t> origins_;
};

}  // namespace

ImportedTrace readTrace(std::istream& json, Observer& observer) {
    return TraceBuilder(readTraceFile(json, observer)).build(observer);
}

ImportedTrace importTrace(const std::filesystem::path& file, Observer& observer) {
    std::ifstream stream(file, std::ios::binary);
    try {
        if (!stream || std::filesystem::is_directory(file)) fail("cannot be opened");
        return readTrace(stream, observer);
    } catch (Error& error) {
        error.addContext(text("trace '", file.string(), "'"));
        throw;
    }
}

}  // namespace engine
