#pragma once

#include <chrono>
#include <iosfwd>
#include <mutex>
#include <string>

#include "engine/core/observer.h"

namespace cli {

/// Whoever typed the command: sees a progress bar on standard error if that is a terminal, and ends the work
/// by Ctrl-C.
class Terminal final : public engine::Observer {
public:
    Terminal();
    ~Terminal() override;
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    bool cancelled() const override;
    void progress(double fraction, std::string_view what) override;

    /// Takes the progress bar off the screen: before anything is printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    const bool isShown_;
    std::mutex mutex_;
    Clock::time_point nextDraw_;
    bool isDrawn_ = false;
};

/// For measurements: nothing but Ctrl-C.
class QuietObserver final : public engine::Observer {
public:
    bool cancelled() const override;
};

/// From now on SIGINT and SIGTERM ask the work to stop; if it has not within 30 ms, the process ends at once.
/// Files are written atomically, so that does no harm.
void watchSignals();

/// The signal that came, or 0.
int caughtSignal();

/// Ends the line of output and makes sure that it arrived. Throws engine::Error if it did not.
void flushOutput();

}  // namespace cli
