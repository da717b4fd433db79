#pragma once

#include <chrono>
#include <string_view>

#include "engine/core/observer.h"

namespace engine {

/// Passes the caller's wishes on, and ends work that takes longer than `seconds` from now: its checkpoint
/// throws Error that names the limit. 0 seconds: no bound.
class BoundedObserver final : public Observer {
public:
    BoundedObserver(Observer& inner, double seconds, const char* limit);

    bool cancelled() const override;
    void progress(double fraction, std::string_view what) override { inner_.progress(fraction, what); }

private:
    using Clock = std::chrono::steady_clock;

    Observer& inner_;
    double seconds_;
    const char* limit_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace engine
