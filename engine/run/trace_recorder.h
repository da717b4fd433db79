#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "engine/profile/trace.h"

namespace engine {

/// Gathers step events while one run goes on, on the running thread; bodies of control flow nest.
class TraceRecorder {
public:
    using Infos = std::shared_ptr<const std::vector<StepInfo>>;

    TraceRecorder() : start_(std::chrono::steady_clock::now()) {}

    int64_t now() const {
        return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count();
    }

    /// Opens an event of step `step` of a segment; events opened before end() lie within it.
    void begin(const Infos& infos, size_t step);
    void end();

    /// The finished trace; the recorder is used up.
    Trace finish(int64_t elapsedNs);

private:
    struct Raw {
        const std::vector<StepInfo>* infos;
        uint32_t step;
        int parent;  ///< index into raw_
        int64_t start;
        int64_t end;
    };
    std::chrono::steady_clock::time_point start_;
    std::vector<Raw> raw_;
    std::vector<int> open_;
    std::vector<Infos> kept_;
};

}  // namespace engine
